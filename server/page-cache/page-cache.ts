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
import type { PageEncoding } from './encodings.ts';
import {
  addEncoding,
  missingEncoding,
  type PageRecord,
  pageEntryOf,
  type StoredPage,
  sizeOfPage,
} from './stored-page.ts';

/** A stored page, as a request finds it. */
export type CachedPage = Cached<StoredPage>;
/** What came of rendering a page. */
export type GeneratedPage = Generated<StoredPage, PageRecord>;

export interface PageCacheOptions {
  maxBytes: number;
  /** How long a page is fresh, in ms. */
  ttlMs: number;
  /** How long after that it may be served while the backend fails, in ms. */
  staleIfErrorMs: number;
  invalidations: InvalidationLog;
  disk?: DiskTier<PageRecord>;
  /** Headers of every answer of the site, which stored pages carry, too. */
  commonHeaders: readonly (readonly [name: string, value: string])[];
  mayRevalidate?: () => boolean;
  isBackendUp?: () => boolean;
  isOverload?: (error: unknown) => boolean;
  /** Runs the compression of a page: metrics time it. */
  compressing?: <T>(work: () => Promise<T>) => Promise<T>;
  onEvent?: (event: StaleCacheEvent) => void;
  /** The clock, in ms. */
  now?: () => number;
  /** The second encoding of a page waits at most this long for a moment in which no page is rendered, in ms. */
  maxEncodingWaitMs?: number;
}

/** Rendered pages: a stale cache whose values are pages, each in the encodings that visitors take. */
export interface PageCache extends StaleCache<StoredPage, PageRecord> {
  /** @returns what memory or the disk has and may be served. */
  loadPage(key: string): Promise<CachedPage | null>;
  /** @returns the page with an encoding, compressed once for all who ask, and stored if the page still is. */
  withEncoding(key: string, page: StoredPage, encoding: PageEncoding): Promise<StoredPage>;
  readonly commonHeaders: PageCacheOptions['commonHeaders'];
}

/** Pages that do not exist may take this many bytes. */
const MAX_NEGATIVE_BYTES = 8 * 1024 * 1024;
/** A page that does not exist may be published at any time. */
const NEGATIVE_TTL_MS = 10_000;
const MAX_ENCODING_WAIT_MS = 1_000;

/** @returns an empty cache of rendered pages. */
export function createPageCache(options: PageCacheOptions): PageCache {
  const { ttlMs, commonHeaders, onEvent = () => {}, maxEncodingWaitMs = MAX_ENCODING_WAIT_MS } = options;
  const { compressing = work => work() } = options;
  const compressions = new SingleFlight();
  /** The keys of pages that lack an encoding, and since when they wait for it, on the clock of `performance`. */
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
   * One page at a time, while no page is being rendered: visitors wait for renders. Under a steady stream of them a page waits no longer
   * than its time.
   */
  async function encodeWaiting(): Promise<void> {
    isEncoding = true;
    for (const [key, since] of waiting) {
      const leftMs = since + maxEncodingWaitMs - performance.now();
      if (leftMs > 0) await Promise.race([cache.idle(), delay(leftMs, undefined, { ref: false })]);
      waiting.delete(key);
      const page = cache.peek(key)?.value;
      const encoding = page && missingEncoding(page);
      // A visitor who asks for that encoding tries again, and hears of the error.
      if (page && encoding) await withEncoding(key, page, encoding).catch(() => {});
    }
    isEncoding = false;
  }

  async function withEncoding(key: string, page: StoredPage, encoding: PageEncoding): Promise<StoredPage> {
    if (page.encodings[encoding] !== null) return page;
    const flight = `${encoding} ${page.etag} ${key}`;
    return compressions.run(flight, async () => {
      const complete = await compressing(() => addEncoding(page, encoding));
      cache.replaceValue(key, page, complete);
      return complete;
    });
  }

  return Object.assign(cache, {
    loadPage: (key: string) => cache.load(key, async record => pageEntryOf(record, commonHeaders)),
    withEncoding,
    commonHeaders,
  });
}
