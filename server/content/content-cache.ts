import type { JsonAnswer } from '../backend/backend-client.ts';
import type { DiskTier } from '../cache/disk-tier.ts';
import type { CacheEntry } from '../cache/entry-store.ts';
import type { Generated } from '../cache/generated.ts';
import type { Invalidatable } from '../cache/invalidation.ts';
import { EVERYTHING, type InvalidationLog } from '../cache/invalidation-log.ts';
import type { Absence, KeptAbsences } from '../cache/kept-absences.ts';
import { revalidateStale } from '../cache/revalidate-stale.ts';
import type { SharedTier } from '../cache/shared-tier.ts';
import { type CacheSize, createStaleCache } from '../cache/stale-cache.ts';
import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { countsAsEmpty, emptyAnswer, isAbsent } from './answer-meaning.ts';
import { malformed } from './content-calls.ts';
import { createContentEntries } from './content-entries.ts';
import type { ContentRecord } from './content-record.ts';
import type { Ask, ContentRequest, ReadContent } from './content-request.ts';
import type { LoadFailure } from './content-states.ts';
import { createAbsences } from './kept-absence.ts';
import type { LossGuard } from './losses/loss-guard.ts';
import { unpacked } from './packed-json.ts';
import {
  type ContentEntry,
  contentBytes,
  type RenewedContent,
  type StoredContent,
  withValue,
} from './stored-content.ts';

/** The outcome of one read, for the log, the metrics and `Server-Timing`. */
export type ContentReadEvent =
  | { kind: 'hit' | 'miss'; key: string }
  /** The content was read from memory, whatever its age, without a call to the backend: error pages read in this way. */
  | { kind: 'peeked'; key: string }
  /** Another reader was already loading the same content, and this reader waited for that load. */
  | { kind: 'joined'; key: string }
  /** The load failed, and older content was served, or a kept absence. */
  | { kind: 'stale'; key: string }
  | { kind: 'failed'; key: string; error: unknown };

export interface ContentCacheOptions {
  /** Bound of all decoded values in bytes. */
  maxBytes: number;
  /** How long content is fresh, in ms. */
  ttlMs: number;
  /** How long stale content may be served while the backend fails, in ms. */
  staleIfErrorMs: number;
  invalidations: InvalidationLog;
  disk?: DiskTier<ContentRecord>;
  /** The absences that stored pages depend on. Without them none are kept. */
  absences?: KeptAbsences;
  shared?: SharedTier<ContentRecord>;
  /** Tells an emptied backend from an edited one. Without it every answer is believed. */
  losses?: Pick<LossGuard, 'recall' | 'confirm' | 'loaded' | 'isAbsenceTaken' | 'isHeld'>;
  log: Logger;
  /** Called at the end of each load that was not aborted. `failure` is null for content that was loaded. */
  onLoaded?: (request: ContentRequest<object | null>, failure: LoadFailure | null) => void;
  /** Called with each key that is evicted to make room. */
  onEvict?: (key: string) => void;
  /** The clock, in ms. */
  now?: () => number;
}

export interface ReadOptions {
  /** Calls the backend under a signal. */
  ask: (call: string, signal: AbortSignal) => Promise<JsonAnswer>;
  /** The reader's signal. Its abort ends this reader's wait; the load is aborted when no reader waits for it. */
  signal: AbortSignal;
  onEvent: (event: ContentReadEvent) => void;
  /**
   * Whether the page is complete without this content, such as a breadcrumb. A kept absence then stands in when the load fails. Without
   * it a failed load is an error, because content that a page is made of may have been published since.
   */
  isOptional?: boolean;
  /** Whether the backend is asked even for content that is fresh: only its answer ends the state of a type that is down. */
  evenIfFresh?: boolean;
  /** Whether the content was refused, and the page cannot be made without it: the backend is asked again, at most once a second for each type. */
  asksAgain?: boolean;
}

