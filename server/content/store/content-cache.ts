import type { DiskTier } from '../../cache/disk/disk-tier.ts';
import type { NegativeEntries, NegativeEntry } from '../../cache/disk/negative-entries.ts';
import type { SharedTier } from '../../cache/shared-tier.ts';
import { type CacheSize, createStaleCache } from '../../cache/stale-cache.ts';
import type { Invalidatable } from '../../cache/tags/invalidation.ts';
import { EVERYTHING, type InvalidationLog } from '../../cache/tags/invalidation-log.ts';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import type { LossGuard } from '../changes/loss-guard.ts';
import type { ContentRequest } from '../requests/content-request.ts';
import { ContentEntries } from './content-entries.ts';
import { ContentLoads } from './content-loads.ts';
import { ContentReads, type ReadOptions } from './content-reads.ts';
import type { ContentRecord } from './content-record.ts';
import type { LoadFailure } from './content-states.ts';
import { createNegatives } from './negative-content.ts';
import { unpacked } from './packed-json.ts';
import {
  type ContentEntry,
  contentBytes,
  type RenewedContent,
  type StoredContent,
  withValue,
} from './stored-content.ts';

export interface ContentCacheOptions {
  maxBytes: number;
  ttlMs: number;
  /** How long stale content may be served while the backend fails, in ms. */
  staleIfErrorMs: number;
  invalidations: InvalidationLog;
  disk?: DiskTier<ContentRecord>;
  /** The negative entries that stored pages depend on. */
  negatives?: NegativeEntries;
  shared?: SharedTier<ContentRecord>;
  /** Distinguishes an emptied backend from an edited one. Without it, every answer is accepted. */
  losses?: Pick<LossGuard, 'recall' | 'confirm' | 'loaded' | 'isAbsenceAccepted' | 'isHeld'>;
  log: Logger;
  onLoaded?: (request: ContentRequest<object | null>, failure: LoadFailure | null) => void;
  onEvict?: (key: string) => void;
  now?: () => number;
}

export interface ContentCache extends Invalidatable {
  /**
   * Returns the same object for unchanged answers. @throws BackendError without older content; the reader's
   * abort reason.
   */
  read<T extends object | null>(request: ContentRequest<T>, options: ReadOptions): Promise<ContentEntry<T>>;
  isFresh(key: string): boolean;
  /** Whether a key is in memory at any age. `peek` is slower, because it unpacks the value. */
  has(key: string): boolean;
  /** Loads stale content; invalidate the tags first. @throws BackendError or the signal's reason. */
  renew(names: readonly string[], options: ReadOptions): Promise<readonly RenewedContent[]>;
  decidedBy(name: string): readonly string[];
  /** @returns the number of entries in memory with a tag, at any age. */
  count(name: string): number;
  /** Unpacks each value with the tag, which takes tens of ms for thousands. */
  values(name: string): readonly (object | null)[];
  peek<T extends object | null>(key: string): ContentEntry<T> | null;
  /** Makes the next read of any content load it again and write a record: the disk may have lost records. */
  loadAgain(): void;
  /** Restores records removed within a day. @returns how many. */
  restore(matches: (key: string) => boolean): Promise<number>;
  /** Keeps the negative entries of a stored page, for a start during an outage. */
  keepNegatives(negatives: readonly NegativeEntry[]): void;
  /** Loads content from disk. @returns whether memory has all of it and some of it is not empty. */
  loadFromDisk(requests: readonly ContentRequest<object | null>[]): Promise<boolean>;
  readonly size: CacheSize;
  readonly loadedFromOthers: number;
  readonly loading: number;
}

const MAX_NEGATIVE_BYTES = 1024 * 1024;

export function createContentCache(options: ContentCacheOptions): ContentCache {
  const { ttlMs, staleIfErrorMs, log, onLoaded, onEvict, now = steadyNow } = options;
  const { maxBytes, invalidations, disk, shared, losses } = options;
  const lifeMs = ttlMs + staleIfErrorMs;
  const negatives = createNegatives({ kept: options.negatives, shared, invalidations, lifeMs, now });
  let loadedFromOthers = 0;
  const cache = createStaleCache<StoredContent, ContentRecord>({
    maxBytes,
    ttlMs,
    staleIfErrorMs,
    invalidations,
    now,
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
  const onKnown = negatives.remove;
  const entries = new ContentEntries({ cache, disk, losses, invalidations, lifeMs, onKnown, log, now });
  const loads = new ContentLoads({ entries, negatives, disk, losses, ttlMs, onLoaded, now });
  const reads = new ContentReads({ cache, entries, loads, negatives, invalidations, now });

  // The cast is safe: a key belongs to one request, so its entries have that request's type.
  return {
    read: async <T extends object | null>(request: ContentRequest<T>, readOptions: ReadOptions) =>
      withValue(await reads.read(request, readOptions)) as ContentEntry<T>,
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
          return before ? [reads.renewed(before, readOptions)] : [];
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
    keepNegatives: negatives.keep,
    async loadFromDisk(requests) {
      await Promise.all(
        requests.map(request => cache.peek(request.key) ?? cache.load(request.key, entries.revive(request))),
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
