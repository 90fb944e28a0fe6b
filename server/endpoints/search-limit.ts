import type { RequestHandler } from 'express';
import { SUGGESTIONS_PATH } from '../../shared/payload/search-data.ts';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { saidError } from '../errors.ts';
import { limitPerAddress } from '../http/rate-limit.ts';

const WINDOW_MS = 60_000;
/** Suggestions come while somebody types: eight in two seconds. */
const SEARCHES_PER_WINDOW = 240;

/**
 * Limits the searches from one IP address in a minute, suggestions included. Each query that was not asked before takes up to 30 ms of the index's
 * thread, and no cache helps against queries that are made up. Each replica counts for itself.
 */
export function searchLimit(): RequestHandler {
  const limit = limitPerAddress(WINDOW_MS, SEARCHES_PER_WINDOW, {
    handler: (_req, _res, next) => next(saidError('tooManySearches', 429)),
  });
  const page = pathTo('search', {});
  const paths: readonly string[] = [page, page + PAYLOAD_SUFFIX, SUGGESTIONS_PATH];
  return (req, res, next) => (paths.includes(req.path) ? limit(req, res, next) : next());
}
