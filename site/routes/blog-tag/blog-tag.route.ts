import type { ListPage, ShownArticle, Tag } from '../../../shared/content/blog.ts';
import type { Breadcrumb } from '../../../shared/content/links.ts';
import { NOT_ANIMATED, route } from '../../../shared/routing/route.ts';

export interface BlogTagData {
  tag: Tag;
  feed: string | null;
  list: ListPage<ShownArticle>;
  breadcrumbs: readonly Breadcrumb[];
}

export const blogTag = route<BlogTagData>()({
  id: 'blog-tag',
  path: '/blog/tags/:slug',
  page: () => import('./blog-tag.tsx'),
  load: () => __BROWSER__ || import('./blog-tag.load.server.ts'),
  reads: ['article'],
  layout: 'blog',
  ...NOT_ANIMATED,
  query: ['page'],
});
