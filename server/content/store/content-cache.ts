import type { DiskTier } from '../../cache/disk/disk-tier.ts';
import type { NegativeEntries } from '../../cache/disk/negative-entries.ts';
import type { SharedTier } from '../../cache/shared-tier.ts';
import { type CacheSize, createStaleCache } from '../../cache/stale-cache.ts';
import { EVERYTHING, type InvalidationLog } from '../../cache/tags/invalidation-log.ts';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import type { LossGuard } from '../changes/loss-guard.ts';
import type { ContentRequest } from '../requests/content-request.ts';
import { createContentEntries } from './content-entries.ts';
import { createContentLoad } from './content-loads.ts';
import { ContentReads, type ReadOptions } from './content-reads.ts';
import type { ContentRecord } from './content-record.ts';
import type { LoadFailure } from './content-states.ts';
import { createNegatives } from './negative-content.ts';
import {
  type ContentEntry,
  contentBytes,
  type StoredContent,
  unpacked,
  withValue,
} from './stored-content.ts';

export interface ContentCacheOptions {
  maxBytes: number;
  ttlMs: number;
  staleIfErrorMs: number;
  invalidatedWaitMs?: number | undefined;
  invalidations: InvalidationLog;
  disk?: DiskTier<ContentRecord>;
  negatives?: NegativeEntries;
  shared?: SharedTier<ContentRecord>;
  /** Distinguishes an emptied backend from an edited one. Without it, every response is accepted. */
  losses?: Pick<LossGuard, 'recall' | 'confirm' | 'loaded' | 'isAbsenceAccepted' | 'isHeld'>;
  log: Logger;
  onLoaded?: (request: ContentRequest<object | null>, failure: LoadFailure | null) => void;
  onEvict?: (key: string) => void;
  now?: () => number;
}

export type ContentCache = ReturnType<typeof createContentCache>;

const MAX_NEGATIVE_BYTES = 1024 * 1024;

export function createContentCache(options: ContentCacheOptions) {
  const { ttlMs, staleIfErrorMs, log, onLoaded, onEvict, now = steadyNow } = options;
  const { maxBytes, invalidations, disk, shared, losses } = options;
  const lifeMs = ttlMs + staleIfErrorMs;
  const negatives = createNegatives({ kept: options.negatives, shared, invalidations, lifeMs, now });
  let loadedFromOthers = 0;
  const cache = createStaleCache<StoredContent, ContentRecord>({
    maxBytes,
    ttlMs,
    staleIfErrorMs,
    invalidatedWaitMs: options.invalidatedWaitMs,
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
  const entries = createContentEntries({ cache, disk, losses, invalidations, lifeMs, onKnown, log, now });
  const load = createContentLoad({ entries, negatives, disk, losses, ttlMs, onLoaded, now });
  const reads = new ContentReads({ cache, entries, load, negatives, invalidations, now });

  // The cast is safe: a key belongs to one request, so its entries have that request's type.
  return {
    /**
     * Returns the same object for unchanged responses. @throws BackendError if the load fails and no older
     * content exists; the reader's abort reason.
     */
    read: async <T extends object | null>(request: ContentRequest<T>, readOptions: ReadOptions) =>
      withValue(await reads.read(request, readOptions)) as ContentEntry<T>,
    peek: <T extends object | null>(key: string) => {
      const entry = cache.peek(key);
      return entry && (withValue(entry) as ContentEntry<T>);
    },
    /** Whether a key is in memory at any age. `peek` is slower, because it unpacks the value. */
    has: (key: string) => cache.peek(key) !== null,
    decidedBy: (name: string) => cache.keysOf(name).flatMap(key => cache.peek(key)?.value.decides ?? []),
    count: (name: string) => cache.keysOf(name).length,
    values: (name: string) => cache.keysOf(name).map(key => unpacked(cache.peek(key)?.value.value ?? null)),
    /** Loads stale content again; invalidate the tags first. @throws BackendError or the signal's reason. */
    renew: (names: readonly string[], readOptions: ReadOptions) =>
      Promise.all(
        [...new Set(names.flatMap(cache.keysOf))].flatMap(key => {
          const before = cache.peek(key);
          return before ? [reads.renewed(before, readOptions)] : [];
        }),
      ),
    isFresh: (key: string) => (cache.get(key)?.ttlMs ?? 0) > 0,
    /** Makes the next read of any content load it again and write a record that the disk may lack. */
    loadAgain() {
      cache.writeAgain();
      cache.invalidate([EVERYTHING]);
    },
    async restore(matches: (key: string) => boolean) {
      const keys = (await disk?.restore(matches)) ?? [];
      cache.forget(keys);
      return keys.length;
    },
    keepNegatives: negatives.keep,
    /** Loads content from disk. @returns whether memory has all of it and some of it is not empty. */
    async loadFromDisk(requests: readonly ContentRequest<object | null>[]) {
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
    get size(): CacheSize {
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
