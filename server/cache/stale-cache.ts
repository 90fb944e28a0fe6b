import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { DiskTier } from './disk-tier.ts';
import { type CacheEntry, EntryStore } from './entry-store.ts';
import type { Invalidatable } from './invalidation.ts';
import { EVERYTHING, type InvalidationLog } from './invalidation-log.ts';
import type { SharedTier } from './shared-tier.ts';
import { SingleFlight } from './single-flight.ts';

/** What happened to stored entries, for metrics and for tests that assert the trace. */
export type StaleCacheEvent =
  | { kind: 'stored' | 'evicted' | 'negative-evicted' | 'loaded-from-disk' | 'removed'; key: string }
  /** One of its tags was invalidated while it was generated, so it was not stored. */
  | { kind: 'outdated'; key: string }
  | { kind: 'revalidation-failed'; key: string; error: unknown };

/** The bounds of negative entries: what the backend says does not exist. */
export interface NegativeOptions {
  maxBytes: number;
  /** How long a negative entry is fresh, in ms. */
  ttlMs: number;
  /** Whether a negative entry may be served stale like any other. */
  servesStale: boolean;
}

export interface StaleCacheOptions<V, R> {
  maxBytes: number;
  /** @returns what a value holds in memory, in bytes. */
  sizeOf: (value: V) => number;
  /** @returns a text that changes when the value changes: an unchanged value need not be written to the disk again. */
  versionOf: (value: V) => string;
  /** How long an entry is fresh, in ms (RFC 9111, 4.2). */
  ttlMs: number;
  /** How long after that it may be served while the backend fails, in ms (RFC 5861, 4). */
  staleIfErrorMs: number;
  /** Negative entries have a partition of their own, so that a million wrong addresses evict no good entry. */
  negative: NegativeOptions;
  invalidations: InvalidationLog;
  /** Keeps records across restarts. */
  disk?: DiskTier<R>;
  /** Shares records with other processes. */
  shared?: SharedTier<R>;
  /** Whether the backend may be asked now. While it may not, stale entries are served without an attempt to revalidate them. */
  mayRevalidate?: () => boolean;
  /** Whether the backend answers, as far as is known. While it does not, no reader waits for the revalidation of an old entry. */
  isBackendUp?: () => boolean;
  /** Whether an error means that this process is overloaded. It says nothing of the entry, so no back-off follows. */
  isOverload?: (error: unknown) => boolean;
  onEvent?: (event: StaleCacheEvent) => void;
  /** The clock, in ms. */
  now?: () => number;
}

/** A stored entry that may be served. */
export interface Cached<V> {
  entry: CacheEntry<V>;
  /** The freshness that is left, in ms; zero or negative when the entry is stale. */
  ttlMs: number;
  /** How long a reader should wait for a revalidation before the stale entry is served, in ms; 0: not at all. */
  waitMs: number;
}

/** What came of generating a value. */
export type Generated<V, R = unknown> =
  | {
      kind: 'entry';
      entry: CacheEntry<V>;
      isNegative: boolean;
      /** Something in the value is older than it should be because the backend failed. */
      servedStale: boolean;
      /** The record for the disk and the shared tier; null for what only memory keeps. */
      record: (() => R) | null;
    }
  /** The value lacks something that is only missing for now. It answers those who wait for it, and replaces nothing. */
  | { kind: 'partial'; entry: CacheEntry<V> }
  /** The key leads elsewhere, so what is stored for it is removed. */
  | { kind: 'moved' };

/** @returns the entry that a record stands for; null when it is no longer of use. Rejects when the record cannot be read. */
export type Revive<V, R> = (record: R) => Promise<CacheEntry<V> | null>;

