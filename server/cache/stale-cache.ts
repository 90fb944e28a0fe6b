import PQueue from 'p-queue';
import { boundedMap } from '../ops/bounded-map.ts';
import { inSlices } from '../ops/slices.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import type { DiskTier } from './disk/disk-tier.ts';
import { type CacheEntry, EntryStore, type EntryStoreOptions } from './entry-store.ts';
import { asInvalidated, type Generated, type GeneratedEntry, mayBeStale, type Revive } from './generated.ts';
import { createSharedGeneration, type Start } from './shared-generation.ts';
import type { SharedTier } from './shared-tier.ts';
import { SingleFlight } from './single-flight.ts';
import { EVERYTHING, type InvalidationLog } from './tags/invalidation-log.ts';

export type StaleCacheEvent =
  | {
      kind: 'stored' | 'evicted' | 'negative-evicted' | 'loaded-from-disk' | 'loaded-from-others' | 'removed';
      key: string;
    }
  /** A value was not stored, because a tag was invalidated during its generation. */
  | { kind: 'outdated'; key: string }
  | { kind: 'revalidation-failed'; key: string; error: unknown };

export interface StaleCacheOptions<V, R>
  extends Pick<EntryStoreOptions<V>, 'maxBytes' | 'sizeOf' | 'onDropped'> {
  /** @returns a text that changes with the value. An unchanged value is not written to disk again. */
  versionOf: (value: V) => string;
  /** How long an entry is fresh, in ms (RFC 9111, 4.2). */
  ttlMs: number;
  /** How long a stale entry may be served while the backend fails, in ms (RFC 5861, 4). */
  staleIfErrorMs: number;
  /** How long readers wait after an invalidation, in ms, because an editor may look for the change. */
  invalidatedWaitMs?: number | undefined;
  /** Options of negative entries. They have a separate store, so that they never evict positive entries. */
  negative: { maxBytes: number; ttlMs: number; servesStale: boolean };
  isNegative?: (value: V) => boolean;
  invalidations: InvalidationLog;
  disk?: DiskTier<R>;
  shared?: SharedTier<R>;
  /** Whether the backend answers. Otherwise stale entries are served without revalidation. */
  isBackendUp?: () => boolean;
  /** Whether an error means overload. Overload says nothing about the entry, so it causes no back-off. */
  isOverload?: (error: unknown) => boolean;
  onEvent?: (event: StaleCacheEvent) => void;
  now?: () => number;
}

export interface Cached<V> {
  entry: CacheEntry<V>;
  /** The time for which the entry stays fresh, in ms; zero or negative for a stale entry. */
  ttlMs: number;
  /** How long a reader should wait for a revalidation, in ms. */
  waitMs: number;
}

export type StaleCache<V, R> = ReturnType<typeof createStaleCache<V, R>>;

export interface CacheSize {
  bytes: number;
  entries: number;
}

const OLD_TTLS = 10;
const OLD_WAIT_MS = 300;
const INVALIDATED_WAIT_MS = 1_000;
/** With this many generations in flight, no reader waits: the backend hangs, or many visitors are reading. */
const MANY_IN_FLIGHT = 16;
const REVALIDATION_BACK_OFF_MS = 1_000;
const MAX_FAILED_KEYS = 10_000;
/** Limit for revalidations at a time. More would delay responses to visitors. */
const BACKGROUND_REVALIDATIONS = 4;
/** How often an unchanged entry is written again within `staleIfErrorMs`, so that its record stays young. */
export const REWRITES_PER_LIFE = 10;

function hasCome(date: number | null | undefined, time: number): boolean {
  return date !== null && date !== undefined && time >= date;
}

