import { LRUCache } from 'lru-cache';
import { TagIndex } from './tag-index.ts';

/** What every stored thing says of itself. */
export interface Tagged {
  /** What it was made from; whatever of it changes makes it stale. */
  readonly tags: readonly string[];
  /** The one tag that it is about: when that is gone, so is this. Null for lists and the like. */
  readonly about: string | null;
  /** When the oldest of what it was made from was true, in ms since the epoch. */
  readonly madeAt: number;
  /** Its weight in bytes. */
  readonly bytes: number;
  /** Set by a purge: stale from now on, however young. */
  purged: boolean;
}

export interface TaggedStoreOptions {
  maxBytes: number;
  /** Told of a key that has gone to make room. */
  onEvict?: (key: string) => void;
}

/** An LRU store bounded by bytes, with an index from tags to keys. It cannot be made without a bound. */
export class TaggedStore<V extends Tagged> {
  readonly #lru: LRUCache<string, V>;
  readonly #index = new TagIndex();

  constructor({ maxBytes, onEvict }: TaggedStoreOptions) {
    this.#lru = new LRUCache<string, V>({
      // To lru-cache 0 is no bound at all.
      maxSize: Math.max(maxBytes, 1),
      maxEntrySize: Math.max(maxBytes, 1),
      sizeCalculation: ({ bytes }, key) => bytes + key.length,
      dispose: (value, key, reason) => {
        this.#index.remove(key, value.tags);
        if (reason === 'evict') onEvict?.(key);
      },
    });
  }

  get(key: string): V | undefined {
    return this.#lru.get(key);
  }

  /** The same without counting as a use. */
  peek(key: string): V | undefined {
    return this.#lru.peek(key);
  }

  set(key: string, value: V): void {
    this.#lru.set(key, value);
    if (this.#lru.peek(key) === value) this.#index.add(key, value.tags);
  }

  /** Counts a value's bytes anew, if it is still what is stored. */
  reweigh(key: string, value: V): void {
    if (this.#lru.peek(key) !== value) return;
    // Set again as it is, it would keep the weight it had.
    this.#lru.delete(key);
    this.set(key, value);
  }

  delete(key: string): void {
    this.#lru.delete(key);
  }

  /**
   * Makes stale what carries a tag; with `dropped`, removes what is about it.
   *
   * @returns the keys that were removed.
   */
  purge(tag: string, dropped: boolean): string[] {
    const removed: string[] = [];
    for (const key of this.#index.keysOf(tag)) {
      const value = this.#lru.peek(key);
      if (!value) continue;
      if (dropped && value.about === tag) removed.push(key);
      else value.purged = true;
    }
    for (const key of removed) this.#lru.delete(key);
    return removed;
  }

  /** Makes all of it stale. */
  purgeAll(): void {
    for (const value of this.#lru.values()) value.purged = true;
  }

  get size(): { bytes: number; entries: number } {
    return { bytes: this.#lru.calculatedSize, entries: this.#lru.size };
  }

  /** Most recently used first. */
  entries(): IterableIterator<[string, V]> {
    return this.#lru.entries() as IterableIterator<[string, V]>;
  }
}
