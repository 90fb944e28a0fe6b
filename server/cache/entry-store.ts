import { LRUCache } from 'lru-cache';
import type { Steps } from '../ops/slices.ts';
import { EVERYTHING } from './tags/invalidation-log.ts';
import { TagIndex } from './tags/tag-index.ts';
import { isType, names } from './tags/tags.ts';

/** A cache entry. It never changes; a newer entry replaces it. */
export interface CacheEntry<V> {
  readonly value: V;
  /** The tags of the content in the value, with versions. */
  readonly tags: readonly string[];
  /** The tag of the entity in the value, or null for a list. Removing the entity deletes the entry. */
  readonly about: string | null;
  /** The time at which the oldest content in the value was loaded, in ms since the epoch. */
  readonly generatedAt: number;
  /** Whether the content was invalidated before the entry was stored, so it is stale from the start. */
  readonly invalidated: boolean;
  /** When the value changes by itself, in ms since the epoch. Readers then briefly await a new one. */
  readonly endsAt?: number | null;
  /** When a part of the value may no longer be shown, not even stale, in ms since the epoch. */
  readonly withdrawnAt?: number | null;
}

interface Slot<V> {
  readonly entry: CacheEntry<V>;
  /** `generatedAt` of the copy on disk; null without one. */
  writtenAt: number | null;
  /** Whether the content was invalidated, before or after the entry was stored. */
  isInvalidated: boolean;
  /** The number of the last whole-type invalidation that the entry was compared with. */
  comparedUpTo: number;
  reads: Reads;
}

/** The reads of a key. The counter survives when a newer entry replaces the old one. */
interface Reads {
  period: number;
  now: number;
  before: number;
}

const READS_PERIOD_MS = 300_000;

export interface EntryStoreOptions<V> {
  maxBytes: number;
  sizeOf: (value: V) => number;
  onEvict?: (key: string) => void;
  onDropped?: ((value: V) => void) | undefined;
}

/** The bytes of an entry without its texts and buffers, as measured with 20,000 entries. */
export const ENTRY_OVERHEAD_BYTES = 600;

export class EntryStore<V> {
  readonly #lru: LRUCache<string, Slot<V>>;
  readonly index = new TagIndex();
  readonly #invalidated = new Set<string>();
  /**
   * Numbers of the last invalidations of whole types and EVERYTHING. An entry is compared with them at its
   * next read. Comparing 50,000 entries at once would block the thread for 80 ms.
   */
  readonly #invalidatedTypes = new Map<string, number>();
  #typeInvalidations = 0;

