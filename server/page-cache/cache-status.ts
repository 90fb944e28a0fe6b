import type { CachedPage } from './page-cache.ts';

/** `Cache-Status` (RFC 9211) and `Age` of a stored page; a stale one is a hit whose `ttl` is negative. */
export function hitHeaders({ entry, ttlMs }: CachedPage, now = Date.now()): string[] {
  const age = Math.max(0, Math.floor((now - entry.generatedAt) / 1_000));
  const ttl = Math.floor(ttlMs / 1_000);
  return ['Age', String(age), 'Cache-Status', `site; hit; ttl=${ttl}`];
}

/**
 * For a page that was made for this request.
 *
 * @param stored as what it is stored now. Made from old content because the backend is down, it is stale already.
 */
export function missHeaders(stored: CachedPage | null): string[] {
  const ttl = stored && stored.ttlMs <= 0 ? `; ttl=${Math.floor(stored.ttlMs / 1_000)}` : '';
  return ['Cache-Status', `site; fwd=miss${stored ? '; stored' : ''}${ttl}`];
}
