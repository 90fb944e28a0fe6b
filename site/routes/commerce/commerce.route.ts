import { pagesAt, route } from '../../../shared/routing/route.ts';
import type { EntryPageData } from '../../parts/entry-data.ts';

export const commerce = route<EntryPageData>()({
  id: 'commerce',
  ...pagesAt('/commerce'),
  page: () => import('./commerce.tsx'),
  load: () => __BROWSER__ || import('./commerce.load.server.ts'),
  reads: ['article', 'author', 'category'],
  skeleton: 'article',
});
