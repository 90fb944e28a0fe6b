import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { FakeBackend } from '../support/fake-backend.ts';
import { type ListRow, listOfRows } from '../support/list-backend.ts';
import { startRedis } from '../support/redis.ts';
import { redisTest } from '../support/redis-test.ts';
import { sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const SECRET = 'secret-of-the-webhook';
const BEGIN = Date.UTC(2026, 0, 1);
const category = { id: 1, documentId: 'c1', name: 'Guides', slug: 'guides' };

/** @returns a word that is neither the beginning of another word, nor one typo away from it. */
const wordOf = (number: number) => `w${number}q${number}q`;

function articleRow(number: number, fields: Record<string, unknown> = {}): ListRow {
  const at = new Date(BEGIN + number * 60_000).toISOString();
  return {
    id: number + 1,
    documentId: `d${number}`,
    ...{ title: `Article ${number}`, slug: `article-${number}`, body: `Body of ${wordOf(number)}`, category },
    ...{ date: '2026-01-01', createdAt: at, updatedAt: at, publishedAt: at, ...fields },
  };
}

const rowsOf = (count: number) => Array.from({ length: count }, (_, number) => articleRow(number));

/** Serves articles as the only searchable content. */
function serve(backend: FakeBackend, rows: () => readonly ListRow[]): void {
  backend.on('/api/articles', listOfRows(rows));
  backend.on(
    '/api/categories',
    listOfRows(() => [category]),
  );
  for (const type of ['business-solutions', 'commerces', 'pages'])
    backend.on(
      `/api/${type}`,
      listOfRows(() => []),
    );
}

/** @returns the calls that read articles with their texts. */
const bodyCalls = (backend: FakeBackend) =>
  backend.callsTo('/api/articles').filter(({ url }) => url.includes('sort[0]=publishedAt:asc'));

/** Asks the index instead of the page, because searches from one address are limited. */
async function slugsOf({ site }: RunningSite, text: string): Promise<readonly string[]> {
  const query = { text, type: null, category: null, page: 1, size: 10, hasSnippets: false };
  return (await site.search.find(query)).hits.map(({ slug }) => slug);
}

/** Waits until the index equals the backend. */
const reads = (site: RunningSite, query: string, slugs: readonly string[]) =>
  eventually(async () => expect(await slugsOf(site, query), query).toEqual(slugs));

const webhook = (site: RunningSite, event: string, { id, documentId, slug }: ListRow) =>
  sendRequest(site.url, '/webhooks/content', {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ event, model: 'article', uid: 'api::article.article' },
      entry: { id, documentId, slug, publishedAt: '2026-05-01T00:00:00.000Z' },
    }),
  });

const it = backendTest
  .extend('dataDir', async ({ backend: _backend }, { onCleanup }) => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'search-'));
    // A record may still be written.
    onCleanup(() => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return dir;
  })
  .extend('start', async ({ startOwnSite, dataDir }) => async () => {
    const site = await startOwnSite({ dataDir, env: { WEBHOOK_SECRET: SECRET } });
    site.site.search.begin();
    return site;
  });

