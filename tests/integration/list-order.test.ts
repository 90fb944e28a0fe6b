import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { apiOf } from '../support/content-reads.ts';
import { type FakeBackend, sendJson } from '../support/fake-backend.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { runs } from '../support/in-full.ts';
import { type ListBackendOptions, type ListRow, listOfRows } from '../support/list-backend.ts';
import { patient } from '../support/patience.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';

const CATEGORIES = ['guides', 'news'].map((slug, at) => ({ id: at + 1, documentId: slug, slug, name: slug }));

/** An article, identified by its position in the test's list. */
const articleRow = (at: number, fields: Partial<ListRow> = {}): ListRow => ({
  id: at + 1,
  title: `Article ${at}`,
  body: null,
  slug: `a-${at}`,
  date: null,
  publishedAt: '2026-05-01T00:00:00.000Z',
  createdAt: '2026-05-01T00:00:00.000Z',
  category: CATEGORIES[0],
  ...fields,
});

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;

/** Articles on few days, so that many share one. Their ids are unordered. */
const articles = (date: fc.Arbitrary<string | null>): fc.Arbitrary<ListRow[]> =>
  fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 40 }).chain(ids =>
    fc.tuple(
      ...ids.map((id, at) =>
        fc
          .record({
            date,
            publishedAt: fc.integer({ min: 1, max: 4 }).map(day),
            category: fc.constantFrom(...CATEGORIES),
          })
          .map(fields => articleRow(at, { id, ...fields })),
      ),
    ),
  );
const aDay = fc.integer({ min: 1, max: 4 }).map(day);

function serve(backend: FakeBackend, rows: () => readonly ListRow[], options: ListBackendOptions = {}): void {
  backend.on(
    '/api/categories',
    listOfRows(() => CATEGORIES),
  );
  backend.on('/api/articles', listOfRows(rows, options));
}

const newestFirst = (rows: readonly ListRow[], field: 'date' | 'publishedAt') =>
  rows
    .toSorted((a, b) =>
      String(b[field]) < String(a[field]) ? -1 : String(b[field]) > String(a[field]) ? 1 : b.id - a.id,
    )
    .map(({ slug }) => slug);

/** Reads all pages of a category as the site does. */
async function slugsOfCategory(backend: FakeBackend, slug: string): Promise<string[]> {
  const { api, load } = apiOf(backend);
  const order = await load(api.articleOrder());
  const slugs: string[] = [];
  for (let page = 1, pageCount = 1; page <= pageCount; page += 1) {
    const list = await load(api.articlesOfCategory(slug, page, order));
    slugs.push(...list.items.map(item => item.slug));
    pageCount = list.pageCount;
  }
  return slugs;
}

describe('articles', () => {
  it.for(['first', 'last'] as const)(
    'articles that all have dates are sorted by date, with nulls %s in the database',
    { timeout: patient(20_000) },
    async (nulls, { backend }) => {
      await fc.assert(
        fc.asyncProperty(articles(aDay), async rows => {
          serve(backend, () => rows, { nulls });
          for (const category of CATEGORIES) {
            const own = rows.filter(row => row.category === category);
            expect(await slugsOfCategory(backend, category.slug)).toEqual(newestFirst(own, 'date'));
          }
        }),
        { numRuns: runs(30) },
      );
    },
  );

  it.for(['first', 'last'] as const)(
    'articles are sorted by publishedAt when one has no date, with nulls %s in the database',
    { timeout: patient(20_000) },
    async (nulls, { backend }) => {
      await fc.assert(
        fc.asyncProperty(articles(fc.option(aDay)), async rows => {
          serve(backend, () => rows, { nulls });
          const field = rows.some(({ date }) => date === null) ? 'publishedAt' : 'date';
          for (const category of CATEGORIES) {
            const own = rows.filter(row => row.category === category);
            expect(await slugsOfCategory(backend, category.slug)).toEqual(newestFirst(own, field));
          }
        }),
        { numRuns: runs(30) },
      );
    },
  );

  it('undated articles are counted once for all lists, and logged', async ({ backend, startOwnSite }) => {
    serve(backend, () => [articleRow(1, { date: day(1) }), articleRow(2), articleRow(3)]);
    const site = await startOwnSite();
    for (const path of ['/blog', '/blog/guides', '/blog/news', '/blog/feed.xml', '/blog/guides/a-1'])
      expect((await sendRequest(site.url, path, { headers: AS_BROWSER })).status).toBe(200);
    const counts = backend.calls.filter(({ url }) => url.includes('filters[date][$null]=true'));
    expect(counts).toHaveLength(1);
    expect(site.log.filter(({ code }) => code === 'content-undated-articles')).toMatchObject([
      { type: 'articles', reason: expect.stringContaining("2 articles have no 'date'") },
    ]);
  });

  it('articles count as undated when the backend has no field date', async ({ backend, startOwnSite }) => {
    const rows = [
      articleRow(1, { publishedAt: day(1) }),
      articleRow(2, { publishedAt: day(3) }),
      articleRow(3, { publishedAt: day(2) }),
    ];
    serve(backend, () => rows, { lacks: ['date'] });
    const site = await startOwnSite();
    const page = await sendRequest(site.url, '/blog/guides', { headers: AS_BROWSER });
    expect(slugsIn(page.text)).toEqual(['a-2', 'a-3', 'a-1']);
    expect(site.log.filter(({ code }) => code === 'content-undated-articles')).toMatchObject([
      { reason: expect.stringContaining("all articles have no 'date'") },
    ]);
  });

  it('articles have one order on lists, blog index, feed and below an article', async ({
    backend,
    startOwnSite,
  }) => {
    // Sorting by date reverses the order by publishedAt, and two articles share a date.
    const rows = [5, 4, 3, 3, 1].map((number, at) =>
      articleRow(at, { id: 50 - at, date: day(number), publishedAt: day(20 + at) }),
    );
    serve(backend, () => rows);
    const site = await startOwnSite();
    const read = async (path: string) =>
      slugsIn((await sendRequest(site.url, path, { headers: AS_BROWSER })).text);
    const expected = ['a-0', 'a-1', 'a-2', 'a-3', 'a-4'];
    expect(await read('/blog/guides')).toEqual(expected);
    expect(await read('/blog/feed.xml')).toEqual(expected);
    expect(await read('/blog')).toEqual(expected.slice(0, 4));
    // The newer neighbour comes first, then the related articles of the same category.
    const below = (await read('/blog/guides/a-4')).filter(slug => slug !== 'a-4');
    expect(below).toEqual(['a-3', ...expected.slice(0, 3)]);
  });
});

