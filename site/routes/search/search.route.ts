import type { SearchPageData } from '../../../shared/payload/search-data.ts';
import { route } from '../../../shared/routing/route.ts';

export const search = route<SearchPageData>()({
  id: 'search',
  path: '/search',
  page: () => import('./search.tsx'),
  load: () => __BROWSER__ || import('./search.load.server.ts'),
  query: ['q', 'type', 'category', 'page'],
  answersQueries: true,
});