/** An LRU cache with stale-while-revalidate (RFC 5861) above a disk tier and a shared tier. */
export function createStaleCache<V, R>(options: StaleCacheOptions<V, R>) {
  const { maxBytes, sizeOf, versionOf, ttlMs, staleIfErrorMs, negative: negativeOptions } = options;
  const { invalidations, disk, shared, now = steadyNow, onEvent = () => {} } = options;
  const { isBackendUp = () => true, isOverload = () => false } = options;
  const { isNegative = () => false, onDropped, invalidatedWaitMs = INVALIDATED_WAIT_MS } = options;
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
  const stores = [positive, negative];
  const generations = new SingleFlight();
  const loads = new SingleFlight();
  const failedAt = boundedMap<number>(MAX_FAILED_KEYS);
  const background = new PQueue({ concurrency: BACKGROUND_REVALIDATIONS });
  const queued = new Set<string>();
  /** Entries generated before this time are stale, in ms since the epoch. */
  let expiredAt = Number.NEGATIVE_INFINITY;
  const lifeMs = ttlMs + staleIfErrorMs;

  const isYoung = ({ generatedAt }: CacheEntry<V>) =>
    generatedAt > expiredAt && generatedAt <= now() && now() - generatedAt < ttlMs;
  const sharing = shared
    ? createSharedGeneration<V, R>({
        tier: shared,
        invalidations,
        isYoung,
        asExpired: entry => ({ ...entry, generatedAt: Math.min(entry.generatedAt, now() - ttlMs) }),
        isNegative,
        lifeMs,
        negativeLifeMs: negativeOptions.ttlMs,
      })
    : null;
  const isRevalidatable = (key: string) =>
    isBackendUp() && now() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) >= REVALIDATION_BACK_OFF_MS;

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
    // An entry from the future was stored under a wrong clock, so its age is unknown.
    const left = isInvalidated || age < 0 ? Math.min(freshMs - age, -1) : freshMs - age;
    if (left > 0) return { entry, ttlMs: left, waitMs: 0 };
    // Check dates only here: a value is stale from its next date on, so a fresh value needs no check.
    if (hasCome(entry.withdrawnAt, time)) return null;
    const isOld = age > freshMs * OLD_TTLS;
    const hasChanged = isInvalidated || hasCome(entry.endsAt, time);
    const waitMs = hasChanged ? invalidatedWaitMs : isOld ? OLD_WAIT_MS : 0;
    // Return a copy with the present state, so that a page made of it is stale from the start.
    const stale =
      (isInvalidated && !entry.invalidated) || isExpired
        ? { ...entry, invalidated: isInvalidated, generatedAt: time - age }
        : entry;
    const mayWait = waitMs > 0 && generations.size < MANY_IN_FLIGHT && isRevalidatable(key);
    return { entry: stale, ttlMs: left, waitMs: mayWait ? waitMs : 0 };
  }

  /**
   * @returns whether the value was invalidated during its generation. Such a value is stored as stale if no
   *   other value is stored (decision 108).
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

  /** Stores a value. An outdated one counts as unwritten, so that the next value is written even if equal. */
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

  /** Stores a negative entry. It is fresh for `negative.ttlMs` at most, and no longer than its content. */
  function storeNegative(key: string, { entry, record }: GeneratedEntry<V, R>, start: Start): void {
    if (record) disk?.softDelete(key);
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

  /**
   * Generates and stores a value, once for all simultaneous readers. A reader who comes after an
   * invalidation never gets a value whose generation began before the invalidation.
   * @param generate gets a signal that aborts when the last reader leaves.
   * @param revive turns a record of the shared tier into an entry. Without it, that tier is not used.
   * @throws the error of `generate`; the reader's abort reason.
   */
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
      // Use a later generation's value if there is one, because this value is outdated for the reader.
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
      // Do not store the value of an aborted generation, because it could replace a later value.
      const isOutdated = !signal.aborted && store(key, generated, start);
      return { generated: isOutdated ? asInvalidated(generated) : generated, start };
    } catch (error) {
      if (!signal.aborted && !isOverload(error) && positive.peek(key)) {
        // Skip the back-off if an invalidation came meanwhile, so that the next reader revalidates at once.
        if (invalidations.mark() === start.mark) failedAt.set(key, now());
        onEvent({ kind: 'revalidation-failed', key, error });
      }
      throw error;
    }
  }

  async function loadFromDisk(tier: DiskTier<R>, key: string, revive: Revive<V, R>): Promise<void> {
    const record = await tier.read(key);
    const entry = record === null ? null : await revive(record);
    // Skip the record if a value was generated during the read.
    if (entry === null || isNegative(entry.value) || find(key, false) !== null) return;
    if (now() - entry.generatedAt >= lifeMs) return;
    if (entry.about !== null && invalidations.removedSince([entry.about], entry.generatedAt)) return;
    const invalidated = entry.invalidated || invalidations.since(entry.tags, entry.generatedAt);
    positive.set(key, { ...entry, invalidated }, entry.generatedAt);
    onEvent({ kind: 'loaded-from-disk', key });
  }

  async function loadFromOthers(key: string, revive: Revive<V, R>): Promise<void> {
    const found = await sharing?.load(key, revive);
    if (!found || find(key, false) !== null) return;
    if (now() - found.entry.generatedAt >= lifeMs) return;
    const { entry, record } = found;
    positive.set(key, entry, entry.generatedAt);
    disk?.write(key, () => record);
    onEvent({ kind: 'loaded-from-others', key });
  }

  function invalidate(tags: readonly string[]): void {
    failedAt.clear();
    for (const store of stores) {
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
    // Ignore the error: it was reported as `revalidation-failed`, or it is an overload.
    await revalidate(key, generate, undefined, revive).catch(() => {});
  }

  return {
    /** @returns the entry in memory if it may be served. `isRead` counts it for `invalidatedByReads`. */
    get: (key: string, isRead = true) => find(key, isRead),
    revalidate,
    /** @returns the positive entry in memory, of any age, without counting a read. */
    peek: (key: string) => positive.peek(key)?.entry ?? null,

    /** @returns the entry from memory, disk or shared tier, if it may be served. Rejects as `revive` does. */
    async load(key: string, revive: Revive<V, R>) {
      const cached = find(key, true);
      if (cached) return cached;
      // During an outage, look even for a record listed as absent: another process may have written it.
      const looksOnDisk = disk !== undefined && !(isBackendUp() && disk.isAbsent(key));
      if (!looksOnDisk && !sharing) return null;
      await loads.run(key, async () => {
        if (looksOnDisk) await loadFromDisk(disk, key, revive);
        if (find(key, false) === null) await loadFromOthers(key, revive);
      });
      return find(key, true);
    },

    /** Revalidates in the background, unless the key has just failed. Resolves at the end. */
    async revalidateInBackground(
      key: string,
      generate: (signal: AbortSignal) => Promise<Generated<V, R>>,
      revive?: Revive<V, R>,
    ) {
      if (queued.has(key) || generations.has(key) || !isRevalidatable(key)) return;
      queued.add(key);
      await background.add(() => revalidateQueued(key, generate, revive));
    },
    /** @returns the keys of invalidated entries read in the last ten minutes, those with most reads first. */
    invalidatedByReads: (most: number) => inSlices(positive.invalidatedByReads(now(), most)),

    replaceValue(key: string, before: V, after: V) {
      for (const store of stores) store.replaceValue(key, before, after);
    },

    forget(keys: readonly string[]) {
      for (const key of keys) for (const store of stores) store.delete(key);
    },
    /** Makes the next revalidation of each entry write a record, because the disk may have lost it. */
    writeAgain: () => positive.forgetWrites(),
    invalidate,
    expireAll() {
      failedAt.clear();
      expiredAt = now();
    },
    remove(tags: readonly string[]) {
      const keys = tags.flatMap(tag => positive.keysAbout(tag));
      for (const key of keys) removeKey(key);
      if (keys.length > 0) void shared?.remove(keys);
      invalidate(tags);
    },

    keysOf: (name: string) => positive.index.keysOf(name),
    versionsOf: (name: string) => new Set(stores.flatMap(({ index }) => [...index.versionsOf(name)])),
    namesBelow: (name: string) => stores.flatMap(({ index }) => index.namesBelow(name)),
    isInFlight: (key: string) => generations.has(key),
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
    /** The time until the oldest entry may not be served, in ms. Null without entries. */
    timeToFirstExpiryMs() {
      const oldest = positive.oldestGeneratedAt;
      return oldest === null ? null : oldest + lifeMs - now();
    },
  };
}
