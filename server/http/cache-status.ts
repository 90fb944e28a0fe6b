import { steadyNow } from '../ops/steady-clock.ts';

interface Stored {
  readonly entry: { readonly generatedAt: number };
  /** The remaining freshness in ms; negative for a stale page. */
  readonly ttlMs: number;
}

export type CacheStatus = ReturnType<typeof createCacheStatus>;

/**
 * The values of `Cache-Status` (RFC 9211).
 * @param replicaId the name of this process; null without one. With a name, `detail` has the build id.
 */
export function createCacheStatus(replicaId: string | null, buildId: string) {
  const cache = replicaId === null ? 'site' : `site/${replicaId}`;
  const detail = replicaId === null ? '' : `; detail="${buildId}"`;
  return {
    /** The value for a response that the page cache never stores. */
    bypass: `${cache}; fwd=bypass${detail}`,
    /** @returns the lines of `Age` and `Cache-Status`. A stale page is a hit with a negative `ttl`. */
    hitLines({ entry, ttlMs }: Stored): string {
      const age = Math.max(0, Math.floor((steadyNow() - entry.generatedAt) / 1_000));
      return `Age: ${age}\r\nCache-Status: ${cache}; hit; ttl=${Math.floor(ttlMs / 1_000)}${detail}\r\n`;
    },
    /** @returns the line for a page rendered for this request. @param stored its stored copy, if any. */
    missLines(stored: Stored | null): string {
      // Write `ttl` only for a page that was already stale when it was stored.
      const ttl = stored && stored.ttlMs <= 0 ? `; ttl=${Math.floor(stored.ttlMs / 1_000)}` : '';
      return `Cache-Status: ${cache}; fwd=miss${stored ? '; stored' : ''}${ttl}${detail}\r\n`;
    },
  };
}
