import { HttpError, NavigationAbortedError } from '../../../shared/payload/http-error.ts';
import type { PayloadRedirect } from '../../../shared/routing/redirects.ts';
import type {
  RouteLocation,
  RouteMiddlewareContext,
  RouteMiddlewareRegistry,
  RouteOrigin,
} from '../../../shared/routing/route-middleware.ts';
import type { RouteDefinition } from '../../../shared/routing/routes.ts';
import { safeRedirectTarget } from '../../addresses/safe-address.ts';
import type { ContentReader } from '../../content/reading/content-reader.ts';
import type { PageMatch, PageRequest } from '../page-request.ts';

/**
 * Runs each middleware of a route once. Resolves with null if the page may be shown.
 * @throws HttpError for refusals and errors with a status; other errors of middleware.
 */
export async function runRouteMiddleware(
  registry: RouteMiddlewareRegistry,
  { route, params }: PageMatch,
  { path, query, from }: PageRequest,
  reader: ContentReader,
): Promise<PayloadRedirect | null> {
  const to: RouteLocation = { route: route.id, path, params, query };
  const origin: RouteOrigin | null = route.readsFrom && from !== null ? { route: from } : null;
  const context: RouteMiddlewareContext = {
    hasCategory: async slug => (await reader.categories()).bySlug.has(slug),
  };
  for (const name of new Set(route.middleware)) {
    const middleware = Object.hasOwn(registry, name) ? registry[name] : undefined;
    if (!middleware) throw new HttpError(`Unknown route middleware: '${name}'`, 500);
    const result = await middleware(to, origin, context);
    if (result === false) throw new NavigationAbortedError(path);
    if (result instanceof Error) throw withOwnStatus(result);
    if (typeof result === 'object') {
      const target = safeRedirectTarget(result.redirect);
      if (!target) throw new Error(`The route middleware '${name}' redirects to a bad target`);
      return { ...target, statusCode: result.statusCode ?? 302 };
    }
  }
  return null;
}

/** Keeps the message of an error with a `statusCode`, because the middleware wrote it for visitors. */
function withOwnStatus(error: Error): Error {
  if (error instanceof HttpError || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return error;
  return new HttpError(error.message, error.statusCode, undefined, { cause: error });
}

interface RoutesAndMiddleware {
  routes: readonly RouteDefinition[];
  middleware: RouteMiddlewareRegistry;
}

/** @throws Error for unregistered middleware, so that the process does not start. */
export function checkRouteMiddleware({ routes, middleware }: RoutesAndMiddleware): void {
  for (const route of routes) {
    for (const name of route.middleware) {
      if (!Object.hasOwn(middleware, name))
        throw new Error(`Unknown route middleware: '${name}', named by the route '${route.id}'`);
    }
  }
}
