import { ArticleListPage } from '../blocks/article-list-page.tsx';
import { FeedLink } from '../blocks/feed-link.tsx';
import { PageIntro } from '../blocks/page-intro.tsx';
import { QuestionsBlock } from '../blocks/questions-block.tsx';
import type { BlogCategoryData } from '../payload/payload.ts';
import { pathTo } from '../routing/routes.ts';

/** A category's articles, twelve per page. */
export default function BlogCategoryPage({ data }: { data: BlogCategoryData }) {
  const { category, list, breadcrumbs, feed } = data;
  return (
    <div className="el-frame">
      <PageIntro title={category.h1 ?? category.name} text={category.description} breadcrumbs={breadcrumbs}>
        <FeedLink feed={feed} />
      </PageIntro>
      <ArticleListPage
        list={list}
        path={pathTo('blog-category', { category: category.slug })}
        showCategory={false}
      />
      <QuestionsBlock questions={category.questions} />
    </div>
  );
}
