import type { RequestHandler } from 'express';
import { NavigationAborted, PageFailure } from '../../shared/page-failure.ts';
import type { RouteLocation, RouteMiddlewareContext } from '../../shared/route-middleware/registry.ts';
import { answerRedirect } from '../answer-redirect.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { safeRedirectTarget } from '../content/safe-address.ts';
import { matchOf, pageOf } from '../request-scope.ts';
import type { Site } from '../site.ts';

/** Runs the route's middleware, each name once and in the order of the table. */
export function routeMiddleware(site: Site): RequestHandler {
  return async (_req, res, next) => {
    const page = pageOf(res);
    const { route, params } = matchOf(res);
    const to: RouteLocation = { route: route.id, path: page.path, params, query: page.query };
    const context: RouteMiddlewareContext = {
      hasCategory: async slug => (await readerFor(site, res).categories()).bySlug.has(slug),
    };
    for (const name of new Set(route.middleware)) {
      const middleware = Object.hasOwn(site.middleware, name) ? site.middleware[name] : undefined;
      if (!middleware) throw new PageFailure(`Unknown route middleware: '${name}'`, 500);
      const result = await middleware(to, null, context);
      if (result === false) throw new NavigationAborted(page.path);
      if (result instanceof Error) throw withOwnStatus(result);
      if (typeof result === 'object') {
        const target = safeRedirectTarget(result.redirect);
        if (!target) throw new Error(`The route middleware '${name}' redirects to a bad target`);
        return answerRedirect(site, res, { ...target, statusCode: result.statusCode ?? 302 });
      }
    }
    next();
  };
}

/** An error may carry its status; one that does was meant for the visitor. */
function withOwnStatus(error: Error): Error {
  if (error instanceof PageFailure || !('statusCode' in error) || typeof error.statusCode !== 'number')
    return error;
  return new PageFailure(error.message, error.statusCode, undefined, { cause: error });
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
