import { LRUCache } from 'lru-cache';
import type { Generated } from '../cache/generated.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { type Cached, createStaleCache, type StaleCacheOptions } from '../cache/stale-cache.ts';
import type { CacheStatus } from '../http/cache-status.ts';
import type { Fields } from '../http/ready-head.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { ownTick } from '../ops/slices.ts';
import type { SpareTime } from '../ops/spare-time.ts';
import type { PageEncoding } from './encodings.ts';
import {
  addEncoding,
  identityOf,
  laterRecord,
  type PageRecord,
  pageEntryOf,
  type StoredPage,
  sizeOfPage,
} from './stored-page.ts';

export type CachedPage = Cached<StoredPage>;
export type GeneratedPage = Generated<StoredPage, PageRecord>;

export interface PageCacheOptions
  extends Omit<
    StaleCacheOptions<StoredPage, PageRecord>,
    'sizeOf' | 'versionOf' | 'negative' | 'isNegative' | 'onDropped' | 'shared'
  > {
  commonHeaders: Fields;
  cacheStatus: CacheStatus;
  compressing?: <T>(work: () => Promise<T>) => Promise<T>;
  spareTime?: SpareTime;
}

export type PageCache = ReturnType<typeof createPageCache>;

const MAX_NEGATIVE_BYTES = 8 * 1024 * 1024;
/** How long a 404 is fresh, in ms. The page may be published at any time. */
const NEGATIVE_TTL_MS = 10_000;
const LIKELY_ENCODING = 'br';

export function createPageCache(options: PageCacheOptions) {
  const { ttlMs, commonHeaders, cacheStatus, onEvent = () => {} } = options;
  const { compressing = work => work(), spareTime = async () => {} } = options;
  const compressions = new SingleFlight();
  const waiting = new Set<string>();
  let isCompressing = false;
  const decoded = new DecodedBodies();
  const cache = createStaleCache<StoredPage, PageRecord>({
    ...options,
    sizeOf: sizeOfPage,
    versionOf: ({ etag, contentVersion }) => etag + contentVersion,
    negative: {
      maxBytes: MAX_NEGATIVE_BYTES,
      ttlMs: Math.min(NEGATIVE_TTL_MS, ttlMs),
      servesStale: false,
    },
    onDropped: page => decoded.forget(page),
    onEvent(event) {
      onEvent(event);
      if (event.kind === 'stored' || event.kind === 'loaded-from-disk') compressLater(event.key);
      else if (event.kind === 'evicted') waiting.delete(event.key);
    },
  });

  function compressLater(key: string): void {
    if (!cache.peek(key)?.value.encodings.identity) return;
    waiting.add(key);
    if (!isCompressing) void compressWaiting();
  }

  async function compressWaiting(): Promise<void> {
    isCompressing = true;
    for (const key of waiting) {
      await spareTime();
      await ownTick();
      waiting.delete(key);
      const page = cache.peek(key)?.value;
      // Ignore the error: a request for this encoding compresses again, and reports it.
      if (page?.encodings.identity) await withEncoding(key, page, LIKELY_ENCODING).catch(() => {});
    }
    isCompressing = false;
  }

  /** @returns the page with a further encoding, compressed once for all callers. */
  async function withEncoding(key: string, page: StoredPage, encoding: PageEncoding): Promise<StoredPage> {
    if (page.encodings[encoding] !== null) return page;
    const flight = `${encoding} ${page.etag} ${key}`;
    return compressions.run(flight, async () => {
      const encoded = await compressing(() => addEncoding(page, encoding));
      cache.replaceValue(key, page, encoded);
      return encoded;
    });
  }

  /** Writes all pages to a disk that may have lost them. Revalidation would write only visited pages. */
  function writeAll(): void {
    cache.writeAgain();
    for (const { key, entry } of cache.entries())
      options.disk?.write(key, () => laterRecord(cache, key)(entry));
  }

  return Object.assign(cache, {
    writeAll,
    loadPage: (key: string) => cache.load(key, async record => pageEntryOf(record, commonHeaders)),
    withEncoding,
    decoded,
    commonHeaders,
    cacheStatus,
    encodingsWaiting: () => waiting.size,
  });
}

const MAX_DECODED_BYTES = 32 * 1024 * 1024;

/**
 * Uncompressed bodies by ETag, for clients without compression (decision 060). A body is stored at its second
 * request, so that a crawler that reads each page once evicts none.
 */
export class DecodedBodies {
  readonly #bodies = new LRUCache<string, Buffer>({
    maxSize: MAX_DECODED_BYTES,
    sizeCalculation: own => own.length,
  });
  readonly #askedOnce = boundedMap<true>(10_000);

  get size() {
    return { bytes: this.#bodies.calculatedSize, entries: this.#bodies.size };
  }

  of(page: StoredPage): Buffer | Promise<Buffer> {
    return page.encodings.identity ?? this.#bodies.get(page.etag) ?? this.#decode(page);
  }

  forget({ etag }: StoredPage): void {
    this.#bodies.delete(etag);
    this.#askedOnce.delete(etag);
  }

  async #decode(page: StoredPage): Promise<Buffer> {
    const isAskedAgain = this.#askedOnce.has(page.etag);
    this.#askedOnce.set(page.etag, true);
    const body = await identityOf(page);
    // Check again, because the page may have been replaced meanwhile.
    if (isAskedAgain && this.#askedOnce.has(page.etag)) this.#bodies.set(page.etag, body);
    return body;
  }
}
