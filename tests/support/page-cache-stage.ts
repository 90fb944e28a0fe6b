import { createInvalidation } from '../../server/cache/tags/invalidation.ts';
import { InvalidationLog } from '../../server/cache/tags/invalidation-log.ts';
import { createCacheStatus } from '../../server/http/cache-status.ts';
import type { Encoding } from '../../server/http/request/accept-encoding.ts';
import {
  createPageCache,
  type GeneratedPage,
  type PageCacheOptions,
} from '../../server/page-cache/page-cache.ts';
import {
  createStoredPage,
  type PageRecord,
  pageRecordOf,
  type StoredPage,
} from '../../server/page-cache/stored-page.ts';
import { deepFreeze } from './deep-freeze.ts';
import { memoryDisk } from './stale-cache-stage.ts';

export const COMMON_HEADERS = [['X-Content-Type-Options', 'nosniff']] as const;

/**
 * Creates a page cache with a disk tier in memory. Its pages are really compressed, and its entries are
 * frozen.
 */
export function startPageCache(options: Partial<PageCacheOptions> = {}) {
  const invalidations = new InvalidationLog();
  const { files, disk } = memoryDisk<PageRecord>();
  const cache = createPageCache({
    maxBytes: 1_000_000,
    ttlMs: 60_000,
    staleIfErrorMs: 600_000,
    invalidations,
    disk,
    commonHeaders: COMMON_HEADERS,
    cacheStatus: createCacheStatus(null, 'build'),
    ...options,
  });

  /** @returns the outcome of rendering a page with one encoding. */
  async function rendered(
    text: string,
    encoding: Encoding = 'br',
    status: 200 | 404 = 200,
  ): Promise<Extract<GeneratedPage, { kind: 'entry' }>> {
    const value = await createStoredPage(
      {
        ...{ status, route: 'page', contentVersion: text },
        body: Buffer.from(`<p>${text}</p>`.repeat(500)),
        headers: [['Content-Type', 'text/html']],
      },
      encoding,
      COMMON_HEADERS,
    );
    const entry = deepFreeze({
      ...{ value, tags: ['pages:1', 'settings'], about: 'pages:1', generatedAt: Date.now() },
      invalidated: false,
    });
    return {
      kind: 'entry',
      entry,
      isNegative: status === 404,
      servedStale: false,
      record: () => pageRecordOf(entry),
    };
  }

  return {
    cache,
    files,
    rendered,
    /** Renders and stores a page with one encoding. @returns the stored page. */
    async store(key: string, text: string, encoding?: Encoding): Promise<StoredPage> {
      const outcome = await rendered(text, encoding);
      await cache.revalidate(key, async () => outcome);
      return outcome.entry.value;
    },
    /** Starts a render that stays in flight. @returns a function that ends it. */
    occupy(key: string): () => Promise<void> {
      const { promise, resolve } = Promise.withResolvers<GeneratedPage>();
      const waiting = cache.revalidate(key, () => promise);
      return async () => {
        resolve({ kind: 'moved' });
        await waiting;
      };
    },
    invalidation: createInvalidation(invalidations, [cache]),
    encodings: (key: string) => encodingsOf(cache.peek(key)?.value),
  };
}

/** @returns the names of a page's encodings. */
export function encodingsOf(page: StoredPage | undefined): string[] {
  return Object.entries(page?.encodings ?? {}).flatMap(([name, body]) => (body === null ? [] : [name]));
}
