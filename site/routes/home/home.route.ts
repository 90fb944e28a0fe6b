import type { ShownPosition } from '../../../shared/content/landing.ts';
import { route } from '../../../shared/routing/route.ts';

export interface HomeData {
  h1: string;
  positions: readonly ShownPosition[];
}

export const home = route<HomeData>()({
  id: 'home',
  path: '/',
  page: () => import('./home.tsx'),
  load: () => __BROWSER__ || import('./home.load.server.ts'),
});
