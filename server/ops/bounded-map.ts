import { LRUCache } from 'lru-cache';

/**
 * @returns a map of at most `max` entries, which forgets those that were used longest ago. lru-cache reserves the room of `max` entries when it is
 *   created, and that took a tenth of the start. A cache that is bounded by sizes reserves none, so each entry has the size 1.
 */
export function boundedMap<V extends NonNullable<unknown>>(
  max: number,
  options: Pick<
    LRUCache.OptionsSizeLimit<string, V, unknown>,
    'ttl' | 'ttlResolution' | 'noUpdateTTL' | 'perf'
  > = {},
): LRUCache<string, V> {
  return new LRUCache({ ...options, maxSize: max, sizeCalculation: () => 1 });
}
