import { steadyNow } from '../ops/steady-clock.ts';
import type { CachedPage } from './page-cache.ts';

/** @returns the lines of `Cache-Status` (RFC 9211) and `Age` of a stored page. A stale page is a hit with a negative `ttl`. */
export function hitLines({ entry, ttlMs }: CachedPage, now = steadyNow()): string {
  const age = Math.max(0, Math.floor((now - entry.generatedAt) / 1_000));
  const ttl = Math.floor(ttlMs / 1_000);
  return `Age: ${age}\r\nCache-Status: site; hit; ttl=${ttl}\r\n`;
}

/**
 * @returns the line of `Cache-Status` of a page that was rendered for this request.
 *
 * @param stored the stored page, or null. A page rendered from stale content is stale at once, and has a negative `ttl`.
 */
export function missLines(stored: CachedPage | null): string {
  const ttl = stored && stored.ttlMs <= 0 ? `; ttl=${Math.floor(stored.ttlMs / 1_000)}` : '';
  return `Cache-Status: site; fwd=miss${stored ? '; stored' : ''}${ttl}\r\n`;
}