/** A cache of decoded content, with one load at a time for each request. */
export interface ContentCache extends Invalidatable {
  /**
   * @returns fresh content, or content from before when the load fails. Unchanged answers give the same object and are not decoded again, unless it is provisional.
   * @throws BackendError when the load fails and no stale content may be served; the reader's abort reason.
   */
  read<T extends object | null>(request: ContentRequest<T>, options: ReadOptions): Promise<ContentEntry<T>>;
  /** @returns whether a read would be answered from memory. */
  isFresh(key: string): boolean;
  /** @returns whether an entry is in memory, whatever its age. It costs less than `peek`, which unpacks the value. */
  has(key: string): boolean;
  /**
   * Loads all content in memory with one of the tags again. Invalidate the tags before: content that is fresh is not loaded.
   *
   * @throws BackendError or the signal's reason when one of the loads fails.
   */
  renew(names: readonly string[], options: ReadOptions): Promise<readonly RenewedContent[]>;
  /** @returns the names of the tags that the content in memory with a tag decides. */
  decidedBy(name: string): readonly string[];
  /** @returns how many pieces of content in memory carry a tag, whatever their age. */
  count(name: string): number;
  /** @returns the content in memory that carries a tag, whatever its age. Unpacks each value: thousands take tens of ms. */
  values(name: string): readonly (object | null)[];
  /** @returns the entry in memory, whatever its age, without loading anything. */
  peek<T extends object | null>(key: string): ContentEntry<T> | null;
  /** Makes the next read of each piece of content load it and write its record: the records on disk may have been lost. */
  loadAgain(): void;
  /** Brings back the records of keys that were removed within a day, for the next reads. @returns how many. */
  restore(matches: (key: string) => boolean): Promise<number>;
  /** Keeps the absences of content that a stored page depends on, for a process that starts while the backend is down. */
  keepAbsences(absences: readonly Absence[]): void;
  /**
   * Loads content from disk into memory, without the backend.
   *
   * @returns whether all of it is in memory now, and some of it is more than content that counts as empty.
   */
  loadFromDisk(requests: readonly ContentRequest<object | null>[]): Promise<boolean>;
  readonly size: CacheSize;
  /** How much older content has come from other processes. */
  readonly loadedFromOthers: number;
  /** Loads in flight. */
  readonly loading: number;
}

type GeneratedContent = Extract<Generated<StoredContent, ContentRecord>, { kind: 'entry' }>;

/** A refused type is asked again at most once in so many ms, whatever the number of visitors. */
const ASK_AGAIN_MS = 1_000;
/** Memory for negative entries (content that does not exist), in bytes. */
const MAX_NEGATIVE_BYTES = 1024 * 1024;

