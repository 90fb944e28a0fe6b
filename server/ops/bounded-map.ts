import { LRUCache } from 'lru-cache';

/** A map that drops the least recently used entry. With `max` alone, lru-cache would reserve the memory. */
export function boundedMap<V extends NonNullable<unknown>>(
  max: number,
  options: { readonly ttl?: number } = {},
): LRUCache<string, V> {
  return new LRUCache({ ...options, maxSize: max, sizeCalculation: () => 1 });
}
