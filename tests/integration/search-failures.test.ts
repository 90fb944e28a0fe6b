import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { SearchPageData } from '../../shared/payload/search-data.ts';
import { eventually } from '../support/eventually.ts';
import type { FakeBackend } from '../support/fake-backend.ts';
import { type ListRow, listOfRows } from '../support/list-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const TIME = '2026-01-01T00:00:00.000Z';
const category = { id: 1, documentId: 'c1', name: 'Guides', slug: 'guides' };

function row(number: number, fields: Record<string, unknown> = {}): ListRow {
  return {
    ...{ id: number, documentId: `d${number}`, title: `Entry ${number}`, slug: `entry-${number}` },
    ...{ createdAt: TIME, updatedAt: TIME, publishedAt: TIME, ...fields },
  };
}

const article = (number: number, fields: Record<string, unknown> = {}) =>
  row(number, { category, date: '2026-01-01', body: 'A settlement', ...fields });

/** Serves articles and pages as the only searchable content. */
function serve(backend: FakeBackend, articles: readonly ListRow[], pages: readonly ListRow[] = []): void {
  const lists = { articles, pages, categories: [category], 'business-solutions': [], commerces: [] };
  for (const [type, rows] of Object.entries(lists))
    backend.on(
      `/api/${type}`,
      listOfRows(() => rows),
    );
}

const get = ({ url }: RunningSite, address: string) => sendRequest(url, address, { headers: AS_BROWSER });

async function find(site: RunningSite, query: string): Promise<SearchPageData> {
  return (await get(site, `/search/_payload.json?${query}`)).json<{ data: { page: SearchPageData } }>().data
    .page;
}

/**
 * Waits until the index finds entries, and then until the page shows them. Only the index is polled, because
 * searches from one address are limited.
 */
async function finds(site: RunningSite, text: string, slugs: readonly string[]): Promise<void> {
  const query = { text, type: null, category: null, page: 1, size: 10, hasSnippets: false };
  await eventually(async () => {
    const { hits } = await site.site.search.find(query);
    expect(hits.map(({ slug }) => slug).toSorted()).toEqual(slugs);
  });
  // A stored page may be served once more during its revalidation.
  await eventually(async () => {
    const { results } = await find(site, `q=${text}`);
    expect(results.map(({ href }) => href.split('/').at(-1)).toSorted()).toEqual(slugs);
  });
}

const it = backendTest
  .extend('dataDir', async ({ backend: _backend }, { onCleanup }) => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'search-'));
    // A record may still be written.
    onCleanup(() => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return dir;
  })
  .extend('start', async ({ startOwnSite, dataDir }) => async (env: Record<string, string> = {}) => {
    const site = await startOwnSite({ dataDir, env, overrides: { retryFailedMs: 100 } });
    site.site.search.begin();
    return site;
  });

/** @returns the index file in a data folder. */
async function indexFile(dataDir: string): Promise<string> {
  const names = await readdir(dataDir, { recursive: true });
  const name = names.find(each => each.endsWith('index.db'));
  if (name === undefined) throw new Error('There is no index');
  return path.join(dataDir, name);
}

describe('the search', () => {
  it('the search says that texts are still being read while a new index lacks some', async ({
    backend,
    start,
  }) => {
    const whole = Promise.withResolvers<void>();
    serve(backend, [article(1)]);
    const answer = listOfRows(() => [article(1)]);
    backend.on('/api/articles', async (req, res) => {
      if (req.url?.includes('sort[0]=publishedAt:asc')) await whole.promise;
      answer(req, res);
    });
    const site = await start();
    const { status, results } = await find(site, 'q=settlement');
    expect(results).toEqual([]);
    expect(status).toEqual([
      'Nothing was found for “settlement”.',
      'The texts of this site are still being read. More may be found in a moment.',
    ]);
    whole.resolve();
    await finds(site, 'settlement', ['entry-1']);
    await eventually(async () => expect((await find(site, 'q=settlement')).status).toEqual(['1 result']));
  });

  it('after a restart the search does not say that texts are being read', async ({ backend, start }) => {
    serve(backend, [article(1)]);
    const first = await start();
    await finds(first, 'settlement', ['entry-1']);
    await first.close();
    backend.on('/api/articles', (_req, res) => void res.destroy());
    const second = await start();
    await finds(second, 'settlement', ['entry-1']);
    await eventually(() => expect(second.site.search.isReading).toBe(false));
  });

  it('the search reads all texts again when its file is damaged', async ({ backend, dataDir, start }) => {
    serve(backend, [article(1, { body: `A settlement ${'of many words '.repeat(2_000)}` })]);
    const first = await start();
    await finds(first, 'settlement', ['entry-1']);
    await first.close();
    const file = await open(await indexFile(dataDir), 'r+');
    const { size } = await file.stat();
    // The damaged file still has a sound first page.
    await file.write(Buffer.alloc(size - 4_096, 0xff), 0, size - 4_096, 4_096);
    await file.close();
    await finds(await start(), 'settlement', ['entry-1']);
  });

  it('the search is a 503 with its form while its file cannot be opened, and other pages work', async ({
    backend,
    dataDir,
    start,
  }) => {
    serve(backend, [article(1)]);
    const first = await start();
    await finds(first, 'settlement', ['entry-1']);
    await first.close();
    const file = await indexFile(dataDir);
    await rm(file);
    await mkdir(file);
    const site = await start();
    const failed = await get(site, '/search?q=settlement');
    const page = parsePage(failed.text);
    expect(failed.status).toBe(503);
    expect(failed.headers['retry-after']).toBe('5');
    expect(page.main).toContain('The search does not work at the moment, but all other pages do');
    expect(page.hasShell).toBe(true);
    expect(page.all('form').filter(({ properties }) => properties.action === '/search')).toHaveLength(2);
    expect((await get(site, '/search/suggestions.json?q=settle')).status).toBe(503);
    expect((await get(site, '/search')).status).toBe(200);
    expect((await get(site, '/blog')).status).toBe(200);
    expect(site.log.filter(({ code }) => code === 'search-down')).toMatchObject([{ level: 'warn' }]);
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
    await rm(file, { recursive: true });
    await finds(site, 'settlement', ['entry-1']);
  });

  it('the search omits entries hidden from search engines, and entries without an address', async ({
    backend,
    start,
  }) => {
    const hidden = { seo: { id: 1, metaRobots: 'noindex, follow' } };
    serve(
      backend,
      [article(1), article(2, hidden)],
      [
        row(1, { title: 'Settlement', ...hidden }),
        row(2, { title: 'Settlement', slug: 'search' }),
        row(3, { title: 'Settlement', seo: { id: 2, metaRobots: 'nofollow' } }),
      ],
    );
    const site = await start();
    await finds(site, 'settlement', ['entry-1', 'entry-3']);
  });

  it('the search finds an article from its date on, without an event', async ({ backend, start }) => {
    const at = Date.now() + 4_000;
    serve(backend, [article(1), article(2, { date: new Date(at).toISOString() })]);
    const site = await start({ CONTENT_TTL_MS: '3600000' });
    await finds(site, 'settlement', ['entry-1']);
    await eventually(() => expect(site.site.search.isReading).toBe(false));
    await finds(site, 'settlement', ['entry-1']);
    expect(Date.now()).toBeLessThan(at);
    await finds(site, 'settlement', ['entry-1', 'entry-2']);
    expect(Date.now()).toBeGreaterThanOrEqual(at);
    const suggested = await get(site, '/search/suggestions.json?q=entry');
    expect(suggested.text).toContain('entry-2');
  });
});
