import { LRUCache } from 'lru-cache';

/** A map that drops the least recently used entry. `max` of lru-cache would reserve all memory at once. */
export function boundedMap<V extends NonNullable<unknown>>(
  max: number,
  options: { readonly ttl?: number } = {},
): LRUCache<string, V> {
  return new LRUCache({ ...options, maxSize: max, sizeCalculation: () => 1 });
}

interface Results<V> {
  get(key: string): V | undefined;
  set(key: string, result: V): unknown;
  delete(key: string): unknown;
}

/** @returns the result of a key, made once. A promise that rejects is forgotten. */
export function remembered<V>(results: Results<NoInfer<V>>, key: string, make: () => V): V {
  const known = results.get(key);
  if (known !== undefined) return known;
  const made = make();
  results.set(key, made);
  if (made instanceof Promise) made.catch(() => results.delete(key));
  return made;
}
