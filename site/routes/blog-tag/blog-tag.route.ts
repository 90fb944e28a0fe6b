import type { Tag } from '../../../shared/content/blog.ts';
import { NOT_ANIMATED, route } from '../../../shared/routing/route.ts';
import type { ArticleGroupData } from '../../parts/entry-data.ts';

export const blogTag = route<ArticleGroupData<Tag>>()({
  id: 'blog-tag',
  path: '/blog/tags/:slug',
  page: () => import('./blog-tag.tsx'),
  load: () => __BROWSER__ || import('./blog-tag.load.server.ts'),
  reads: ['article'],
  layout: 'blog',
  ...NOT_ANIMATED,
  query: ['page'],
});
