import type { ListPage, ShownArticle } from '../../../shared/content/blog.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { Pagination } from '../../../shared/ui/pagination.tsx';
import { EmptyNote } from '../empty-note.tsx';
import { ArticleGrid } from './article-grid.tsx';

interface ArticleListPageProps {
  list: ListPage<ShownArticle>;
  path: string;
  showCategory?: boolean;
}

export function ArticleListPage({ list, path, showCategory = true }: ArticleListPageProps) {
  const labels = useLabels();
  return (
    <>
      {list.items.length > 0 ? (
        <ArticleGrid articles={list.items} heading="h2" showCategory={showCategory} opensPage />
      ) : (
        <EmptyNote
          text={labels.text('noArticlesHere')}
          href={pathTo('blog', {})}
          link={labels.text('allArticles')}
        />
      )}
      <Pagination
        page={list.page}
        pageCount={list.pageCount}
        hrefOf={page => (page === 1 ? path : `${path}?page=${page}`)}
        label={labels.text('pagesOfList')}
      />
    </>
  );
}
