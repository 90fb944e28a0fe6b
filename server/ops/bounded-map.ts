import { LRUCache } from 'lru-cache';

/** Drops the least recently used. A bound by `max` alone would make lru-cache reserve its memory. */
export function boundedMap<V extends NonNullable<unknown>>(
  max: number,
  options: { readonly ttl?: number } = {},
): LRUCache<string, V> {
  return new LRUCache({ ...options, maxSize: max, sizeCalculation: () => 1 });
}
