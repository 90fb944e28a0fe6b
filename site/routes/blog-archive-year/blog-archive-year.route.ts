import { NOT_ANIMATED, route } from '../../../shared/routing/route.ts';
import { type BlogArchivePeriodData, YEAR } from '../blog-archive/archive.ts';

export const blogArchiveYear = route<BlogArchivePeriodData>()({
  id: 'blog-archive-year',
  path: '/blog/archive/:year',
  page: () => import('../blog-archive/archive-period.tsx'),
  load: () => __BROWSER__ || import('./blog-archive-year.load.server.ts'),
  reads: ['article'],
  layout: 'blog',
  ...NOT_ANIMATED,
  query: ['page'],
  validate: ({ year = '' }) => YEAR.test(year),
});
