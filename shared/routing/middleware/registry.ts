import type { NamedMiddleware } from '../routes.ts';
import { checkBlogCategory } from './check-blog-category.ts';
import type { RouteMiddleware } from './route-middleware.ts';

/** All route middleware by name. The route table uses these names. */
export const routeMiddleware = {
  'check-blog-category': checkBlogCategory,
} satisfies Record<NamedMiddleware, RouteMiddleware>;