/** @returns an empty cache. */
export function createContentCache(options: ContentCacheOptions): ContentCache {
  const { ttlMs, staleIfErrorMs, log, onLoaded, onEvict, now = steadyNow } = options;
  const { maxBytes, invalidations, disk, shared, losses } = options;
  const lifeMs = ttlMs + staleIfErrorMs;
  const absences = createAbsences({ kept: options.absences, shared, invalidations, lifeMs, now });
  /** When refused types were asked again, by their paths. */
  const askedAgainAt = new Map<string, number>();
  let loadedFromOthers = 0;
  const cache = createStaleCache<StoredContent, ContentRecord>({
    ...{ maxBytes, ttlMs, staleIfErrorMs, invalidations, now },
    ...(disk ? { disk } : {}),
    ...(shared ? { shared } : {}),
    sizeOf: contentBytes,
    versionOf: ({ version }) => version,
    isNegative: ({ value }) => value === null,
    negative: { maxBytes: MAX_NEGATIVE_BYTES, ttlMs, servesStale: true },
    onEvent({ kind, key }) {
      if (kind === 'loaded-from-others') loadedFromOthers += 1;
      if (kind === 'evicted' || kind === 'negative-evicted') onEvict?.(key);
    },
  });

  const { decodeEntry, revive, reviveShared, olderOf, confirmLoss } = createContentEntries({
    cache,
    disk,
    losses,
    invalidations,
    lifeMs,
    onKnown: absences.remove,
    log,
    now,
  });

  /** Loads content. Content that was never known and that the backend refuses may count as empty. */
  async function generate(
    request: ContentRequest<object | null>,
    ask: Ask,
    readOther: ReadContent,
    signal: AbortSignal,
  ): Promise<GeneratedContent> {
    const loadedAt = now();
    const startedAt = performance.now();
    try {
      if (disk && losses) await losses.recall(disk.keys);
      const [fetched, endsAt] = await Promise.all([
        request.fetch(ask, readOther),
        // Without the moment the content is right for as long as any other.
        request.endsAt?.(readOther).catch(() => null) ?? null,
      ]);
      const generatedAt = generatedBefore(loadedAt, endsAt);
      const { entry, answers, isBroken } = await decodeEntry(request, fetched, generatedAt);
      // An entry whose row is broken is a 404 only if it was never known.
      const isKnownEntry = isBroken && (await olderOf(request))?.value.value;
      if (isKnownEntry) throw malformed(request.type, 'the row lacks its id or a required field');
      const isLoss = await confirmLoss(request, entry.value.rows, startedAt, ask);
      losses?.loaded(request.type);
      if (entry.value.value !== null) absences.remove(request.key);
      // An entry may load while its type is emptied.
      if (!losses?.isHeld(request.type.path)) onLoaded?.(request, null);
      // A record may wait for minutes. The texts alone take a quarter of the memory of the answers.
      const texts = answers.map(({ text }) => text);
      const record = ({ invalidated }: CacheEntry<StoredContent>) => ({
        generatedAt,
        answers: texts,
        invalidated: invalidated || undefined,
      });
      return generated(entry, record, isLoss);
    } catch (error) {
      if (signal.aborted) throw error;
      const older = await olderOf(request);
      const wasLoaded = older !== null && older.value.emptyBecause === null;
      const isTaken =
        wasLoaded && isAbsent(request.type, error) && losses?.isAbsenceTaken(request.type) === true;
      const isKnown = wasLoaded && !isTaken;
      onLoaded?.(request, { error, isKnown, isTaken });
      if (isKnown || !countsAsEmpty(request.type, error)) throw error;
      const { call, status } = error;
      const answer = emptyAnswer(request.type);
      const generatedAt = loadedAt;
      const { entry } = await decodeEntry(request, [answer], generatedAt, error);
      const empty = { call, status: status ?? 0 };
      const record = () => ({ generatedAt, answers: [answer.text], empty });
      // Other processes may know what this one has never loaded.
      return { ...generated(entry, record, wasLoaded), isLocal: true };
    }
  }

  /**
   * Content that changes at a moment is stored as if it had been generated earlier, so that its time to live ends then, and with it that of
   * everything that is made from it.
   *
   * @param loadedAt by the cache's clock. @param endsAt by the system's clock, in ms since the epoch, or null.
   */
  function generatedBefore(loadedAt: number, endsAt: number | null): number {
    if (endsAt === null) return loadedAt;
    return Math.min(loadedAt, now() + endsAt - Date.now() - ttlMs);
  }

  async function read(
    request: ContentRequest<object | null>,
    { ask, signal, onEvent, isOptional = false, asksAgain = false, ...options }: ReadOptions,
  ): Promise<CacheEntry<StoredContent>> {
    signal.throwIfAborted();
    const { key } = request;
    const evenIfFresh = options.evenIfFresh || (asksAgain && mayAskAgain(request.type.path));
    const cached = evenIfFresh ? null : cache.get(key);
    if (cached && cached.ttlMs > 0) {
      onEvent({ kind: 'hit', key });
      return cached.entry;
    }
    const load = (own: AbortSignal) => {
      const inside = { ask, signal: own, onEvent: () => {} };
      // A key belongs to one request, so its entry has the type of that request's values.
      const readOther = async (other: ContentRequest<object | null>) =>
        withValue(await read(other, inside)).value.value;
      return generate(request, call => ask(call, own), readOther as ReadContent, own);
    };
    const stale = request.isServedStale && !evenIfFresh ? await readStale(request, load) : null;
    if (stale) {
      onEvent({ kind: 'hit', key });
      return stale;
    }
    onEvent({ kind: cache.isInFlight(key) ? 'joined' : 'miss', key });
    try {
      const loaded = await cache.revalidate(
        key,
        load,
        signal,
        evenIfFresh ? undefined : reviveShared(request),
      );
      // The permission is back. What else was refused need not wait for a second each.
      if (asksAgain && evenIfFresh && !loaded.entry.value.emptyBecause) cache.invalidate([request.type.path]);
      return loaded.entry;
    } catch (error) {
      if (signal.aborted) throw error;
      onEvent({ kind: 'failed', key, error });
      // `generate` has loaded older content from disk. Look again: a removal may have deleted it since.
      const older =
        cache.get(key)?.entry ?? (isOptional ? await absences.entryOf(request, revive(request)) : null);
      if (!older) throw error;
      onEvent({ kind: 'stale', key });
      return older;
    }
  }

  function mayAskAgain(path: string): boolean {
    const isDue = now() - (askedAgainAt.get(path) ?? Number.NEGATIVE_INFINITY) >= ASK_AGAIN_MS;
    if (isDue) askedAgainAt.set(path, now());
    return isDue;
  }

  /**
   * Reads content that is served stale, from memory or disk. Only after an invalidation a reader waits for a moment, because an editor looks
   * for the change.
   */
  async function readStale(
    request: ContentRequest<object | null>,
    load: (own: AbortSignal) => Promise<GeneratedContent>,
  ): Promise<CacheEntry<StoredContent> | null> {
    const known = await cache.load(request.key, revive(request));
    if (!known) return null;
    const waitMs = known.entry.invalidated ? known.waitMs : 0;
    const found = { ...known, waitMs };
    return (await revalidateStale(cache, request.key, found, load, reviveShared(request)))?.entry ?? null;
  }

  async function renewed(
    before: CacheEntry<StoredContent>,
    readOptions: ReadOptions,
  ): Promise<RenewedContent> {
    const { request } = before.value;
    for (;;) {
      const mark = invalidations.mark();
      const entry = await read(request, readOptions);
      if (!entry.invalidated) return { before, entry };
      // A load that was overtaken by one more invalidation is repeated. A load that has failed is not.
      if (invalidations.mark() === mark)
        throw new BackendError('unreachable', request.key, 'the content could not be loaded again');
    }
  }

  // A key belongs to one request, so its entries have the type of that request's values.
  return {
    read: async <T extends object | null>(request: ContentRequest<T>, readOptions: ReadOptions) =>
      withValue(await read(request, readOptions)) as ContentEntry<T>,
    peek: <T extends object | null>(key: string) => {
      const entry = cache.peek(key);
      return entry && (withValue(entry) as ContentEntry<T>);
    },
    has: key => cache.peek(key) !== null,
    decidedBy: name => cache.keysOf(name).flatMap(key => cache.peek(key)?.value.decides ?? []),
    count: name => cache.keysOf(name).length,
    values: name => cache.keysOf(name).map(key => unpacked(cache.peek(key)?.value.value ?? null)),
    renew: (names, readOptions) =>
      Promise.all(
        [...new Set(names.flatMap(cache.keysOf))].flatMap(key => {
          const before = cache.peek(key);
          return before ? [renewed(before, readOptions)] : [];
        }),
      ),
    isFresh: key => (cache.get(key)?.ttlMs ?? 0) > 0,
    loadAgain() {
      cache.writeAgain();
      cache.invalidate([EVERYTHING]);
    },
    async restore(matches) {
      const keys = (await disk?.restore(matches)) ?? [];
      cache.forget(keys);
      return keys.length;
    },
    keepAbsences: absences.keep,
    async loadFromDisk(requests) {
      await Promise.all(
        requests.map(request => cache.peek(request.key) ?? cache.load(request.key, revive(request))),
      );
      const found = requests.map(({ key }) => cache.peek(key));
      return found.every(entry => entry !== null) && found.some(entry => entry?.value.emptyBecause === null);
    },
    invalidate: cache.invalidate,
    remove: cache.remove,
    expireAll: cache.expireAll,
    versionsOf: cache.versionsOf,
    namesBelow: cache.namesBelow,
    get size() {
      const { positive, negative } = cache.size;
      return { bytes: positive.bytes + negative.bytes, entries: positive.entries + negative.entries };
    },
    get loadedFromOthers() {
      return loadedFromOthers;
    },
    get loading() {
      return cache.inFlight;
    },
  };
}

function generated(
  entry: CacheEntry<StoredContent>,
  record: GeneratedContent['record'],
  keepsOld: boolean,
): GeneratedContent {
  return {
    kind: 'entry',
    entry,
    isNegative: entry.value.value === null,
    servedStale: false,
    record,
    keepsOld,
    parts: entry.value.parts,
  };
}
