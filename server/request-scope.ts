import type { Response } from 'express';
import type { FormState } from '../shared/form-state.ts';
import type { RouteDefinition, RouteParams } from '../shared/routes.ts';
import type { Logger } from './log.ts';

/** One of the site's pages being asked for, as HTML or as its payload. */
export interface PageRequest {
  form: 'page' | 'payload';
  /** The path as it was asked for, percent-encoded, without the payload's suffix. */
  path: string;
  /** The query as it was asked for, with its question mark, without the payload's `_b`; or empty. */
  search: string;
  query: URLSearchParams;
  /** Set once a route matches. */
  match: PageMatch | null;
  /** What became of a form that was posted from this page without JavaScript. */
  formState: FormState | null;
}

export interface PageMatch {
  route: RouteDefinition;
  params: RouteParams;
}

/** What belongs to one request. */
export interface RequestScope {
  id: string;
  log: Logger;
  /** Aborted when the client has gone before its answer was complete. */
  signal: AbortSignal;
  /** `https://host` of the public site, for absolute addresses. */
  origin: string;
  /** What the content cache did, for the request's line in the log: `{ hit: 4, miss: 1 }`. */
  cacheEvents: Record<string, number>;
  page: PageRequest | null;
}

declare global {
  namespace Express {
    interface Locals {
      scope: RequestScope;
    }
  }
}

/** @returns the request's scope. */
export function scopeOf(res: Response): RequestScope {
  return res.locals.scope;
}

/**
 * @returns the page that is asked for.
 * @throws Error before the step `page-request` has run: a mistake in the order of the steps.
 */
export function pageOf(res: Response): PageRequest {
  const { page } = scopeOf(res);
  if (!page) throw new Error('The step page-request has not run');
  return page;
}

/** @returns the matched route, or throws like `pageOf` before the step `match-page`. */
export function matchOf(res: Response): PageMatch {
  const { match } = pageOf(res);
  if (!match) throw new Error('The step match-page has not run');
  return match;
}
