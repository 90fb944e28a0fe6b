import { steadyNow } from '../ops/steady-clock.ts';
import type { CachedPage } from './page-cache.ts';

/** `Cache-Status` (RFC 9211) and `Age` of a stored page. A stale page is a hit with a negative `ttl`. */
export function hitHeaders({ entry, ttlMs }: CachedPage, now = steadyNow()): string[] {
  const age = Math.max(0, Math.floor((now - entry.generatedAt) / 1_000));
  const ttl = Math.floor(ttlMs / 1_000);
  return ['Age', String(age), 'Cache-Status', `site; hit; ttl=${ttl}`];
}

/**
 * `Cache-Status` of a page that was rendered for this request.
 *
 * @param stored the stored page, or null. A page rendered from stale content is stale at once, and has a negative `ttl`.
 */
export function missHeaders(stored: CachedPage | null): string[] {
  const ttl = stored && stored.ttlMs <= 0 ? `; ttl=${Math.floor(stored.ttlMs / 1_000)}` : '';
  return ['Cache-Status', `site; fwd=miss${stored ? '; stored' : ''}${ttl}`];
}