describe('the index of the search', () => {
  it('the search index reads a hundred texts a call, one call at a time', async ({ backend, start }) => {
    serve(backend, () => rowsOf(250));
    const site = await start();
    await reads(site, wordOf(249), ['article-249']);
    await reads(site, wordOf(0), ['article-0']);
    const calls = bodyCalls(backend);
    expect(calls.map(({ url }) => url.includes('pagination[pageSize]=100'))).toEqual([true, true, true]);
    expect(calls.map(({ url }) => /\$gte\]=([^&]*)/.exec(url)?.[1] ?? null)).toEqual([
      null,
      ...[99, 198].map(number => new Date(BEGIN + number * 60_000).toISOString()),
    ]);
  });

  it('the search index reads all rows even if many have the same time', async ({ backend, start }) => {
    const publishedAt = new Date(BEGIN).toISOString();
    serve(backend, () => rowsOf(230).map(row => ({ ...row, publishedAt })));
    const site = await start();
    for (const number of [0, 150, 229]) await reads(site, wordOf(number), [`article-${number}`]);
    await eventually(() => expect(site.site.search.isReading).toBe(false));
  });

  it('the search index reads only the changed entry of an event', async ({ backend, start }) => {
    const rows = rowsOf(150);
    serve(backend, () => rows);
    const site = await start();
    await reads(site, wordOf(149), ['article-149']);
    backend.calls.length = 0;
    const changed = articleRow(7, { body: 'Changed text', publishedAt: '2026-05-01T00:00:00.000Z' });
    rows[7] = changed;
    expect((await webhook(site, 'entry.publish', changed)).status).toBe(200);
    await reads(site, 'changed', ['article-7']);
    await reads(site, wordOf(7), []);
    // The search reads the last known row again.
    expect(bodyCalls(backend)).toHaveLength(1);
    expect(bodyCalls(backend)[0]?.url).toContain(`$gte]=${rows[149]?.publishedAt}`);
  });

  it('the search index omits an article without a category until it gets one', async ({ backend, start }) => {
    const rows = [articleRow(0), articleRow(1, { category: null })];
    serve(backend, () => rows);
    const site = await start();
    await reads(site, wordOf(0), ['article-0']);
    expect(await slugsOf(site, wordOf(1))).toEqual([]);
    rows[1] = articleRow(1, { publishedAt: '2026-05-01T00:00:00.000Z' });
    await webhook(site, 'entry.publish', articleRow(1));
    await reads(site, wordOf(1), ['article-1']);
  });

  it('the search index removes an unpublished entry, and an entry removed without an event', async ({
    backend,
    start,
  }) => {
    let rows: readonly ListRow[] = rowsOf(120);
    serve(backend, () => rows);
    const site = await start();
    await reads(site, wordOf(119), ['article-119']);
    const [first] = rows;
    rows = rows.slice(1);
    if (first) await webhook(site, 'entry.unpublish', first);
    await reads(site, wordOf(0), []);
    rows = rows.slice(1);
    site.site.invalidation.invalidate(['articles']);
    await reads(site, wordOf(1), []);
    await reads(site, wordOf(2), ['article-2']);
  });

  it('the search index finds rows that return with an earlier time of change', async ({ backend, start }) => {
    let rows: readonly ListRow[] = rowsOf(5);
    serve(backend, () => rows);
    const site = await start();
    await reads(site, wordOf(4), ['article-4']);
    rows = [...rows, articleRow(-10, { body: 'Restored' })];
    site.site.invalidation.invalidate(['articles']);
    await reads(site, 'restored', ['article--10']);
  });

  it('the search index follows names of categories, authors and tags without reading their articles', async ({
    backend,
    start,
  }) => {
    const author = { id: 1, documentId: 'a1', name: 'Ada' };
    const tag = { id: 1, documentId: 't1', name: 'Ledgers' };
    serve(backend, () => [articleRow(1, { author, tags: [tag] })]);
    backend.on(
      '/api/tags',
      listOfRows(() => [tag]),
    );
    backend.on(
      '/api/authors',
      listOfRows(() => [author]),
    );
    const site = await start();
    await reads(site, 'ada', ['article-1']);
    await reads(site, 'ledgers', ['article-1']);
    backend.calls.length = 0;
    backend.on(
      '/api/authors',
      listOfRows(() => [{ ...author, name: 'Grace' }]),
    );
    site.site.invalidation.invalidate(['authors']);
    await reads(site, 'grace', ['article-1']);
    backend.on(
      '/api/tags',
      listOfRows(() => [{ ...tag, name: 'Matching' }]),
    );
    site.site.invalidation.invalidate(['tags']);
    await reads(site, 'matching', ['article-1']);
    await reads(site, 'ledgers', []);
    expect(bodyCalls(backend)).toEqual([]);
  });

  it('the search index survives a restart, and then reads what changed meanwhile', async ({
    backend,
    start,
  }) => {
    const rows = rowsOf(150);
    serve(backend, () => rows);
    const first = await start();
    await reads(first, wordOf(149), ['article-149']);
    await first.close();
    backend.calls.length = 0;
    rows[3] = articleRow(3, { body: 'Meanwhile', publishedAt: '2026-05-01T00:00:00.000Z' });
    const second = await start();
    await reads(second, wordOf(149), ['article-149']);
    await reads(second, 'meanwhile', ['article-3']);
    expect(bodyCalls(backend)).toHaveLength(1);
  });

  it('the search index answers while the backend is down', async ({ backend, start }) => {
    serve(backend, () => rowsOf(3));
    const site = await start();
    await reads(site, wordOf(2), ['article-2']);
    backend.on('/api/articles', (_req, res) => void res.destroy());
    site.site.invalidation.invalidate(['articles']);
    await reads(site, wordOf(1), ['article-1']);
  });

  it('the search index reads Blocks, dynamic zones and the sections after a text', async ({
    backend,
    start,
  }) => {
    const blocks = [
      { type: 'heading', level: 2, children: [{ type: 'text', text: 'Blockheading' }] },
      { type: 'paragraph', children: [{ type: 'text', text: 'Blocktext', bold: true }] },
    ];
    const zone = [{ __component: 'body.quote', id: 1, quote: 'Zonequote', author: 'Zoneauthor' }];
    serve(backend, () => [
      articleRow(1, { body: blocks }),
      articleRow(2, { body: zone }),
      articleRow(3, { sections: [{ __component: 'sections.callout-section', body: 'Calloutbody' }] }),
    ]);
    const site = await start();
    await reads(site, 'blockheading', ['article-1']);
    await reads(site, 'blocktext', ['article-1']);
    await reads(site, 'zonequote', ['article-2']);
    await reads(site, 'calloutbody', ['article-3']);
  });
});

describe('the indexes of replicas', () => {
  redisTest('one replica reads the backend for the indexes of all replicas', async ({ onTestFinished }) => {
    const { startFakeBackend } = await import('../support/fake-backend.ts');
    const [backend, redis] = await Promise.all([startFakeBackend(), startRedis()]);
    serve(backend, () => rowsOf(350));
    const env = { SHARED_URL: redis.url };
    const sites = await Promise.all([1, 2].map(() => startSite({ contentBaseUrl: backend.url, env })));
    onTestFinished(async () => {
      await Promise.all(sites.map(site => site.close()));
      await Promise.all([backend.close(), redis.dispose()]);
    });
    const [one, two] = sites;
    one?.site.search.begin();
    if (one) await reads(one, wordOf(349), ['article-349']);
    const calls = bodyCalls(backend).length;
    two?.site.search.begin();
    if (two) await reads(two, wordOf(349), ['article-349']);
    expect(bodyCalls(backend)).toHaveLength(calls);
  });
});
