import PQueue from 'p-queue';
import { boundedMap } from '../ops/bounded-map.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { inSlices } from '../ops/turns.ts';
import type { DiskTier } from './disk-tier.ts';
import { type CacheEntry, EntryStore } from './entry-store.ts';
import { asInvalidated, type Generated, type GeneratedEntry, mayBeStale, type Revive } from './generated.ts';
import type { Invalidatable } from './invalidation.ts';
import { EVERYTHING, type InvalidationLog } from './invalidation-log.ts';
import { createSharedGeneration, type SharedGeneration, type Start } from './shared-generation.ts';
import type { SharedTier } from './shared-tier.ts';
import { SingleFlight } from './single-flight.ts';

/** An event of the cache, for metrics and for tests. */
export type StaleCacheEvent =
  | {
      kind: 'stored' | 'evicted' | 'negative-evicted' | 'loaded-from-disk' | 'loaded-from-others' | 'removed';
      key: string;
    }
  /** One of the value's tags was invalidated during its generation, and the value was not stored. */
  | { kind: 'outdated'; key: string }
  | { kind: 'revalidation-failed'; key: string; error: unknown };

/** The bounds of negative entries, which stand for content that does not exist. */
export interface NegativeOptions {
  maxBytes: number;
  /** How long a negative entry is fresh, in ms. */
  ttlMs: number;
  /** Whether negative entries may be served stale, as positive ones may. */
  servesStale: boolean;
}

export interface StaleCacheOptions<V, R> {
  maxBytes: number;
  /** @returns a value's bytes in memory. */
  sizeOf: (value: V) => number;
  /** @returns a text that changes with the value. An unchanged value is not written to disk again. */
  versionOf: (value: V) => string;
  /** How long an entry is fresh, in ms (RFC 9111, 4.2). */
  ttlMs: number;
  /** How long a stale entry may be served while the backend fails, in ms (RFC 5861, 4). */
  staleIfErrorMs: number;
  /** Negative entries have a partition of their own, so that a million wrong addresses evict no positive entry. */
  negative: NegativeOptions;
  /** @returns whether a value that another process has generated is a negative one. By default none is. */
  isNegative?: (value: V) => boolean;
  invalidations: InvalidationLog;
  /** Keeps records across restarts. */
  disk?: DiskTier<R>;
  /** Shares records with other processes. */
  shared?: SharedTier<R>;
  /** Whether the backend may be called now. While it may not, stale entries are served without an attempt to revalidate them. */
  mayRevalidate?: () => boolean;
  /** Whether the backend answered the last calls. While it does not, no reader waits for the revalidation of an old entry. */
  isBackendUp?: () => boolean;
  /** Whether an error means that this process is overloaded. The entry is not the cause of such an error, so it gets no back-off. */
  isOverload?: (error: unknown) => boolean;
  onEvent?: (event: StaleCacheEvent) => void;
  /** Called with each value that leaves the memory. */
  onDropped?: (value: V) => void;
  /** The clock, in ms. */
  now?: () => number;
}

/** A stored entry that may be served. */
export interface Cached<V> {
  entry: CacheEntry<V>;
  /** The time for which the entry is still fresh, in ms; zero or negative for a stale entry. */
  ttlMs: number;
  /** How long a reader should wait for a revalidation before the stale entry is served, in ms; 0 for no wait. */
  waitMs: number;
}

export interface StaleCache<V, R> extends Invalidatable {
  /** @returns the entry in memory, if it may be served. The read is counted for `invalidatedByReads`. */
  get(key: string): Cached<V> | null;
  /** @returns the keys of the invalidated entries in memory that were read in the last ten minutes, `most` of them, most reads first. */
  invalidatedByReads(most: number): Promise<readonly string[]>;
  /** @returns the positive entry in memory, whatever its age, without counting the read as a use. */
  peek(key: string): CacheEntry<V> | null;
  /** @returns the entry in memory, on disk or in the shared tier, if it may be served. Rejects when `revive` rejects. */
  load(key: string, revive: Revive<V, R>): Promise<Cached<V> | null>;
  /**
   * Generates a value, once for all readers who ask at the same time, and stores it. A generation that began before an invalidation
   * must not answer a reader who asked after it: the value is generated again.
   *
   * @param generate gets a signal that is aborted when the last reader has left.
   * @param signal the reader's signal.
   * @param revive turns a record of the shared tier into an entry. Without it the shared tier is not used.
   * @throws what `generate` throws; the reader's abort reason.
   */
  revalidate<T extends Generated<V, R>>(
    key: string,
    generate: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
    revive?: Revive<V, R>,
  ): Promise<T | GeneratedEntry<V, R>>;
  /** Revalidates a stale entry without a waiting reader, a few entries at a time. A key that has just failed is skipped. Resolves at the end. */
  revalidateInBackground(
    key: string,
    generate: (signal: AbortSignal) => Promise<Generated<V, R>>,
    revive?: Revive<V, R>,
  ): Promise<void>;
  /** Forgets entries in memory, so that the next read loads their records. */
  forget(keys: readonly string[]): void;
  /** Makes the next revalidation of each entry write its record: the records on disk may have been lost. */
  writeAgain(): void;
  /** Replaces a value by another form of it, if the value is still stored, and measures its size again. */
  replaceValue(key: string, before: V, after: V): void;
  /** @returns the keys of the positive entries in memory that carry a tag of a name. */
  keysOf(name: string): readonly string[];
  /** @returns whether a value is being generated for a key. */
  isInFlight(key: string): boolean;
  readonly size: { positive: CacheSize; negative: CacheSize };
  /** How many values are being generated. */
  readonly inFlight: number;
  /** Most recently used first. */
  entries(): IterableIterator<{ key: string; entry: CacheEntry<V>; isFresh: boolean }>;
  /** @returns the time until the first entry may no longer be served, in ms and up to a second too short; null when nothing is stored. */
  timeToFirstExpiryMs(): number | null;
}

