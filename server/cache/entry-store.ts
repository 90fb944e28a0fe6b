import { LRUCache } from 'lru-cache';
import { TagIndex } from './tag-index.ts';

/** One thing that a cache stores. It never changes: a newer entry takes its place. */
export interface CacheEntry<V> {
  readonly value: V;
  /** Tags of the content that the value was made from. A change of any of them makes the entry stale. */
  readonly tags: readonly string[];
  /** The tag of the one thing that the value is about: when that is removed, so is the entry. Null for lists and the like. */
  readonly about: string | null;
  /** When the oldest content in the value was loaded, in ms since the epoch. */
  readonly generatedAt: number;
  /** Whether the content had been invalidated already when the value was made from it: the entry is stale from the start. */
  readonly invalidated: boolean;
}

/** An entry and what its store notes about it. */
export interface Slot<V> {
  readonly entry: CacheEntry<V>;
  /** `generatedAt` of the entry's copy on disk; null when the disk has none. */
  readonly writtenAt: number | null;
  /** Whether one of its tags has been invalidated since the entry was stored. */
  isInvalidated: boolean;
}

export interface EntryStoreOptions<V> {
  maxBytes: number;
  /** @returns what a value holds in memory, in bytes. Its tags, its key and the store's own share are added. */
  sizeOf: (value: V) => number;
  /** Called with each key that is evicted to make room. */
  onEvict?: (key: string) => void;
}

/**
 * What V8 needs for an entry besides its texts and buffers, in bytes: the slot, the entry, the nodes of lru-cache's lists and of
 * the tag index. Measured with 20,000 entries.
 */
export const ENTRY_OVERHEAD_BYTES = 600;

/** An LRU store of entries, bounded by bytes, with an index from tags to keys. It cannot be made without a bound. */
export class EntryStore<V> {
  readonly #lru: LRUCache<string, Slot<V>>;
  readonly #index = new TagIndex();

  constructor({ maxBytes, sizeOf, onEvict }: EntryStoreOptions<V>) {
    this.#lru = new LRUCache<string, Slot<V>>({
      // lru-cache takes 0 for "no bound".
      maxSize: Math.max(maxBytes, 1),
      maxEntrySize: Math.max(maxBytes, 1),
      sizeCalculation: ({ entry }, key) =>
        sizeOf(entry.value) + key.length + textBytes(entry.tags) + ENTRY_OVERHEAD_BYTES,
      dispose: ({ entry }, key, reason) => {
        this.#index.remove(key, entry.tags);
        if (reason === 'evict') onEvict?.(key);
      },
    });
  }

  get(key: string): Slot<V> | undefined {
    return this.#lru.get(key);
  }

  /** The same as `get`, but it does not count as a use. */
  peek(key: string): Slot<V> | undefined {
    return this.#lru.peek(key);
  }

  /** Stores an entry. An entry larger than the whole store is left out. */
  set(key: string, entry: CacheEntry<V>, writtenAt: number | null): void {
    this.#put(key, { entry, writtenAt, isInvalidated: entry.invalidated });
  }

  /** Puts another value into an entry, and weighs it anew. Its age, tags and invalidation stay. */
  replaceValue(key: string, before: V, after: V): void {
    const slot = this.#lru.peek(key);
    if (slot?.entry.value !== before) return;
    this.#put(key, { ...slot, entry: { ...slot.entry, value: after } });
  }

  delete(key: string): void {
    this.#lru.delete(key);
  }

  /** Makes every entry with a tag stale. */
  invalidate(tag: string): void {
    for (const key of this.#index.keysOf(tag)) {
      const slot = this.#lru.peek(key);
      if (slot) slot.isInvalidated = true;
    }
  }

  invalidateAll(): void {
    for (const slot of this.#lru.values()) slot.isInvalidated = true;
  }

  /** @returns the keys of the entries that are about a tag. */
  keysAbout(tag: string): string[] {
    return [...this.#index.keysOf(tag)].filter(key => this.#lru.peek(key)?.entry.about === tag);
  }

  get size(): { bytes: number; entries: number } {
    return { bytes: this.#lru.calculatedSize, entries: this.#lru.size };
  }

  /** Most recently used first. */
  slots(): IterableIterator<[string, Slot<V>]> {
    return this.#lru.entries() as IterableIterator<[string, Slot<V>]>;
  }

  #put(key: string, slot: Slot<V>): void {
    this.#lru.set(key, slot);
    if (this.#lru.peek(key) === slot) this.#index.add(key, slot.entry.tags);
  }
}

/** @returns what texts hold in memory, in bytes: V8 keeps one byte for a Latin-1 character, and a pointer and a header for each text. */
export function textBytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 24, 0);
}
