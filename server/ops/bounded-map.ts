import { LRUCache } from 'lru-cache';

/** Drops the least recently used. A bound by `max` alone would make lru-cache reserve its memory. */
export function boundedMap<V extends NonNullable<unknown>>(
  max: number,
  options: Pick<
    LRUCache.OptionsSizeLimit<string, V, unknown>,
    'ttl' | 'ttlResolution' | 'noUpdateTTL' | 'perf'
  > = {},
): LRUCache<string, V> {
  return new LRUCache({ ...options, maxSize: max, sizeCalculation: () => 1 });
}
