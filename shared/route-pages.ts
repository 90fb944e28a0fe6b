import type { LazyPageComponents } from './app-routes.tsx';

/**
 * The module of each route's page, which is a chunk of its own. The browser loads the page that it shows, the server loads
 * all of them when it starts, and the build reads the addresses of these imports (`build/manifest.ts`).
 */
export const routePages = {
  home: () => import('./pages/home-page.tsx'),
  page: () => import('./pages/generic-page.tsx'),
  blog: () => import('./pages/blog-index-page.tsx'),
  'blog-category': () => import('./pages/blog-category-page.tsx'),
  'blog-article': () => import('./pages/blog-article-page.tsx'),
  'business-solution': () => import('./pages/business-solution-page.tsx'),
  commerce: () => import('./pages/commerce-page.tsx'),
} satisfies LazyPageComponents;
