import type { LastGood } from '../cache/last-good.ts';
import { createPurges, type Purges } from '../cache/purges.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { type Tagged, TaggedStore } from '../cache/tagged-store.ts';

/** What happened to one read, for the log, the metrics and `Server-Timing`. */
export type CacheEvent =
  | { kind: 'hit'; key: string }
  | { kind: 'miss'; key: string }
  /** Another request was already loading the same; this one waited with it. */
  | { kind: 'joined'; key: string }
  /** The load failed and an older value was good enough. */
  | { kind: 'stale'; key: string }
  | { kind: 'failed'; key: string; error: unknown };

/** A decoded piece of content, and what it was made from. */
export interface StoredContent extends Tagged {
  readonly value: object | null;
}

/** What a value was made from, and the tag that it is about. */
export interface Provenance {
  tags: readonly string[];
  about: string | null;
}

export interface ContentCacheOptions {
  /** Bound of all stored values in bytes, measured as JSON. */
  maxBytes: number;
  /** How long a value is fresh, in ms. */
  ttlMs: number;
  /** How long after that it may stand in for a load that fails, in ms. */
  staleIfErrorMs: number;
  purges?: Purges;
  /** Values that outlive the process. */
  lastGood?: LastGood<StoredContent>;
  /** Told of a key that has gone to make room. */
  onEvict?: (key: string) => void;
  /** The clock, in ms; a test brings its own. */
  now?: () => number;
}

export interface ReadOptions {
  /** The reader's own: when it is aborted the reader goes, and the last reader's going ends the load. */
  signal: AbortSignal;
  onEvent: (event: CacheEvent) => void;
  /** Told of the entry that the value came from. */
  onRead?: (entry: StoredContent) => void;
}

/** An LRU cache of decoded content, bounded by bytes, with one load at a time for each key. */
export interface ContentCache {
  /**
   * @param load called when there is no fresh value; its signal is aborted when nobody waits for it any more.
   * @param provenance what a value was made from; nothing unless given.
   * @throws what `load` throws, unless an older value can stand in; the reader's abort reason.
   */
  read<T extends object | null>(
    key: string,
    load: (signal: AbortSignal) => Promise<T>,
    options: ReadOptions,
    provenance?: (value: T) => Provenance,
  ): Promise<T>;
  /** @returns whether a read would be answered from memory. */
  isFresh(key: string): boolean;
  /** @returns what is stored, however old, without loading anything. */
  peek<T extends object | null>(key: string): T | undefined;
  /** Brings last good values back into memory. @returns whether all keys are there. */
  restore(keys: readonly string[]): Promise<boolean>;
  purge(tag: string, dropped: boolean): void;
  purgeAll(): void;
  /** Bytes and entries stored. */
  readonly size: { bytes: number; entries: number };
  /** Loads under way. */
  readonly loading: number;
}

/** What is not there is remembered too, but apart: a million wrong addresses must not push a page out. */
const MAX_ABSENT_BYTES = 1024 * 1024;
/** What it takes to remember that: an entry, its place in the lists and the index of tags. As JSON it would weigh next to nothing. */
const ABSENT_ENTRY_BYTES = 512;

/** A file is written again when it has used up this part of its life. */
const OLD_FILE = 10;

function weightOf(value: object | null): number {
  return value === null ? ABSENT_ENTRY_BYTES : Buffer.byteLength(JSON.stringify(value));
}

