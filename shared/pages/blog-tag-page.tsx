import { ArticleListPage } from '../blocks/article-list-page.tsx';
import { FeedLink } from '../blocks/feed-link.tsx';
import { PageIntro } from '../blocks/page-intro.tsx';
import type { BlogTagData } from '../payload/payload.ts';
import { pathTo } from '../routing/routes.ts';

/** The articles with a tag, twelve per page. */
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
