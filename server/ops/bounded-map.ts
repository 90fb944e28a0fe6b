import { LRUCache } from 'lru-cache';

/** A map that drops the least recently used entry. `max` of lru-cache would reserve all memory at once. */
export function boundedMap<V extends NonNullable<unknown>>(
  max: number,
  options: { readonly ttl?: number } = {},
): LRUCache<string, V> {
  return new LRUCache({ ...options, maxSize: max, sizeCalculation: () => 1 });
}
