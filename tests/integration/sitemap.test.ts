import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { parseSitemap, parseSitemapIndex } from 'sitemap';
import { describe, expect } from 'vitest';
import { SITEMAP_LIMITS } from '../../server/endpoints/sitemap.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, failing } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { inFull } from '../support/in-full.ts';
import { manyArticles } from '../support/many-articles.ts';
import { patient } from '../support/patience.ts';
import { sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';

/** Gives each test a data folder that several processes can share. */
const it = backendTest.extend('dataDir', async ({}, { onCleanup }) => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'sitemap-'));
  // A site may still write a record during the removal of its folder.
  onCleanup(() => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
  return dir;
});

/** The real limits in a full test run, smaller ones otherwise. */
const LIMITS = inFull ? SITEMAP_LIMITS : { addresses: 500, bytes: 400_000, partAddresses: 100 };
const overrides = { sitemapLimits: LIMITS };
const LONG = { timeout: patient(30_000) };

const read = (url: string, path = '/sitemap.xml', headers: Record<string, string> = {}) =>
  sendRequest(url, path, { headers });

async function addressesIn(body: Buffer): Promise<string[]> {
  return (await parseSitemap(Readable.from([body]))).map(({ url }) => new URL(url).pathname);
}

async function partsIn(body: Buffer): Promise<string[]> {
  return (await parseSitemapIndex(Readable.from([body]))).map(({ url }) => new URL(url).pathname);
}

const articlePaths = (addresses: readonly string[]) =>
  addresses.filter(path => path.startsWith('/blog/guides/'));

/** @returns the calls that read the addresses of articles. */
const addressCalls = (backend: FakeBackend) =>
  backend.calls.filter(({ url }) => url.startsWith('/api/articles?fields[0]=slug&fields[1]=updatedAt'));

const TOTAL = inFull ? 10_250 : 1_050;

