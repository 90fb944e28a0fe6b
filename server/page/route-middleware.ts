import { HttpError, NavigationAbortedError } from '../../shared/payload/http-error.ts';
import type {
  RouteLocation,
  RouteMiddlewareContext,
} from '../../shared/routing/middleware/route-middleware.ts';
import { safeRedirectTarget } from '../content/safe-address.ts';
import type { Site } from '../site.ts';
import { matchOf, type PageStep, redirectTo } from './page-job.ts';

/** Runs the route's middleware, each name once and in the order of the table. */
export const routeMiddleware: PageStep = async (site, job) => {
  const { path, query } = job.request;
  const { route, params } = matchOf(job);
  const to: RouteLocation = { route: route.id, path, params, query };
  const context: RouteMiddlewareContext = {
    hasCategory: async slug => (await job.reader.categories()).bySlug.has(slug),
  };
  for (const name of new Set(route.middleware)) {
    const middleware = Object.hasOwn(site.middleware, name) ? site.middleware[name] : undefined;
    if (!middleware) throw new HttpError(`Unknown route middleware: '${name}'`, 500);
    const result = await middleware(to, null, context);
    if (result === false) throw new NavigationAbortedError(path);
    if (result instanceof Error) throw withOwnStatus(result);
    if (typeof result === 'object') {
      const target = safeRedirectTarget(result.redirect);
      if (!target) throw new Error(`The route middleware '${name}' redirects to a bad target`);
      return redirectTo({ ...target, statusCode: result.statusCode ?? 302 });
    }
  }
  return undefined;
};

/** An error may carry its status; one that does was meant for the visitor. */
function withOwnStatus(error: Error): Error {
  if (error instanceof HttpError || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return error;
  return new HttpError(error.message, error.statusCode, undefined, { cause: error });
}

/** @throws Error when the table names middleware that the registry does not have: the process then refuses to start. */
export function checkRouteMiddleware({ routes, middleware }: Pick<Site, 'routes' | 'middleware'>): void {
  for (const route of routes) {
    for (const name of route.middleware) {
      if (!Object.hasOwn(middleware, name))
        throw new Error(`Unknown route middleware: '${name}', named by the route '${route.id}'`);
    }
  }
}