export interface CacheSize {
  bytes: number;
  entries: number;
}

/** From an age of this many ttls a stale entry counts as old: a reader waits up to OLD_WAIT_MS for a fresh one. */
const OLD_TTLS = 10;
const OLD_WAIT_MS = 300;
/** How long readers wait for a fresh entry after an invalidation, in ms: an editor looks for the change. */
const INVALIDATED_WAIT_MS = 1_000;
/** A key whose revalidation failed is not revalidated again for this many ms. */
const REVALIDATION_BACK_OFF_MS = 1_000;
/** Most failed keys that are remembered for the back-off. */
const MAX_FAILED_KEYS = 10_000;
/** Entries revalidated in the background at a time. There are few, because visitors wait for other work of the process. */
const BACKGROUND_REVALIDATIONS = 4;
/** How many times in `staleIfErrorMs` an unchanged entry is written to disk again, so that its record does not get too old. */
export const REWRITES_PER_LIFE = 10;
/**
 * @returns an empty stale-while-revalidate cache (RFC 5861): an LRU store in memory, bounded by bytes, with tags by which its entries are
 *   invalidated, over a disk tier and a shared tier.
 */
export function createStaleCache<V, R>(options: StaleCacheOptions<V, R>): StaleCache<V, R> {
  const { maxBytes, sizeOf, versionOf, ttlMs, staleIfErrorMs, negative: negativeOptions } = options;
  const { invalidations, disk, shared, now = steadyNow, onEvent = () => {} } = options;
  const { mayRevalidate = () => true, isBackendUp = () => true, isOverload = () => false } = options;
  const { isNegative = () => false, onDropped } = options;
  const positive = new EntryStore<V>({
    maxBytes,
    sizeOf,
    onEvict: key => onEvent({ kind: 'evicted', key }),
    onDropped,
  });
  const negative = new EntryStore<V>({
    maxBytes: negativeOptions.maxBytes,
    sizeOf,
    onEvict: key => onEvent({ kind: 'negative-evicted', key }),
    onDropped,
  });
  const generations = new SingleFlight();
  const loads = new SingleFlight();
  const failedAt = boundedMap<number>(MAX_FAILED_KEYS);
  const background = new PQueue({ concurrency: BACKGROUND_REVALIDATIONS });
  const queued = new Set<string>();
  /** Entries that were generated until then are stale, in ms since the epoch. */
  let expiredAt = Number.NEGATIVE_INFINITY;
  const lifeMs = ttlMs + staleIfErrorMs;

  const isYoung = ({ generatedAt }: CacheEntry<V>) =>
    generatedAt > expiredAt && generatedAt <= now() && now() - generatedAt < ttlMs;
  const sharing = shared
    ? createSharedGeneration<V, R>({
        ...{ tier: shared, invalidations, isYoung, isNegative, lifeMs },
        negativeLifeMs: negativeOptions.ttlMs,
      })
    : null;
  const isRevalidatable = (key: string) =>
    mayRevalidate() && now() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) >= REVALIDATION_BACK_OFF_MS;

  /** @param isRead whether a reader asks. A revalidation is no read. */
  function find(key: string, isRead: boolean): Cached<V> | null {
    const slot = positive.get(key);
    const time = now();
    if (slot && isRead) positive.noteRead(slot, time);
    const cached = slot ? servable(key, slot.entry, slot.isInvalidated, ttlMs, time) : null;
    if (cached) return cached;
    const missing = negative.get(key);
    if (!missing) return null;
    const found = servable(key, missing.entry, missing.isInvalidated, negativeOptions.ttlMs, time);
    return found && (found.ttlMs > 0 || negativeOptions.servesStale) ? found : null;
  }

  function servable(
    key: string,
    entry: CacheEntry<V>,
    isInvalidated: boolean,
    freshMs: number,
    time: number,
  ): Cached<V> | null {
    const isExpired = entry.generatedAt <= expiredAt;
    const age = isExpired ? Math.max(freshMs, time - entry.generatedAt) : time - entry.generatedAt;
    if (age >= freshMs + staleIfErrorMs) return null;
    // An entry from the future was stored while the system's clock was wrong. Nobody knows how old it is, so it is stale.
    const left = isInvalidated || age < 0 ? Math.min(freshMs - age, -1) : freshMs - age;
    if (left > 0) return { entry, ttlMs: left, waitMs: 0 };
    const isOld = age > freshMs * OLD_TTLS && isBackendUp();
    const waitMs = isInvalidated ? INVALIDATED_WAIT_MS : isOld ? OLD_WAIT_MS : 0;
    // A page that is made of this content is stale from the start, too.
    const stale =
      (isInvalidated && !entry.invalidated) || isExpired
        ? { ...entry, invalidated: isInvalidated, generatedAt: time - age }
        : entry;
    return { entry: stale, ttlMs: left, waitMs: waitMs > 0 && isRevalidatable(key) ? waitMs : 0 };
  }

  /**
   * Stores a generated value. One that was invalidated during its generation is stored as stale where there is no other (decision 108).
   *
   * @returns whether it was invalidated.
   */
  function store(key: string, generated: Generated<V, R>, start: Start): boolean {
    failedAt.delete(key);
    if (generated.kind === 'moved') {
      removeKey(key);
      return false;
    }
    const isOutdated = invalidations.after(generated.entry.tags, start.mark);
    if (generated.kind === 'partial') failedAt.set(key, now());
    else if (maxBytes === 0) return isOutdated;
    else if (isOutdated && (find(key, false) || !mayBeStale(generated, invalidations, start.mark)))
      onEvent({ kind: 'outdated', key });
    else {
      if (generated.isNegative) storeNegative(key, generated, start);
      else storePositive(key, isOutdated ? asInvalidated(generated) : generated, isOutdated);
      if (generated.servedStale) failedAt.set(key, now());
    }
    return isOutdated;
  }

  /** @param isOutdated whether the value was invalidated during its generation. The next value is then written, even if it is equal. */
  function storePositive(
    key: string,
    { entry, record, keepsOld }: GeneratedEntry<V, R>,
    isOutdated: boolean,
  ): void {
    negative.delete(key);
    const before = positive.peek(key);
    const isUnchanged = before !== undefined && versionOf(before.entry.value) === versionOf(entry.value);
    const writtenAt = isUnchanged ? before.writtenAt : null;
    const isWritten =
      writtenAt !== null &&
      entry.generatedAt >= writtenAt &&
      entry.generatedAt - writtenAt <= staleIfErrorMs / REWRITES_PER_LIFE;
    positive.set(key, entry, isWritten ? writtenAt : record && !isOutdated ? entry.generatedAt : null);
    onEvent({ kind: 'stored', key });
    if (!isWritten && record) disk?.write(key, () => record(entry), keepsOld);
  }

  /** Stores a negative entry. It is fresh for `negative.ttlMs` from the start of its generation, and no longer than its content is fresh. */
  function storeNegative(key: string, { entry, record }: GeneratedEntry<V, R>, start: Start): void {
    if (record) disk?.setAside(key);
    removeFromMemory(key);
    const generatedAt = Math.min(start.at, entry.generatedAt + ttlMs - negativeOptions.ttlMs);
    negative.set(key, { ...entry, generatedAt }, null);
  }

  function removeKey(key: string): void {
    disk?.remove(key);
    removeFromMemory(key);
  }

  function removeFromMemory(key: string): void {
    if (!positive.peek(key)) return;
    positive.delete(key);
    onEvent({ kind: 'removed', key });
  }

  async function revalidate<T extends Generated<V, R>>(
    key: string,
    generate: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
    revive?: Revive<V, R>,
  ): Promise<T | GeneratedEntry<V, R>> {
    const askedMark = invalidations.mark();
    for (;;) {
      const { generated, start } = await generations.run(
        key,
        own => generateAndStore(key, generate, own, revive),
        signal,
      );
      const tags = generated.kind === 'moved' ? [] : generated.entry.tags;
      if (!invalidations.after(tags, start.mark) || invalidations.after(tags, askedMark)) return generated;
      // The value is outdated for this reader. A generation that began after the invalidation may have ended by now.
      const current = find(key, false);
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
    const start = { at: now(), mark: invalidations.mark(), position: invalidations.position() };
    try {
      const generated =
        sharing && revive
          ? await sharing.once(key, () => generate(signal), revive, start, signal)
          : await generate(signal);
      // An aborted generation has no readers. A later reader may have started another one, whose value must not be replaced.
      const isOutdated = !signal.aborted && store(key, generated, start);
      return { generated: isOutdated ? asInvalidated(generated) : generated, start };
    } catch (error) {
      if (!signal.aborted && !isOverload(error) && positive.peek(key)) {
        // A failure from before an invalidation must not hold up the first reader after it.
        if (invalidations.mark() === start.mark) failedAt.set(key, now());
        onEvent({ kind: 'revalidation-failed', key, error });
      }
      throw error;
    }
  }

  async function loadFromDisk(tier: DiskTier<R>, key: string, revive: Revive<V, R>): Promise<void> {
    const record = await tier.read(key);
    const entry = record === null ? null : await revive(record);
    // The value may have been generated during the read.
    if (entry === null || isNegative(entry.value) || find(key, false) !== null) return;
    if (now() - entry.generatedAt >= lifeMs) return;
    if (entry.about !== null && invalidations.removedSince([entry.about], entry.generatedAt)) return;
    const invalidated = entry.invalidated || invalidations.since(entry.tags, entry.generatedAt);
    positive.set(key, { ...entry, invalidated }, entry.generatedAt);
    onEvent({ kind: 'loaded-from-disk', key });
  }

  async function loadFromOthers(
    tier: SharedGeneration<V, R>,
    key: string,
    revive: Revive<V, R>,
  ): Promise<void> {
    const found = await tier.load(key, revive);
    if (found === null || find(key, false) !== null) return;
    if (now() - found.entry.generatedAt >= lifeMs) return;
    const { entry, record } = found;
    positive.set(key, entry, entry.generatedAt);
    disk?.write(key, () => record);
    onEvent({ kind: 'loaded-from-others', key });
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
    revive: Revive<V, R> | undefined,
  ): Promise<void> {
    queued.delete(key);
    const isFresh = (find(key, false)?.ttlMs ?? 1) > 0;
    if (isFresh || generations.has(key) || !isRevalidatable(key)) return;
    // `revalidation-failed` has reported the error. An overload is not reported.
    await revalidate(key, generate, undefined, revive).catch(() => {});
  }

  return {
    get: key => find(key, true),
    revalidate,
    peek: key => positive.peek(key)?.entry ?? null,

    async load(key, revive) {
      const cached = find(key, true);
      if (cached) return cached;
      // Another process may have written a record. It is worth a look while the value cannot be generated.
      const looksOnDisk = disk !== undefined && !(isBackendUp() && disk.isAbsent(key));
      if (!looksOnDisk && !sharing) return null;
      await loads.run(key, async () => {
        if (looksOnDisk) await loadFromDisk(disk, key, revive);
        if (sharing && find(key, false) === null) await loadFromOthers(sharing, key, revive);
      });
      return find(key, true);
    },

    async revalidateInBackground(key, generate, revive) {
      if (queued.has(key) || generations.has(key) || !isRevalidatable(key)) return;
      queued.add(key);
      await background.add(() => revalidateQueued(key, generate, revive));
    },
    invalidatedByReads: most => inSlices(positive.invalidatedByReads(now(), most)),

    replaceValue(key, before, after) {
      positive.replaceValue(key, before, after);
      negative.replaceValue(key, before, after);
    },

    forget(keys) {
      for (const key of keys) for (const store of [positive, negative]) store.delete(key);
    },
    writeAgain: () => positive.forgetWrites(),
    invalidate,
    expireAll() {
      failedAt.clear();
      expiredAt = now();
    },
    remove(tags) {
      const keys = tags.flatMap(tag => positive.keysAbout(tag));
      for (const key of keys) removeKey(key);
      if (keys.length > 0) void shared?.remove(keys);
      invalidate(tags);
    },

    keysOf: name => positive.keysOf(name),
    versionsOf: name => new Set([...positive.versionsOf(name), ...negative.versionsOf(name)]),
    namesBelow: name => [...positive.namesBelow(name), ...negative.namesBelow(name)],
    isInFlight: key => generations.has(key),
    get size() {
      return { positive: positive.size, negative: negative.size };
    },
    get inFlight() {
      return generations.size;
    },
    *entries() {
      for (const [key, { entry, isInvalidated }] of positive.slots())
        yield { key, entry, isFresh: !isInvalidated && isYoung(entry) };
    },
    timeToFirstExpiryMs() {
      const oldest = positive.oldestGeneratedAt;
      return oldest === null ? null : oldest + lifeMs - now();
    },
  };
}
