/** Values of `Cache-Status` (RFC 9211). */
export interface CacheStatus {
  /** For an answer that the page cache never stores. */
  readonly bypass: string;
  /** @param ttlS how long the stored page is still fresh, in seconds; negative for a stale one. */
  hit(ttlS: number): string;
  /** @param staleTtlS negative for a page that was stale at once, in seconds; else null. */
  miss(isStored: boolean, staleTtlS: number | null): string;
}

/** @param replicaId the name of this process, or null. With a name the values also name the build. */
export function createCacheStatus(replicaId: string | null, buildId: string): CacheStatus {
  const cache = replicaId === null ? 'site' : `site/${replicaId}`;
  const detail = replicaId === null ? '' : `; detail="${buildId}"`;
  return {
    bypass: `${cache}; fwd=bypass${detail}`,
    hit: ttlS => `${cache}; hit; ttl=${ttlS}${detail}`,
    miss(isStored, staleTtlS) {
      const ttl = staleTtlS === null ? '' : `; ttl=${staleTtlS}`;
      return `${cache}; fwd=miss${isStored ? '; stored' : ''}${ttl}${detail}`;
    },
  };
}
