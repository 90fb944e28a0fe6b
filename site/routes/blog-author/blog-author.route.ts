import type { Author } from '../../../shared/content/blog.ts';
import { NOT_ANIMATED, route } from '../../../shared/routing/route.ts';
import type { ArticleGroupData } from '../../parts/entry-data.ts';

export const blogAuthor = route<ArticleGroupData<Author>>()({
  id: 'blog-author',
  path: '/blog/authors/:slug',
  page: () => import('./blog-author.tsx'),
  load: () => __BROWSER__ || import('./blog-author.load.server.ts'),
  reads: ['article'],
  layout: 'blog',
  ...NOT_ANIMATED,
  query: ['page'],
});