  constructor({ maxBytes, sizeOf, onEvict, onDropped }: EntryStoreOptions<V>) {
    this.#lru = new LRUCache<string, Slot<V>>({
      // Replace 0 by 1, because lru-cache takes 0 as no limit.
      maxSize: Math.max(maxBytes, 1),
      maxEntrySize: Math.max(maxBytes, 1),
      sizeCalculation: ({ entry }, key) =>
        sizeOf(entry.value) + key.length + textBytes(entry.tags) + ENTRY_OVERHEAD_BYTES,
      dispose: ({ entry }, key, reason) => {
        this.index.remove(key, entry.tags);
        this.#invalidated.delete(key);
        if (reason === 'evict') onEvict?.(key);
        onDropped?.(entry.value);
      },
    });
  }

  get(key: string): Slot<V> | undefined {
    return this.#compared(key, this.#lru.get(key));
  }

  peek(key: string): Slot<V> | undefined {
    return this.#compared(key, this.#lru.peek(key));
  }

  set(key: string, entry: CacheEntry<V>, writtenAt: number | null): void {
    const reads = this.#lru.peek(key)?.reads ?? { period: 0, now: 0, before: 0 };
    const comparedUpTo = this.#typeInvalidations;
    this.#put(key, { entry, writtenAt, isInvalidated: entry.invalidated, comparedUpTo, reads });
  }

  replaceValue(key: string, before: V, after: V): void {
    const slot = this.#lru.peek(key);
    if (slot?.entry.value !== before) return;
    this.#put(key, { ...slot, entry: { ...slot.entry, value: after } });
  }

  delete(key: string): void {
    this.#lru.delete(key);
  }

  invalidate(tag: string): void {
    if (isType(tag)) this.#noteType(tag);
    else for (const key of this.index.outdatedBy(tag)) this.#markInvalidated(key, this.#lru.peek(key));
  }

  invalidateAll(): void {
    this.#noteType(EVERYTHING);
  }

  noteRead({ reads }: Slot<V>, time: number): void {
    moveOn(reads, time);
    reads.now += 1;
  }

  /** @returns the keys of invalidated entries read in the last five to ten minutes, most read first. */
  *invalidatedByReads(time: number, most: number): Steps<string[]> {
    let read: [key: string, reads: number][] = [];
    // Sort and cut the list as it grows: with 50,000 entries this is faster than one sort.
    const first = () => read.sort(([, a], [, b]) => b - a).slice(0, most);
    yield* this.#compareAll();
    for (const key of this.#invalidated) {
      yield;
      const reads = this.#lru.peek(key)?.reads;
      if (!reads) continue;
      moveOn(reads, time);
      if (reads.now + reads.before > 0) read.push([key, reads.now + reads.before]);
      if (read.length > 2 * most) read = first();
    }
    return first().map(([key]) => key);
  }

  forgetWrites(): void {
    for (const slot of this.#lru.values()) slot.writtenAt = null;
  }

  keysAbout(tag: string): string[] {
    return this.index.keysOf(tag).filter(key => this.#lru.peek(key)?.entry.about === tag);
  }

  get size(): { bytes: number; entries: number } {
    return { bytes: this.#lru.calculatedSize, entries: this.#lru.size };
  }

  get oldestGeneratedAt(): number | null {
    let oldest: number | null = null;
    for (const { entry } of this.#lru.values())
      oldest = Math.min(oldest ?? entry.generatedAt, entry.generatedAt);
    return oldest;
  }

  *slots(): Generator<[string, Slot<V>]> {
    for (const [key, slot] of this.#lru.entries() as IterableIterator<[string, Slot<V>]>) {
      this.#compared(key, slot);
      yield [key, slot];
    }
  }

  #put(key: string, slot: Slot<V>): void {
    this.#lru.set(key, slot);
    if (this.#lru.peek(key) !== slot) return;
    this.index.add(key, slot.entry.tags);
    if (slot.isInvalidated) this.#invalidated.add(key);
  }

  #noteType(tag: string): void {
    this.#typeInvalidations += 1;
    this.#invalidatedTypes.set(tag, this.#typeInvalidations);
  }

  #compared(key: string, slot: Slot<V> | undefined): Slot<V> | undefined {
    if (!slot || slot.comparedUpTo === this.#typeInvalidations) return slot;
    for (const [type, number] of this.#invalidatedTypes) {
      if (number <= slot.comparedUpTo) continue;
      const isMeant = type === EVERYTHING || slot.entry.tags.some(own => names(own, type));
      if (isMeant) this.#markInvalidated(key, slot);
    }
    slot.comparedUpTo = this.#typeInvalidations;
    return slot;
  }

  /** Compares all slots with the whole-type invalidations, then forgets those invalidations. */
  *#compareAll(): Steps<void> {
    if (this.#invalidatedTypes.size === 0) return;
    const upTo = this.#typeInvalidations;
    for (const key of [...this.#lru.keys()]) {
      yield;
      this.peek(key);
    }
    // Keep invalidations that arrived between two slices.
    if (this.#typeInvalidations === upTo) this.#invalidatedTypes.clear();
  }

  #markInvalidated(key: string, slot: Slot<V> | undefined): void {
    if (!slot) return;
    slot.isInvalidated = true;
    this.#invalidated.add(key);
  }
}

function moveOn(reads: Reads, time: number): void {
  const period = Math.floor(time / READS_PERIOD_MS);
  if (reads.period === period) return;
  reads.before = reads.period === period - 1 ? reads.now : 0;
  reads.now = 0;
  reads.period = period;
}

/** Estimates bytes: V8 stores a Latin-1 character in one byte, and each text has a header and a pointer. */
export function textBytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 24, 0);
}
