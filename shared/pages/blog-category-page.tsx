import { ArticleGrid } from '../blocks/article-grid.tsx';
import { EmptyNote } from '../blocks/empty-note.tsx';
import { PageIntro } from '../blocks/page-intro.tsx';
import { QuestionsBlock } from '../blocks/questions-block.tsx';
import { useLabels } from '../labels/labels-context.ts';
import type { BlogCategoryData } from '../payload/payload.ts';
import { pathTo } from '../routing/routes.ts';
import { Pagination } from '../ui/pagination.tsx';

/** A category's articles, twelve per page. */
export default function BlogCategoryPage({ data }: { data: BlogCategoryData }) {
  const labels = useLabels();
  const { category, list, breadcrumbs } = data;
  const path = pathTo('blog-category', { category: category.slug });
  return (
    <div className="el-frame">
      <PageIntro title={category.h1 ?? category.name} text={category.description} breadcrumbs={breadcrumbs} />
      {list.items.length > 0 ? (
        <ArticleGrid articles={list.items} heading="h2" showCategory={false} opensPage />
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
        label={labels.text('pagesOfCategory')}
      />
      <QuestionsBlock questions={category.questions} />
    </div>
  );
}
