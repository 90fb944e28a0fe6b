/**
 * Fills a page cache with pages. Prints as JSON the counted bytes, and the growth of the process. A test runs
 * this file in a separate process, with `--expose-gc`.
 */

import { InvalidationLog } from '../../server/cache/tags/invalidation-log.ts';
import { createCacheStatus } from '../../server/http/cache-status.ts';
import { createPageCache } from '../../server/page-cache/page-cache.ts';
import { pageHead } from '../../server/page-cache/page-head.ts';
import type { StoredPage } from '../../server/page-cache/stored-page.ts';

const PAGES = 20_000;
/** Least size of each encoding, in bytes. */
const BODY_BYTES = Number(process.argv[2]);
const COMMON = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
] as const;

/**
 * @returns a flat copy of a text, as if read from the network. V8 would otherwise keep a chain of parts, or
 *   share the text.
 */
const own = (text: string) => Buffer.from(text).toString('latin1');

/** @returns a buffer with memory of exactly its size, as `compress` returns it. */
const body = (index: number) => Buffer.allocUnsafeSlow(BODY_BYTES + (index % 200)).fill(index);

function pageOf(index: number): StoredPage {
  const etag = own(`W/"${String(index).padStart(22, 'e')}"`);
  const fields = [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Link', own(`</assets/${index}-main.js>; rel=modulepreload, </assets/${index}-page.css>; rel=preload`)],
    [
      'Content-Security-Policy',
      own(`default-src 'self'; script-src 'self' 'sha256-${index}'`.padEnd(400, 'x')),
    ],
    ['Cache-Control', 'public, max-age=0, s-maxage=60'],
    ['Surrogate-Key', own(`articles:${index} articles categories settings`)],
  ] as const;
  return {
    ...{ status: 200, route: 'blog-article', etag, identityBytes: 4 * BODY_BYTES },
    head: pageHead(COMMON, fields),
    encodings: { br: body(index), gzip: body(index + 1), identity: null },
    contentVersion: own(String(index).padStart(22, 'v')),
  };
}

const tagsOf = (index: number) => [
  own(`articles:${index}`),
  own(`categories:${index % 50}`),
  ...['articles', 'settings', 'categories', 'socials', 'redirects'],
];

/** @returns the size of all live objects and buffers, in bytes. */
async function usedBytes(): Promise<number> {
  const { gc } = globalThis;
  if (!gc) throw new Error('Start with --expose-gc');
  // V8 frees the memory of unused buffers some time after the collection that finds them.
  for (let round = 0; round < 5; round++) {
    gc();
    await new Promise(resolve => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const cache = createPageCache({
  maxBytes: 1024 ** 3,
  ttlMs: 3_600_000,
  staleIfErrorMs: 3_600_000,
  invalidations: new InvalidationLog(),
  commonHeaders: COMMON,
  cacheStatus: createCacheStatus(null, 'build'),
});

async function fill(from: number, to: number): Promise<void> {
  for (let index = from; index < to; index++) {
    const entry = {
      ...{ value: pageOf(index), tags: tagsOf(index), about: own(`articles:${index}`) },
      ...{ generatedAt: Date.now(), invalidated: false },
    };
    const key = own(`page https://www.example.com/blog/guides/article-number-${index}`);
    await cache.revalidate(key, async () => ({
      ...{ kind: 'entry', entry, isNegative: false, servedStale: false, record: null },
    }));
  }
}

// The first pages compile the code and create tables that exist once.
await fill(-500, 0);
const before = { usedBytes: await usedBytes(), countedBytes: cache.size.positive.bytes };
await fill(0, PAGES);
const grownBytes = (await usedBytes()) - before.usedBytes;
const countedBytes = cache.size.positive.bytes - before.countedBytes;
const { entries } = cache.size.positive;
console.log(JSON.stringify({ entries, grownBytes, countedBytes, ratio: grownBytes / countedBytes }));
