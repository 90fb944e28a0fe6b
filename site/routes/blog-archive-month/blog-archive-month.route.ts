import { NOT_ANIMATED, route } from '../../../shared/routing/route.ts';
import { type BlogArchivePeriodData, MONTH, YEAR } from '../blog-archive/archive.ts';

export const blogArchiveMonth = route<BlogArchivePeriodData>()({
  id: 'blog-archive-month',
  path: '/blog/archive/:year/:month',
  page: () => import('../blog-archive/archive-period.tsx'),
  load: () => __BROWSER__ || import('./blog-archive-month.load.server.ts'),
  reads: ['article'],
  layout: 'blog',
  ...NOT_ANIMATED,
  query: ['page'],
  validate: ({ year = '', month = '' }) => YEAR.test(year) && MONTH.test(month),
});
