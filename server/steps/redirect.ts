import type { RequestHandler } from 'express';
import { resolveRedirect } from '../../shared/redirects.ts';
import { answerRedirect } from '../answer-redirect.ts';
import { readerFor } from '../content/reader-for-request.ts';
import { pageOf, scopeOf } from '../request-scope.ts';
import type { Site } from '../site.ts';

/** The redirect lookup, for every path and before any page is matched. */
export function redirect(site: Site): RequestHandler {
  return async (_req, res, next) => {
    const { path, search } = pageOf(res);
    const table = await readerFor(site, res)
      .redirects()
      .catch((error: unknown) => {
        if (scopeOf(res).signal.aborted) throw error;
        // Redirects that cannot be had must not take the pages down with them.
        scopeOf(res).log.warn({ err: error }, 'redirects could not be loaded');
        return null;
      });
    const target = table && resolveRedirect(table, path, search);
    if (target) return answerRedirect(site, res, target);
    next();
  };
}
