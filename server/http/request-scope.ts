import type { Response } from 'express';
import type { Logger } from '../ops/log.ts';
import type { PageRequest } from '../page/page-job.ts';

/** What belongs to one request. */
export interface RequestScope {
  id: string;
  log: Logger;
  /** On the clock of `performance`, in ms. */
  startedAt: number;
  /** `npm run dev`: answers say where their time went. */
  isDevelopment: boolean;
  /** Aborted when the client has gone before its answer was complete. */
  signal: AbortSignal;
  /** Aborts the signal for another reason than that: the client is still to be answered. */
  giveUp(reason: Error): void;
  /** `https://host` of the public site, for absolute addresses. */
  origin: string;
  /** What the content cache did, for the request's line in the log: `{ hit: 4, miss: 1 }`. */
  cacheEvents: Record<string, number>;
  page: PageRequest | null;
  /** What the page cache did: `hit`, `stale`, `miss` or `bypass`; null for what is no page. */
  pageCache: PageCacheOutcome | null;
  /** The route that answered, for the log. */
  route: string | null;
}

export type PageCacheOutcome = 'hit' | 'stale' | 'miss' | 'bypass';

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
