import type { Tag } from '../../../shared/content/blog.ts';
import { pathTo } from '../../../shared/routing/routes.ts';
import { ArticleListPage } from '../../parts/articles/article-list-page.tsx';
import { FeedLink } from '../../parts/articles/feed-link.tsx';
import type { ArticleGroupData } from '../../parts/entry-data.ts';
import { OfferBand } from '../../parts/offer.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';

export default function BlogTagPage({ data }: { data: ArticleGroupData<Tag> }) {
  const { entry: tag, list, breadcrumbs, feed } = data;
  return (
    <div className="el-frame">
      <PageIntro title={tag.name} text={tag.description} breadcrumbs={breadcrumbs}>
        <FeedLink feed={feed} />
      </PageIntro>
      <ArticleListPage list={list} path={pathTo('blog-tag', { slug: tag.slug })} />
      <OfferBand />
    </div>
  );
}