export interface StaleCache<V, R> extends Invalidatable {
  /** @returns what memory has and may be served. */
  get(key: string): Cached<V> | null;
  /** @returns what memory has, however old, without counting it as a use. Negative entries are left out. */
  peek(key: string): CacheEntry<V> | null;
  /** @returns what memory or the disk has and may be served. Rejects when the record on disk cannot be read. */
  load(key: string, revive: Revive<V, R>): Promise<Cached<V> | null>;
  /**
   * Generates a value, once for all who ask at the same time, and stores it. A value whose generation began before an invalidation does
   * not answer a reader who asked after it: it is generated again.
   *
   * @param generate its signal is aborted when the last reader has left.
   * @param signal the reader's.
   * @param revive turns a record of the shared tier into an entry; without it that tier is not asked.
   * @throws what `generate` throws; the reader's abort reason.
   */
  revalidate<T extends Generated<V, R>>(
    key: string,
    generate: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
    revive?: Revive<V, R>,
  ): Promise<T | Extract<Generated<V, R>, { kind: 'entry' }>>;
  /** Revalidates a stale entry after its answer has been sent, a few entries at a time; not at once again when that fails. */
  revalidateInBackground(key: string, generate: (signal: AbortSignal) => Promise<Generated<V, R>>): void;
  /** Puts another form of the same value in its place, if the value is still stored, and weighs it. */
  replaceValue(key: string, before: V, after: V): void;
  /** @returns whether a value is being generated for a key. */
  isInFlight(key: string): boolean;
  /** Resolves when no value is being generated. */
  idle(): Promise<void>;
  readonly size: { positive: CacheSize; negative: CacheSize };
  /** How many values are being generated. */
  readonly inFlight: number;
  /** Most recently used first. */
  entries(): IterableIterator<{ key: string; entry: CacheEntry<V>; isFresh: boolean }>;
  /** @returns the time until the first entry may no longer be served, in ms; null when nothing is stored. */
  timeToFirstExpiryMs(): number | null;
}

export interface CacheSize {
  bytes: number;
  entries: number;
}

/** When a generation began: by the clock in ms, and as a position among the invalidations. */
interface Start {
  at: number;
  mark: number;
}

/** An entry this many times older than its time to live is not worth serving if a fresh one can be had within OLD_WAIT_MS. */
const OLD_TTLS = 10;
const OLD_WAIT_MS = 300;
/** After an invalidation an editor looks for the change, so readers wait this long for it. */
const INVALIDATED_WAIT_MS = 1_000;
/** A revalidation that failed is not tried again for this long, in ms. */
const REVALIDATION_BACK_OFF_MS = 1_000;
/** Failed keys remembered for the back-off. */
const MAX_FAILED_KEYS = 10_000;
/** Entries revalidated in the background at a time: visitors wait for other work of the process. */
const BACKGROUND_REVALIDATIONS = 4;
/** An unchanged entry is written to the disk again when its file has used up this part of its life. */
const REWRITE_AFTER_PART = 10;
/** Times between looks at the shared tier while another process loads the key, in ms. Then this process loads it, too. */
const SHARED_LOOKS_MS = [10, 20, 40, 80, 150];

/**
 * @returns an empty stale-while-revalidate cache (RFC 5861): an LRU store in memory, bounded by bytes, with tags by which its entries are
 *   invalidated, over a disk tier and a shared tier.
 */
