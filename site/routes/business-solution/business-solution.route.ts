import { pagesAt, route } from '../../../shared/routing/route.ts';
import type { EntryPageData } from '../../parts/entry-data.ts';

export const businessSolution = route<EntryPageData>()({
  id: 'business-solution',
  ...pagesAt('/business-solutions'),
  page: () => import('./business-solution.tsx'),
  load: () => __BROWSER__ || import('./business-solution.load.server.ts'),
  reads: ['article', 'author', 'category'],
  skeleton: 'article',
});
