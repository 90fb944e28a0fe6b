import type { RouteContent } from '../server/loading/loader.ts';
import type { PageComponent } from '../shared/app-routes.tsx';
import type { RouteId } from '../shared/routing/routes.ts';

interface RouteFiles<Id extends RouteId> {
  page(): Promise<{ default: PageComponent<Id> }>;
  load(): true | Promise<{ default: RouteContent<Id> }>;
}

/**
 * The page and the loader of each route. Browsers have no loaders: the build replaces `__BROWSER__` by true.
 */
export const routeFiles = {
  home: {
    page: () => import('./routes/home/home.tsx'),
    load: () => __BROWSER__ || import('./routes/home/home.load.server.ts'),
  },
  blog: {
    page: () => import('./routes/blog/blog.tsx'),
    load: () => __BROWSER__ || import('./routes/blog/blog.load.server.ts'),
  },
  'blog-category': {
    page: () => import('./routes/blog-category/blog-category.tsx'),
    load: () => __BROWSER__ || import('./routes/blog-category/blog-category.load.server.ts'),
  },
  'blog-article': {
    page: () => import('./routes/blog-article/blog-article.tsx'),
    load: () => __BROWSER__ || import('./routes/blog-article/blog-article.load.server.ts'),
  },
  'blog-author': {
    page: () => import('./routes/blog-author/blog-author.tsx'),
    load: () => __BROWSER__ || import('./routes/blog-author/blog-author.load.server.ts'),
  },
  'blog-tag': {
    page: () => import('./routes/blog-tag/blog-tag.tsx'),
    load: () => __BROWSER__ || import('./routes/blog-tag/blog-tag.load.server.ts'),
  },
  'blog-archive': {
    page: () => import('./routes/blog-archive/blog-archive.tsx'),
    load: () => __BROWSER__ || import('./routes/blog-archive/blog-archive.load.server.ts'),
  },
  'blog-archive-year': {
    page: () => import('./routes/blog-archive/archive-period.tsx'),
    load: () => __BROWSER__ || import('./routes/blog-archive-year/blog-archive-year.load.server.ts'),
  },
  'blog-archive-month': {
    page: () => import('./routes/blog-archive/archive-period.tsx'),
    load: () => __BROWSER__ || import('./routes/blog-archive-month/blog-archive-month.load.server.ts'),
  },
  'business-solution': {
    page: () => import('./routes/business-solution/business-solution.tsx'),
    load: () => __BROWSER__ || import('./routes/business-solution/business-solution.load.server.ts'),
  },
  commerce: {
    page: () => import('./routes/commerce/commerce.tsx'),
    load: () => __BROWSER__ || import('./routes/commerce/commerce.load.server.ts'),
  },
  search: {
    page: () => import('./routes/search/search.tsx'),
    load: () => __BROWSER__ || import('./routes/search/search.load.server.ts'),
  },
  'subscribe-confirm': {
    page: () => import('./routes/subscribe-confirm/subscribe-confirm.tsx'),
    load: () => __BROWSER__ || import('./routes/subscribe-confirm/subscribe-confirm.load.server.ts'),
  },
  'subscribe-leave': {
    page: () => import('./routes/subscribe-confirm/subscribe-confirm.tsx'),
    load: () => __BROWSER__ || import('./routes/subscribe-leave/subscribe-leave.load.server.ts'),
  },
  page: {
    page: () => import('./routes/page/page.tsx'),
    load: () => __BROWSER__ || import('./routes/page/page.load.server.ts'),
  },
} satisfies { readonly [Id in RouteId]: RouteFiles<Id> };
