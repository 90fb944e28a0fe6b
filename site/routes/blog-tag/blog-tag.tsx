import { pathTo } from '../../../shared/routing/routes.ts';
import { ArticleListPage } from '../../parts/articles/article-list-page.tsx';
import { FeedLink } from '../../parts/articles/feed-link.tsx';
import { PageIntro } from '../../parts/page-intro.tsx';
import type { BlogTagData } from './blog-tag.route.ts';

export default function BlogTagPage({ data }: { data: BlogTagData }) {
  const { tag, list, breadcrumbs, feed } = data;
  return (
    <div className="el-frame">
      <PageIntro title={tag.name} text={tag.description} breadcrumbs={breadcrumbs}>
        <FeedLink feed={feed} />
      </PageIntro>
      <ArticleListPage list={list} path={pathTo('blog-tag', { slug: tag.slug })} />
    </div>
  );
}
