import type { Found } from './page-cache.ts';

/** `Cache-Status` (RFC 9211) and `Age` of a stored page; a stale one is a hit whose `ttl` is negative. */
export function hitHeaders({ page, ttlMs }: Found, now = Date.now()): string[] {
  const age = Math.max(0, Math.floor((now - page.madeAt) / 1_000));
  const ttl = Math.floor(ttlMs / 1_000);
  return ['Age', String(age), 'Cache-Status', `site; hit; ttl=${ttl}`];
}

/** For a page that was made for this request. */
export function missHeaders(stored: boolean): string[] {
  return ['Cache-Status', `site; fwd=miss${stored ? '; stored' : ''}`];
}

/** For an answer that never is in the cache. */
export const BYPASS_STATUS = 'site; fwd=bypass';
