import { HttpError, NavigationAbortedError } from '../../shared/payload/http-error.ts';
import type { PayloadRedirect } from '../../shared/payload/payload.ts';
import type {
  RouteLocation,
  RouteMiddlewareContext,
  RouteMiddlewareRegistry,
  RouteOrigin,
} from '../../shared/routing/middleware/route-middleware.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { safeRedirectTarget } from '../content/safe-address.ts';
import type { PageMatch, PageRequest } from './page-request.ts';

/**
 * Runs the middleware that a route names, each name once, in the order of the route table.
 *
 * @returns the redirect that one of them asks for; null when the page may be shown.
 * @throws HttpError for a refused navigation and for an error with a status; every other error of the middleware.
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

/** Turns an error with a `statusCode` into an HttpError, whose message visitors see: the middleware wrote the message for them. */
function withOwnStatus(error: Error): Error {
  if (error instanceof HttpError || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return error;
  return new HttpError(error.message, error.statusCode, undefined, { cause: error });
}

interface RoutesAndMiddleware {
  routes: readonly RouteDefinition[];
  middleware: RouteMiddlewareRegistry;
}

/** @throws Error when the table names middleware that the registry does not have: the process then refuses to start. */
export function checkRouteMiddleware({ routes, middleware }: RoutesAndMiddleware): void {
  for (const route of routes) {
    for (const name of route.middleware) {
      if (!Object.hasOwn(middleware, name))
        throw new Error(`Unknown route middleware: '${name}', named by the route '${route.id}'`);
    }
  }
}