export function createStaleCache<V, R>(options: StaleCacheOptions<V, R>): StaleCache<V, R> {
  const { maxBytes, sizeOf, versionOf, ttlMs, staleIfErrorMs, negative: negativeOptions } = options;
  const { invalidations, disk, shared, now = Date.now, onEvent = () => {} } = options;
  const { mayRevalidate = () => true, isBackendUp = () => true, isOverload = () => false } = options;
  const positive = new EntryStore<V>({
    maxBytes,
    sizeOf,
    onEvict: key => onEvent({ kind: 'evicted', key }),
  });
  const negative = new EntryStore<V>({
    maxBytes: negativeOptions.maxBytes,
    sizeOf,
    onEvict: key => onEvent({ kind: 'negative-evicted', key }),
  });
  const generations = new SingleFlight();
  const diskLoads = new SingleFlight();
  const failedAt = new LRUCache<string, number>({ max: MAX_FAILED_KEYS });
  const background = new PQueue({ concurrency: BACKGROUND_REVALIDATIONS });
  const queued = new Set<string>();
  const lifeMs = ttlMs + staleIfErrorMs;

  const isRevalidatable = (key: string) =>
    mayRevalidate() && now() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) >= REVALIDATION_BACK_OFF_MS;

  function get(key: string): Cached<V> | null {
    const slot = positive.get(key);
    const cached = slot ? servable(key, slot.entry, slot.isInvalidated, ttlMs) : null;
    if (cached) return cached;
    const missing = negative.get(key);
    if (!missing) return null;
    const found = servable(key, missing.entry, missing.isInvalidated, negativeOptions.ttlMs);
    return found && (found.ttlMs > 0 || negativeOptions.servesStale) ? found : null;
  }

  function servable(
    key: string,
    entry: CacheEntry<V>,
    isInvalidated: boolean,
    freshMs: number,
  ): Cached<V> | null {
    const age = now() - entry.generatedAt;
    if (age >= freshMs + staleIfErrorMs) return null;
    const left = isInvalidated ? Math.min(freshMs - age, -1) : freshMs - age;
    if (left > 0) return { entry, ttlMs: left, waitMs: 0 };
    const isOld = age > freshMs * OLD_TTLS && isBackendUp();
    const waitMs = isInvalidated ? INVALIDATED_WAIT_MS : isOld ? OLD_WAIT_MS : 0;
    const stale = isInvalidated && !entry.invalidated ? { ...entry, invalidated: true } : entry;
    return { entry: stale, ttlMs: left, waitMs: waitMs > 0 && isRevalidatable(key) ? waitMs : 0 };
  }

  /** Stores what was generated, unless it is out of date already. @returns whether it is. */
  function store(key: string, generated: Generated<V, R>, start: Start): boolean {
    failedAt.delete(key);
    if (generated.kind === 'moved') {
      removeKey(key);
      return false;
    }
    const isOutdated = invalidations.after(generated.entry.tags, start.mark);
    if (generated.kind === 'partial') failedAt.set(key, now());
    else if (maxBytes === 0) return isOutdated;
    else if (isOutdated) onEvent({ kind: 'outdated', key });
    else {
      if (generated.isNegative) storeNegative(key, generated.entry, start);
      else storePositive(key, generated.entry, generated.record);
      if (generated.servedStale) failedAt.set(key, now());
    }
    return isOutdated;
  }

  function storePositive(key: string, entry: CacheEntry<V>, record: (() => R) | null): void {
    negative.delete(key);
    const before = positive.peek(key);
    const isUnchanged = before !== undefined && versionOf(before.entry.value) === versionOf(entry.value);
    const writtenAt = isUnchanged ? before.writtenAt : null;
    const isWritten =
      writtenAt !== null && entry.generatedAt - writtenAt <= staleIfErrorMs / REWRITE_AFTER_PART;
    positive.set(key, entry, isWritten ? writtenAt : record ? entry.generatedAt : null);
    onEvent({ kind: 'stored', key });
    if (!isWritten && record) disk?.write(key, record);
  }

  /** A negative entry's time begins when it was found missing, and ends with the time of the content that was read for it. */
  function storeNegative(key: string, entry: CacheEntry<V>, start: Start): void {
    removeKey(key);
    const generatedAt = Math.min(start.at, entry.generatedAt + ttlMs - negativeOptions.ttlMs);
    negative.set(key, { ...entry, generatedAt }, null);
  }

  function removeKey(key: string): void {
    disk?.remove(key);
    if (!positive.peek(key)) return;
    positive.delete(key);
    onEvent({ kind: 'removed', key });
  }

  async function revalidate<T extends Generated<V, R>>(
    key: string,
    generate: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
    revive?: Revive<V, R>,
  ): Promise<T | Extract<Generated<V, R>, { kind: 'entry' }>> {
    const asked = invalidations.mark();
    for (;;) {
      const { generated, start } = await generations.run(
        key,
        own => generateAndStore(key, generate, own, revive),
        signal,
      );
      const tags = generated.kind === 'moved' ? [] : generated.entry.tags;
      if (!invalidations.after(tags, start.mark) || invalidations.after(tags, asked)) return generated;
      // Another reader's generation may have begun after the invalidation and be done by now.
      const current = get(key);
      if (current && current.ttlMs > 0)
        return { kind: 'entry', entry: current.entry, isNegative: false, servedStale: false, record: null };
    }
  }

  async function generateAndStore<T extends Generated<V, R>>(
    key: string,
    generate: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    revive: Revive<V, R> | undefined,
  ) {
    const start = { at: now(), mark: invalidations.mark() };
    try {
      const generated =
        shared && revive
          ? await generateOnceForAll(key, () => generate(signal), shared, revive, start, signal)
          : await generate(signal);
      // A reader who came after the last one left has started anew: a late value must not replace that reader's.
      const isOutdated = !signal.aborted && store(key, generated, start);
      return { generated: isOutdated ? markedInvalidated(generated) : generated, start };
    } catch (error) {
      if (!signal.aborted && !isOverload(error) && positive.peek(key)) {
        failedAt.set(key, now());
        onEvent({ kind: 'revalidation-failed', key, error });
      }
      throw error;
    }
  }

  /** Takes the record of another process if there is a fresh one, else generates the value and shares it. */
  async function generateOnceForAll<T extends Generated<V, R>>(
    key: string,
    generate: () => Promise<T>,
    tier: SharedTier<R>,
    revive: Revive<V, R>,
    start: Start,
    signal: AbortSignal,
  ): Promise<T | Extract<Generated<V, R>, { kind: 'entry' }>> {
    let release: (() => Promise<void>) | null = null;
    for (const lookMs of [0, ...SHARED_LOOKS_MS]) {
      if (lookMs > 0) await delay(lookMs, undefined, { signal });
      const record = await tier.get(key);
      const entry = record === null ? null : await revive(record);
      const isFresh = entry !== null && now() - entry.generatedAt < ttlMs;
      if (record !== null && isFresh && !invalidations.since(entry.tags, entry.generatedAt))
        return { kind: 'entry', entry, isNegative: false, servedStale: false, record: () => record };
      release = await tier.lock(key);
      if (release) break;
    }
    try {
      const generated = await generate();
      const isGood = generated.kind === 'entry' && !generated.servedStale && generated.record !== null;
      if (isGood && !invalidations.after(generated.entry.tags, start.mark))
        await tier.put(key, (generated.record as () => R)(), lifeMs);
      return generated;
    } finally {
      await release?.();
    }
  }

  async function loadFromDisk(tier: DiskTier<R>, key: string, revive: Revive<V, R>): Promise<void> {
    const record = await tier.read(key);
    const entry = record === null ? null : await revive(record);
    // The value may have been generated while the disk was read.
    if (entry === null || get(key) !== null) return;
    if (now() - entry.generatedAt >= lifeMs) return;
    if (entry.about !== null && invalidations.removedSince([entry.about], entry.generatedAt)) return;
    const invalidated = entry.invalidated || invalidations.since(entry.tags, entry.generatedAt);
    positive.set(key, { ...entry, invalidated }, entry.generatedAt);
    onEvent({ kind: 'loaded-from-disk', key });
  }

  function invalidate(tags: readonly string[]): void {
    failedAt.clear();
    for (const store of [positive, negative]) {
      if (tags.includes(EVERYTHING)) store.invalidateAll();
      else for (const tag of tags) store.invalidate(tag);
    }
  }

  async function revalidateQueued(
    key: string,
    generate: (signal: AbortSignal) => Promise<Generated<V, R>>,
  ): Promise<void> {
    queued.delete(key);
    const isFresh = (get(key)?.ttlMs ?? 1) > 0;
    if (isFresh || generations.has(key) || !isRevalidatable(key)) return;
    // The event tells of a failure.
    await revalidate(key, generate).catch(() => {});
  }

  return {
    get,
    revalidate,
    peek: key => positive.peek(key)?.entry ?? null,

    async load(key, revive) {
      const cached = get(key);
      if (cached || !disk) return cached;
      await diskLoads.run(key, () => loadFromDisk(disk, key, revive));
      return get(key);
    },

    revalidateInBackground(key, generate) {
      if (queued.has(key) || generations.has(key) || !isRevalidatable(key)) return;
      queued.add(key);
      void background.add(() => revalidateQueued(key, generate));
    },

    replaceValue(key, before, after) {
      positive.replaceValue(key, before, after);
      negative.replaceValue(key, before, after);
    },

    invalidate,
    remove(tags) {
      const keys = tags.flatMap(tag => positive.keysAbout(tag));
      for (const key of keys) removeKey(key);
      if (keys.length > 0) void shared?.remove(keys);
      invalidate(tags);
    },

    isInFlight: key => generations.has(key),
    idle: () => generations.idle(),
    get size() {
      return { positive: positive.size, negative: negative.size };
    },
    get inFlight() {
      return generations.size;
    },
    *entries() {
      for (const [key, { entry, isInvalidated }] of positive.slots())
        yield { key, entry, isFresh: !isInvalidated && now() - entry.generatedAt < ttlMs };
    },
    timeToFirstExpiryMs() {
      let oldest = Number.POSITIVE_INFINITY;
      for (const [, { entry }] of positive.slots()) oldest = Math.min(oldest, entry.generatedAt);
      return oldest === Number.POSITIVE_INFINITY ? null : oldest + lifeMs - now();
    },
  };
}

function markedInvalidated<T extends Generated<unknown>>(generated: T): T {
  return generated.kind === 'moved'
    ? generated
    : { ...generated, entry: { ...generated.entry, invalidated: true } };
}