/** @returns an empty cache. */
export function createContentCache(options: ContentCacheOptions): ContentCache {
  const { maxBytes, ttlMs, staleIfErrorMs, lastGood, onEvict, now = Date.now } = options;
  const purges = options.purges ?? createPurges(now);
  const evictions = onEvict ? { onEvict } : {};
  const store = new TaggedStore<StoredContent>({ maxBytes, ...evictions });
  const absent = new TaggedStore<StoredContent>({ maxBytes: MAX_ABSENT_BYTES, ...evictions });
  const flights = new SingleFlight();
  /** How old the files of stored values are: when they were true, in ms. */
  const writtenAt = new WeakMap<StoredContent, number>();

  const stored = (key: string) => store.get(key) ?? absent.get(key);
  const ageOf = (entry: StoredContent) => now() - entry.madeAt;
  const isFresh = (entry: StoredContent) => !entry.purged && ageOf(entry) < ttlMs;

  /** @param written how old the file of this very value is; a value that has not changed need not wear the disk out. */
  function keep(key: string, entry: StoredContent, written: number | undefined): void {
    const isWrittenAnew = written === undefined || entry.madeAt - written > staleIfErrorMs / OLD_FILE;
    if (isWrittenAnew) lastGood?.write(key, entry);
    writtenAt.set(entry, isWrittenAnew ? entry.madeAt : written);
  }

  /** The last good value, from the disk, unless it has gone since. */
  async function recall(key: string): Promise<StoredContent | null> {
    const entry = (await lastGood?.read(key)) ?? null;
    if (!entry || ageOf(entry) >= ttlMs + staleIfErrorMs) return null;
    if (entry.about !== null && purges.droppedSince([entry.about], entry.madeAt)) return null;
    return { ...entry, purged: entry.purged || purges.since(entry.tags, entry.madeAt) };
  }

  async function fly<T extends object | null>(
    key: string,
    load: (signal: AbortSignal) => Promise<T>,
    provenance: (value: T) => Provenance,
    signal: AbortSignal,
  ): Promise<StoredContent> {
    const [madeAt, begun] = [now(), purges.mark()];
    const value = await load(signal);
    const { tags, about } = provenance(value);
    const before = store.peek(key);
    const isSame = value !== null && before?.value === value;
    // A value weighs what it weighs as JSON; that is what the backend sent, within a small factor.
    const bytes = isSame ? before.bytes : weightOf(value);
    const entry = { value, tags, about, madeAt, bytes, purged: false };
    // Whoever gave up may have asked anew: an answer that comes late all the same is not to replace that one's.
    if (signal.aborted) return entry;
    // What was asked for before a purge may be what was purged: good for this answer, and not to be kept.
    if (purges.after(tags, begun)) return { ...entry, purged: true };
    store.delete(key);
    absent.delete(key);
    (value === null ? absent : store).set(key, entry);
    if (value === null) lastGood?.remove(key);
    else keep(key, entry, isSame ? writtenAt.get(before) : undefined);
    return entry;
  }

  async function find<T extends object | null>(
    key: string,
    load: (signal: AbortSignal) => Promise<T>,
    provenance: (value: T) => Provenance,
    { signal, onEvent }: ReadOptions,
  ): Promise<StoredContent> {
    signal.throwIfAborted();
    const asked = purges.mark();
    try {
      for (;;) {
        const early = stored(key);
        if (early && isFresh(early)) {
          onEvent({ kind: 'hit', key });
          return early;
        }
        onEvent({ kind: flights.has(key) ? 'joined' : 'miss', key });
        const loaded = await flights.run(key, own => fly(key, load, provenance, own), signal);
        // A load that began before a purge is no answer to one who asked after it.
        if (!loaded.purged || purges.after(loaded.tags, asked)) return loaded;
      }
    } catch (error) {
      if (signal.aborted) throw error;
      onEvent({ kind: 'failed', key, error });
      // Looked up again: a purge may have dropped it while the load was under way.
      const older = stored(key) ?? (await recall(key));
      if (!older || ageOf(older) >= ttlMs + staleIfErrorMs) throw error;
      if (!stored(key)) store.set(key, older);
      onEvent({ kind: 'stale', key });
      return older;
    }
  }

  return {
    async read<T extends object | null>(
      key: string,
      load: (signal: AbortSignal) => Promise<T>,
      options: ReadOptions,
      provenance: (value: T) => Provenance = () => ({ tags: [], about: null }),
    ) {
      const entry = await find(key, load, provenance, options);
      options.onRead?.(entry);
      return entry.value as T;
    },

    isFresh(key) {
      const entry = store.peek(key);
      return entry !== undefined && isFresh(entry);
    },

    peek<T extends object | null>(key: string) {
      return store.peek(key)?.value as T | undefined;
    },

    async restore(keys) {
      const found = await Promise.all(
        keys.map(async key => {
          if (store.peek(key)) return true;
          const entry = await recall(key);
          if (entry && !store.peek(key)) store.set(key, entry);
          return entry !== null;
        }),
      );
      return found.every(Boolean);
    },

    purge(tag, dropped) {
      for (const key of store.purge(tag, dropped)) lastGood?.remove(key);
      absent.purge(tag, dropped);
    },
    purgeAll() {
      store.purgeAll();
      absent.purgeAll();
    },
    get size() {
      const [present, missing] = [store.size, absent.size];
      return { bytes: present.bytes + missing.bytes, entries: present.entries + missing.entries };
    },
    get loading() {
      return flights.size;
    },
  };
}