/** @returns the slugs of the articles that a document links to, each once, in order. */
function slugsIn(document: string): string[] {
  const links =
    document.split('<script type="application/json"')[0]?.matchAll(/\/blog\/guides\/(a-\d+)/g) ?? [];
  return [...new Set([...links].map(([, slug = '']) => slug))];
}

describe('a list of other entries', () => {
  /**
   * Rows created in the order of their numbers. Their ids are in another order, as after a second
   * publication.
   */
  const categories = (count: number): ListRow[] =>
    Array.from({ length: count }, (_, at) => ({
      id: 100_000 + ((at * 7919) % count),
      documentId: `c${at}`,
      slug: `c-${at}`,
      name: `Category ${at}`,
      createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(at / 3)).toISOString(),
    }));

  it('a list of other entries is in the order of creation across pages, each row once', {
    timeout: patient(20_000),
  }, async ({ backend }) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 430 }), async count => {
        const rows = categories(count);
        backend.on(
          '/api/categories',
          listOfRows(() => rows),
        );
        const { api, load } = apiOf(backend);
        const { list } = await load(api.categories());
        const expected = rows.toSorted((a, b) =>
          a.createdAt === b.createdAt ? a.id - b.id : String(a.createdAt) < String(b.createdAt) ? -1 : 1,
        );
        expect(list.map(({ slug }) => slug)).toEqual(expected.map(({ slug }) => slug));
      }),
      { numRuns: runs(20) },
    );
  });

  it('a list is read again if a row was removed during the reading, and no row appears twice', async ({
    backend,
  }) => {
    const rows = categories(250);
    let isRemoved = false;
    const answer = listOfRows(() => rows);
    backend.on('/api/categories', (req, res) => {
      answer(req, res);
      if (!isRemoved) rows.splice(0, 1);
      isRemoved = true;
    });
    const { api, load, problems } = apiOf(backend);
    const { list } = await load(api.categories());
    expect(new Set(list.map(({ slug }) => slug))).toEqual(new Set(rows.map(({ slug }) => slug)));
    expect(list).toHaveLength(249);
    expect(problems).toEqual([]);
  });

  it('a list is reported when the backend counts more rows than it sends', async ({ backend }) => {
    const answer = listOfRows(() => categories(250));
    backend.on('/api/categories', (req, res) => {
      if (!decodeURIComponent(req.url ?? '').includes('[page]=3')) return answer(req, res);
      sendJson(res, 200, {
        data: [],
        meta: { pagination: { page: 3, pageSize: 100, pageCount: 3, total: 250 } },
      });
    });
    const { api, load, problems } = apiOf(backend);
    expect((await load(api.categories())).list).toHaveLength(200);
    expect(problems).toMatchObject([
      { kind: 'list-incomplete', type: 'categories', reason: expect.stringContaining('50 more rows') },
    ]);
  });

  it('a list from a backend without createdAt is read unsorted, with a log entry', async ({ backend }) => {
    backend.on(
      '/api/categories',
      listOfRows(() => categories(120), { lacks: ['createdAt'] }),
    );
    const { api, load, problems } = apiOf(backend);
    expect((await load(api.categories())).list).toHaveLength(120);
    expect(problems).toMatchObject([
      { kind: 'field-absent', type: 'categories', reason: expect.stringContaining('createdAt') },
    ]);
  });

  it('a list of the embedded backend keeps the order of its files', async ({ startOwnSite: _ }) => {
    const backend = await startEmbeddedBackend({ contentDir: FIXTURE_CONTENT, mailDir: 'no-mail' });
    try {
      for (const path of ['redirects', 'socials', 'categories', 'pages', 'commerces', 'business-solutions']) {
        const ids = async (query: string) => {
          const answer = await fetch(`${backend.url}/api/${path}?pagination[pageSize]=100${query}`);
          const { data } = (await answer.json()) as { data: { documentId: string }[] };
          return data.map(({ documentId }) => documentId);
        };
        const inFiles = await ids('');
        expect(inFiles.length, path).toBeGreaterThan(1);
        expect(await ids('&sort[0]=createdAt:asc&sort[1]=id:asc'), path).toEqual(inFiles);
      }
    } finally {
      await backend.close();
    }
  });
});
