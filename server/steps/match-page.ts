import type { RequestHandler } from 'express';
import { matchRoute } from '../../shared/match-route.ts';
import { PageFailure } from '../../shared/page-failure.ts';
import { pageOf } from '../request-scope.ts';
import type { Site } from '../site.ts';

/** Finds the route of the path and asks the route's own validation. */
export function matchPage({ routes }: Site): RequestHandler {
  return (_req, res, next) => {
    const page = pageOf(res);
    page.match = matchRoute(routes, page.path);
    if (!page.match) throw PageFailure.notFound(page.path);
    const { route, params } = page.match;
    const valid = route.validate?.(params) ?? true;
    if (valid !== true) {
      const { statusCode = 404, statusMessage, message } = valid || {};
      throw new PageFailure(message ?? PageFailure.notFound(page.path).message, statusCode, statusMessage);
    }
    next();
  };
}
