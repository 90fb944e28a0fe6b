import { use } from 'react';
import type { ListPage, ShownArticle } from '../../../shared/content/blog.ts';
import { useLabels } from '../../../shared/labels/labels-context.ts';
import { pageAddress } from '../../../shared/routing/page-numbers.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { Pagination } from '../../../shared/ui/pagination.tsx';
import { EmptyNote } from '../empty-note.tsx';
import { ShellContext } from '../shell-context.ts';
import { ArticleGrid } from './article-grid.tsx';
// Bundle this module here, because the same pages use it: a chunk of its own would cost a request.
import './feed-link.tsx';

interface ArticleListPageProps {
  list: ListPage<ShownArticle>;
  path: string;
  showCategory?: boolean;
}

export function ArticleListPage({ list, path, showCategory = true }: ArticleListPageProps) {
  const labels = useLabels();
  const { numbersInPath } = use(ShellContext) ?? {};
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
        hrefOf={page => pageAddress(path, page, numbersInPath)}
        label={labels.text('pagesOfList')}
      />
    </>
  );
}
