import type { LazyPageComponents } from '../shared/app-routes.tsx';

/** The page component of each route. Each is a chunk of its own, named after its file. */
export const routePages: LazyPageComponents = {
  home: () => import('../shared/pages/home-page.tsx'),
  page: () => import('../shared/pages/generic-page.tsx'),
  blog: () => import('../shared/pages/blog-index-page.tsx'),
  'blog-category': () => import('../shared/pages/blog-category-page.tsx'),
  'blog-article': () => import('../shared/pages/blog-article-page.tsx'),
  'business-solution': () => import('../shared/pages/business-solution-page.tsx'),
  commerce: () => import('../shared/pages/commerce-page.tsx'),
};
