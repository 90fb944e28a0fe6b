import type { LazyPageComponents } from './app-routes.tsx';

/**
 * The page module of each route, in a chunk of its own. The browser loads the chunk of the page that it shows. The server loads all chunks
 * when it starts. The build reads the paths of these imports (`build/manifest.ts`).
 */
export const routePages = {
  home: () => import('./pages/home-page.tsx'),
  page: () => import('./pages/generic-page.tsx'),
  blog: () => import('./pages/blog-index-page.tsx'),
  'blog-category': () => import('./pages/blog-category-page.tsx'),
  'blog-article': () => import('./pages/blog-article-page.tsx'),
  'blog-author': () => import('./pages/blog-author-page.tsx'),
  'blog-tag': () => import('./pages/blog-tag-page.tsx'),
  'blog-archive': () => import('./pages/blog-archive-page.tsx'),
  'blog-archive-year': () => import('./pages/blog-archive-period-page.tsx'),
  'blog-archive-month': () => import('./pages/blog-archive-period-page.tsx'),
  'subscribe-confirm': () => import('./pages/subscribe-page.tsx'),
  'subscribe-leave': () => import('./pages/subscribe-page.tsx'),
  'business-solution': () => import('./pages/business-solution-page.tsx'),
  commerce: () => import('./pages/commerce-page.tsx'),
  search: () => import('./pages/search-page.tsx'),
} satisfies LazyPageComponents;