describe('the sitemap', () => {
  it(
    'the sitemap has each article once, read in pages of a hundred',
    LONG,
    async ({ backend, startOwnSite }) => {
      backend.on(
        '/api/articles',
        manyArticles(() => TOTAL),
      );
      const site = await startOwnSite();
      const answer = await read(site.url);
      expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8');
      const articles = articlePaths(await addressesIn(answer.body));
      expect(articles).toHaveLength(TOTAL);
      expect(new Set(articles).size).toBe(TOTAL);
      expect(addressCalls(backend)).toHaveLength(Math.ceil(TOTAL / 100));
    },
  );

  it(
    'beyond the limit of addresses the sitemap is an index of parts, which have all addresses',
    LONG,
    async ({ backend, startOwnSite }) => {
      // More articles than one response holds, as in the larger sites, so that the archive always has the
      // same addresses.
      let total = 150;
      backend.on(
        '/api/articles',
        manyArticles(() => total),
      );
      const site = await startOwnSite();
      const single = await addressesIn((await read(site.url)).body);
      const others = single.length - 150;
      expect(others).toBeGreaterThan(0);

      const larger = await startOwnSite({ overrides });
      total = LIMITS.addresses + 1 - others;
      const parts = await partsIn((await read(larger.url)).body);
      expect(parts).toEqual([1, 2, 3, 4, 5, 6].map(number => `/sitemap-${number}.xml`));
      const addresses: string[] = [];
      for (const part of parts) addresses.push(...(await addressesIn((await read(larger.url, part)).body)));
      expect(addresses).toHaveLength(LIMITS.addresses + 1);
      expect(new Set(addresses).size).toBe(LIMITS.addresses + 1);
      expect((await read(larger.url, '/sitemap-7.xml')).status).toBe(404);

      const atTheLimit = await startOwnSite({ overrides });
      total = LIMITS.addresses - others;
      expect(await addressesIn((await read(atTheLimit.url)).body)).toHaveLength(LIMITS.addresses);
    },
  );

  it(
    'beyond the limit of bytes the sitemap is an index of parts',
    LONG,
    async ({ backend, startOwnSite }) => {
      backend.on(
        '/api/articles',
        manyArticles(() => (LIMITS.partAddresses * 31) / 10, 200),
      );
      const site = await startOwnSite({ overrides });
      const parts = await partsIn((await read(site.url)).body);
      expect(parts).toHaveLength(5);
      const sizes = await Promise.all(parts.map(async part => (await read(site.url, part)).body.byteLength));
      for (const size of sizes) expect(size).toBeLessThan(LIMITS.bytes);
    },
  );

  it(
    'the sitemap is generated once for 20 concurrent requests, and stored like a page',
    LONG,
    async ({ backend, startOwnSite }) => {
      backend.on(
        '/api/articles',
        manyArticles(() => 2_000),
      );
      const site = await startOwnSite();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => read(site.url, '/sitemap.xml', { 'accept-encoding': 'gzip' })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(addressCalls(backend)).toHaveLength(20);
      const [first] = answers;
      expect(first?.headers).toMatchObject({
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=0, s-maxage=60',
        etag: expect.stringMatching(/^W\//),
      });

      backend.calls.length = 0;
      const again = await read(site.url, '/sitemap.xml', { 'accept-encoding': 'br' });
      expect(again.headers).toMatchObject({
        'content-encoding': 'br',
        'cache-status': expect.stringMatching(/^site; hit/),
        etag: first?.headers.etag,
      });
      const unchanged = await read(site.url, '/sitemap.xml', {
        'if-none-match': String(first?.headers.etag),
      });
      expect([unchanged.status, unchanged.body.byteLength]).toEqual([304, 0]);
      const head = await sendRequest(site.url, '/sitemap.xml', { method: 'HEAD' });
      expect([head.status, head.body.byteLength]).toEqual([200, 0]);
      expect(backend.calls).toEqual([]);
    },
  );

  it('the sitemap is served stale while the backend is down', async ({ backend, startOwnSite }) => {
    backend.on(
      '/api/articles',
      manyArticles(() => 300),
    );
    const site = await startOwnSite({ env: { CONTENT_TTL_MS: '1' } });
    const before = await read(site.url);
    backend.on('/api/articles', failing(500));
    const after = await read(site.url);
    expect([after.status, after.headers.etag]).toEqual([200, before.headers.etag]);
  });

  it('the sitemap comes from disk in a process that starts during an outage', async ({
    backend,
    dataDir,
    startOwnSite,
  }) => {
    const env = { PUBLIC_URL: 'https://www.example.com' };
    backend.on(
      '/api/articles',
      manyArticles(() => 300),
    );
    const first = await startOwnSite({ dataDir, env });
    const before = await read(first.url);
    await first.site.settled();
    backend.on('/api/articles', failing(500));
    const second = await startOwnSite({ dataDir, env });
    const after = await read(second.url);
    expect([after.status, after.headers.etag]).toEqual([200, before.headers.etag]);
  });

  it(
    'reading the parts of the sitemap does not delay other responses',
    LONG,
    async ({ backend, startOwnSite }) => {
      const held = heldAnswer({
        data: [],
        meta: { pagination: { page: 3, pageSize: 100, pageCount: 10, total: 1_000 } },
      });
      const answers = manyArticles(() => 1_000);
      const site = await startOwnSite();
      backend.on('/api/articles', (req, res) => {
        const isThird = decodeURIComponent(req.url ?? '').includes('[page]=3&');
        if (isThird && typeof held.behaviour === 'function') held.behaviour(req, res);
        else answers(req, res);
      });
      const sitemap = read(site.url);
      try {
        // Four pages are read at a time, here the second to the fifth.
        await eventually(() => expect([held.waiting(), addressCalls(backend).length]).toEqual([1, 5]));
        expect((await read(site.url, '/about')).status).toBe(200);
      } finally {
        held.release();
      }
      expect((await sitemap).status).toBe(200);
    },
  );
});

describe('the feed', () => {
  it('20 concurrent requests for the feed of 30 articles read 36 rows once, and the feed is stored', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on(
      '/api/articles',
      manyArticles(() => 2_000),
    );
    const site = await startOwnSite();
    backend.calls.length = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(site.url, '/blog/feed.xml')));
    for (const { status, text } of answers)
      expect([status, text.match(/<item>/g)?.length]).toEqual([200, 30]);
    // The start also reads the list of the newest articles, without texts.
    const rows = backend.callsTo('/api/articles').filter(({ url }) => url.includes('=body'));
    expect(rows.map(({ url }) => /\[pageSize\]=(\d+)/.exec(url)?.[1])).toEqual(['36']);
    const [first] = answers;
    expect(first?.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
    expect(first?.headers['cache-control']).toBe('public, max-age=0, s-maxage=60');
    backend.calls.length = 0;
    const again = await read(site.url, '/blog/feed.xml', { 'if-none-match': String(first?.headers.etag) });
    expect([again.status, again.headers['cache-status']]).toEqual([304, expect.stringMatching(/^site; hit/)]);
    expect(backend.calls).toEqual([]);
  });
});
