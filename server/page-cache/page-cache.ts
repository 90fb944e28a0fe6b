import { setTimeout as delay } from 'node:timers/promises';
import type { DiskTier } from '../cache/disk-tier.ts';
import type { InvalidationLog } from '../cache/invalidation-log.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import {
  type Cached,
  createStaleCache,
  type Generated,
  type StaleCache,
  type StaleCacheEvent,
} from '../cache/stale-cache.ts';
import type { SpareTime } from '../ops/spare-time.ts';
import type { PageEncoding } from './encodings.ts';
import {
  addEncoding,
  missingEncoding,
  type PageRecord,
  pageEntryOf,
  type StoredPage,
  sizeOfPage,
} from './stored-page.ts';

/** A stored page that may be served. */
export type CachedPage = Cached<StoredPage>;
/** The result of rendering a page. */
export type GeneratedPage = Generated<StoredPage, PageRecord>;

export interface PageCacheOptions {
  maxBytes: number;
  /** How long a page is fresh, in ms. */
  ttlMs: number;
  /** How long a stale page may be served while the backend fails, in ms. */
  staleIfErrorMs: number;
  invalidations: InvalidationLog;
  disk?: DiskTier<PageRecord>;
  /** The headers that every answer of the site has, stored pages included. */
  commonHeaders: readonly (readonly [name: string, value: string])[];
  mayRevalidate?: () => boolean;
  isBackendUp?: () => boolean;
  isOverload?: (error: unknown) => boolean;
  /** Runs the compression of a page, so that metrics can time it. */
  compressing?: <T>(work: () => Promise<T>) => Promise<T>;
  onEvent?: (event: StaleCacheEvent) => void;
  /** The clock, in ms. */
  now?: () => number;
  /** The longest wait before a page gets its second encoding while other pages are being rendered, in ms. */
  maxEncodingWaitMs?: number;
  /** Resolves when visitors leave room for the compression of a second encoding. */
  spareTime?: SpareTime;
}

/** A stale cache of rendered pages, each in the encodings that browsers accept. */
export interface PageCache extends StaleCache<StoredPage, PageRecord> {
  /** @returns the page in memory or on disk, if it may be served. */
  loadPage(key: string): Promise<CachedPage | null>;
  /** @returns the page with one more encoding, compressed once for all callers. The cache gets it if it still has the page. */
  withEncoding(key: string, page: StoredPage, encoding: PageEncoding): Promise<StoredPage>;
  readonly commonHeaders: PageCacheOptions['commonHeaders'];
  /** @returns how many pages wait for their second encoding. */
  encodingsWaiting(): number;
}

/** Memory for negative entries (404 pages), in bytes. */
const MAX_NEGATIVE_BYTES = 8 * 1024 * 1024;
/** How long a 404 is fresh, in ms. It is short because the page may be published at any time. */
const NEGATIVE_TTL_MS = 10_000;
const MAX_ENCODING_WAIT_MS = 5_000;

/** @returns an empty cache of rendered pages. */
export function createPageCache(options: PageCacheOptions): PageCache {
  const { ttlMs, commonHeaders, onEvent = () => {}, maxEncodingWaitMs = MAX_ENCODING_WAIT_MS } = options;
  const { compressing = work => work(), spareTime = async () => {} } = options;
  const compressions = new SingleFlight();
  /** The keys of pages that lack an encoding, and the time from which they have waited, by `performance.now`. */
  const waiting = new Map<string, number>();
  let isEncoding = false;
  const cache = createStaleCache<StoredPage, PageRecord>({
    ...options,
    sizeOf: sizeOfPage,
    versionOf: ({ etag, contentVersion }) => etag + contentVersion,
    negative: {
      maxBytes: MAX_NEGATIVE_BYTES,
      ttlMs: Math.min(NEGATIVE_TTL_MS, ttlMs),
      servesStale: false,
    },
    onEvent(event) {
      onEvent(event);
      if (event.kind === 'stored' || event.kind === 'loaded-from-disk') encodeLater(event.key);
    },
  });

  function encodeLater(key: string): void {
    const page = cache.peek(key)?.value;
    if (!page || missingEncoding(page) === null) return;
    if (!waiting.has(key)) waiting.set(key, performance.now());
    if (!isEncoding) void encodeWaiting();
  }

  /**
   * Adds missing encodings, one page at a time. Each page waits until nothing is being rendered, because visitors wait for renders, but
   * no longer than `maxEncodingWaitMs`, and then until visitors leave room.
   */
  async function encodeWaiting(): Promise<void> {
    isEncoding = true;
    for (const [key, since] of waiting) {
      const leftMs = since + maxEncodingWaitMs - performance.now();
      if (leftMs > 0) await Promise.race([cache.idle(), delay(leftMs, undefined, { ref: false })]);
      await spareTime();
      waiting.delete(key);
      const page = cache.peek(key)?.value;
      const encoding = page && missingEncoding(page);
      // The error is ignored here. A request for this encoding compresses the page again and reports the error.
      if (page && encoding) await withEncoding(key, page, encoding).catch(() => {});
    }
    isEncoding = false;
  }

  async function withEncoding(key: string, page: StoredPage, encoding: PageEncoding): Promise<StoredPage> {
    if (page.encodings[encoding] !== null) return page;
    const flight = `${encoding} ${page.etag} ${key}`;
    return compressions.run(flight, async () => {
      const encoded = await compressing(() => addEncoding(page, encoding));
      cache.replaceValue(key, page, encoded);
      return encoded;
    });
  }

  return Object.assign(cache, {
    loadPage: (key: string) => cache.load(key, async record => pageEntryOf(record, commonHeaders)),
    withEncoding,
    commonHeaders,
    encodingsWaiting: () => waiting.size,
  });
}
