import type { CacheStatus } from '../http/cache-status.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import type { CachedPage } from './page-cache.ts';

/** @returns the lines of `Cache-Status` and `Age`. A stale page is a hit with a negative `ttl`. */
export function hitLines(cacheStatus: CacheStatus, { entry, ttlMs }: CachedPage, now = steadyNow()): string {
  const age = Math.max(0, Math.floor((now - entry.generatedAt) / 1_000));
  return `Age: ${age}\r\nCache-Status: ${cacheStatus.hit(Math.floor(ttlMs / 1_000))}\r\n`;
}

/** @returns the line of `Cache-Status` of a page rendered for this request. `stored` is its stored page. */
export function missLines(cacheStatus: CacheStatus, stored: CachedPage | null): string {
  const staleTtlS = stored && stored.ttlMs <= 0 ? Math.floor(stored.ttlMs / 1_000) : null;
  return `Cache-Status: ${cacheStatus.miss(stored !== null, staleTtlS)}\r\n`;
}
