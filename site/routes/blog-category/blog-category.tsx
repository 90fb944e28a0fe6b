import { pathTo } from '../../../shared/routing/routes.ts';
import { ArticleListPage } from '../../parts/articles/article-list-page.tsx';
import { FeedLink } from '../../parts/articles/feed-link.tsx';
import { OfferBand } from '../../parts/offer.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import { QuestionsBlock } from '../../parts/questions-block.tsx';
import { loadParts, Sections } from '../../parts/sections.tsx';
import type { BlogCategoryData } from './blog-category.route.ts';

export { loadParts };

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
      <Sections of={data} />
      <QuestionsBlock questions={category.questions} />
      <OfferBand own={category.cta} />
    </div>
  );
}
