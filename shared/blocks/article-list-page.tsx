import type { ListPage, ShownArticle } from '../content/blog.ts';
import { useLabels } from '../labels/labels-context.ts';
import { pathTo } from '../routing/routes.ts';
import { Pagination } from '../ui/pagination.tsx';
import { ArticleGrid } from './article-grid.tsx';
import { EmptyNote } from './empty-note.tsx';

interface ArticleListPageProps {
  list: ListPage<ShownArticle>;
  /** The address of the first page. */
  path: string;
  showCategory?: boolean;
}

/** One page of a list of articles, with the links to its other pages. */
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
