import { HttpError } from '../shared/payload/http-error.ts';
import type { RouteMiddleware } from '../shared/routing/route-middleware.ts';
import type { NamedMiddleware } from '../shared/routing/routes.ts';

/** All route middleware, by the names that routes use. */
export const routeMiddleware = {
  /** Answers 404 if the category in the path does not exist. */
  'check-blog-category': async (to, _from, context) =>
    (await context.hasCategory(to.params.category ?? '')) || HttpError.notFound(to.path),
} satisfies Record<NamedMiddleware, RouteMiddleware>;
