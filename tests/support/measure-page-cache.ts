/**
 * Fills a page cache with pages and prints, as JSON, the bytes that it counts and the bytes by which the process has grown. Started by a
 * test in a process of its own, with `--expose-gc`.
 */
import { createInvalidationLog } from '../../server/cache/invalidation-log.ts';
import { createPageCache } from '../../server/page-cache/page-cache.ts';
import { pageHead, type StoredPage } from '../../server/page-cache/stored-page.ts';

const PAGES = 20_000;
/** Bytes of each encoding. */
const BODY_BYTES = Number(process.argv[2]);
const COMMON = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
] as const;

/** @returns a text of its own, as one that was read from the network: not a chain of parts, and shared with no other. */
const own = (text: string) => Buffer.from(text).toString('latin1');

/** A buffer of just its size, as `compress` makes it. */
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
    ['Cache-Control', 'public, max-age=0, must-revalidate'],
    ['Cache-Tag', own(`articles:${index},articles,categories,settings`)],
    ['Surrogate-Key', own(`articles:${index} articles categories settings`)],
    ['ETag', etag],
  ] as const;
  return {
    ...{ status: 200, route: 'blog-article', etag, identityBytes: 4 * BODY_BYTES },
    head: pageHead(COMMON, fields),
    encodings: { br: body(index), gzip: body(index + 1) },
    contentVersion: own(String(index).padStart(22, 'v')),
  };
}

const tagsOf = (index: number) => [
  own(`articles:${index}`),
  own(`categories:${index % 50}`),
  ...['articles', 'settings', 'categories', 'socials', 'redirects'],
];

/** @returns the bytes of all objects and buffers that are in use. */
async function usedBytes(): Promise<number> {
  const { gc } = globalThis;
  if (!gc) throw new Error('Start with --expose-gc');
  // Backing stores of buffers are given back some time after the collection that found them unused.
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
  invalidations: createInvalidationLog(),
  commonHeaders: COMMON,
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

// The first pages compile the code and make the tables that are there once.
await fill(-500, 0);
const before = { usedBytes: await usedBytes(), countedBytes: cache.size.positive.bytes };
await fill(0, PAGES);
const grownBytes = (await usedBytes()) - before.usedBytes;
const countedBytes = cache.size.positive.bytes - before.countedBytes;
const { entries } = cache.size.positive;
console.log(JSON.stringify({ entries, grownBytes, countedBytes, ratio: grownBytes / countedBytes }));
