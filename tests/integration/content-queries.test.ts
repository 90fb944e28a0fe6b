import { describe, expect } from 'vitest';
import { siteRedirects } from '../../site/redirects.ts';
import { askedIn, describedFields } from '../support/asked-fields.ts';
import { failureOf, never } from '../support/backend-client-test.ts';
import { apiOf, BY_DATE, BY_SLUG, loadFrom, PATHS, READS, read, SINGLES } from '../support/content-reads.ts';
import { dataOf } from '../support/decoding.ts';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend, sendJson } from '../support/fake-backend.ts';
import { backendTest as it } from '../support/site-test.ts';

describe('the query', () => {
  const FIRST_PAGE = 'pagination[page]=1&pagination[pageSize]=100';
  const NEWEST = 'sort[0]=date:desc&sort[1]=id:desc';
  const OLDEST = 'sort[0]=createdAt:asc&sort[1]=id:asc';
  const ROBOTS = 'populate[seo][fields][0]=metaRobots';

  it.for([
    ['categories', 'category', 'full', `${OLDEST}&${FIRST_PAGE}`],
    ['settings', 'settings', 'full', ''],
    ['socials', 'social', 'full', `${OLDEST}&${FIRST_PAGE}`],
    ['authors', 'author', 'full', `${OLDEST}&${FIRST_PAGE}`],
    ['landing', 'landing', 'full', ''],
    ['mainPage', 'main-page', 'full', ''],
    [
      'articlesOfCategory',
      'article',
      'list',
      `filters[category][slug][$eq]=guides&pagination[page]=2&pagination[pageSize]=12&${NEWEST}`,
    ],
    [
      'articlesOfAuthor',
      'article',
      'list',
      `filters[author][documentId][$eq]=abc&pagination[page]=1&pagination[pageSize]=12&${NEWEST}`,
    ],
    // Strapi 4 has only numeric ids.
    [
      'articlesOfTag',
      'article',
      'list',
      `filters[tags][id][$eq]=7&pagination[page]=2&pagination[pageSize]=12&${NEWEST}`,
    ],
    ['newestArticles', 'article', 'list', `pagination[page]=1&pagination[pageSize]=30&${NEWEST}`],
    ['article', 'article', 'full', 'filters[slug][$eq]=accepting-cards-in-spain'],
    ['entries of business-solutions', 'business-solution', 'list', `${OLDEST}&${FIRST_PAGE}`],
    ['entries of commerces', 'commerce', 'list', `${OLDEST}&${FIRST_PAGE}`],
    ['entries of pages', 'page', 'list', `${OLDEST}&${FIRST_PAGE}`],
    ['entry of business-solutions', 'business-solution', 'full', 'filters[slug][$eq]=payouts'],
    ['entry of commerces', 'commerce', 'full', 'filters[slug][$eq]=online-shops'],
    ['entry of pages', 'page', 'full', 'filters[slug][$eq]=about'],
  ] as const)(
    'the query of %s requests exactly the described fields',
    async ([name, type, form, rest], { backend }) => {
      await read(name, apiOf(backend));
      const [call, ...more] = backend.calls;
      expect([call?.method, call?.url.split('?')[0], ...more]).toEqual(['GET', PATHS[name]]);
      const asked = askedIn(call?.url.split('?')[1] ?? '');
      expect(asked).toEqual({ fields: describedFields(type, form), rest });
      expect(asked.fields.length).toBeGreaterThan(0);
    },
  );

  it.for([
    ['articleCount', 'fields[0]=slug&pagination[page]=1&pagination[pageSize]=1'],
    ['articleOrder', 'filters[date][$null]=true&fields[0]=slug&pagination[page]=1&pagination[pageSize]=1'],
    // A file two levels below the landing page.
    ['landing', expect.stringContaining('populate[partnersBlock][populate][items][populate]=logo&')],
    [
      'articlesOfCategory',
      expect.stringContaining(
        'populate[category][fields][0]=name&populate[category][fields][1]=slug&populate[author][populate]=image',
      ),
    ],
  ] as const)('the query of %s has Strapi’s syntax', async ([name, query], { backend }) => {
    await read(name, apiOf(backend));
    expect(backend.calls.map(({ url }) => url.split('?')[1])).toEqual([query]);
  });

  it('the redirects are queried for their last change, then for all rows, oldest first', async ({
    backend,
  }) => {
    const { api, load } = apiOf(backend);
    await load(api.redirects());
    const lastBy = (time: string) =>
      `/api/redirects?fields[0]=updatedAt&fields[1]=publishedAt&sort[0]=${time}:desc&sort[1]=id:desc&pagination[page]=1&pagination[pageSize]=1`;
    expect(backend.calls.map(({ url }) => url)).toEqual([
      lastBy('updatedAt'),
      lastBy('publishedAt'),
      `/api/redirects?${OLDEST}&${FIRST_PAGE}`,
    ]);
  });

  it('the query for article addresses selects only what an address needs, oldest first', async ({
    backend,
  }) => {
    const { api, client } = apiOf(backend);
    const ask = (call: string) => client.getJson(call, never());
    const read = api.articleAddresses(ask, { first: 1, last: 100 });
    expect((await read.next()).value).toContainEqual({
      id: expect.any(String),
      slug: 'accepting-cards-in-spain',
      updatedAt: expect.stringMatching(/^2026-/),
      category: expect.objectContaining({ slug: 'guides' }),
      cover: expect.stringMatching(/^\/uploads\//),
      seo: null,
    });
    expect(backend.calls.map(({ url }) => url)).toEqual([
      '/api/articles?fields[0]=slug&fields[1]=updatedAt&fields[2]=publishAt&fields[3]=unpublishAt&populate[category][fields][0]=name&' +
        'populate[category][fields][1]=slug&populate[cover][fields][0]=url&populate[cover][fields][1]=createdAt&' +
        `populate[cover][fields][2]=updatedAt&${ROBOTS}&${OLDEST}&${FIRST_PAGE}`,
    ]);
  });

  it('a field with broken JSON is reported with its entry', async ({ backend }) => {
    const { api, problems, load } = apiOf(backend);
    const pages = dataOf(capture('v4', 'pages.json'));
    backend.on('/api/pages', { data: pages.filter(({ id }) => id === 3) });
    expect(await load(api.entry('pages', 'cookies'))).toMatchObject({ questions: [] });
    expect(problems).toEqual([
      {
        kind: 'broken-json',
        type: 'pages',
        id: '3',
        field: 'questions',
        reason: expect.stringContaining("'questions'"),
      },
    ]);
  });

  it('queries omit the field `date` once the backend has refused it', async ({ backend }) => {
    const { api, load } = apiOf(backend);
    const refusal = {
      status: 400,
      name: 'ValidationError',
      message: 'Invalid key date',
      details: { key: 'date' },
    };
    backend.on('/api/articles', (req, res) => {
      if (decodeURIComponent(req.url ?? '').includes('=date'))
        sendJson(res, 400, { data: null, error: refusal });
      else sendJson(res, 200, capture('v5-as-v4', 'articles-page-1.json'));
    });
    expect((await load(api.newestArticles(30, BY_DATE))).items.length).toBeGreaterThan(0);
    expect((await load(api.articlesOfCategory('guides', 1, BY_DATE))).items.length).toBeGreaterThan(0);
    expect(backend.calls.length).toBeGreaterThan(2);
    expect(backend.calls.filter(({ url }) => url.includes('=date'))).toEqual([backend.calls[0]]);
  });

  it('the query of a list never selects the bodies of articles', async ({ backend }) => {
    const { api, load } = apiOf(backend);
    await load(api.articlesOfCategory('guides', 1, BY_DATE));
    await load(api.newestArticles(30, BY_DATE));
    expect(backend.calls).toHaveLength(2);
    for (const { url } of backend.calls) expect(url).not.toMatch(/body|populate=\*/);
  });

  it('a slug cannot inject parameters into a query', async ({ backend }) => {
    const { api, load } = apiOf(backend);
    const asked: (string | undefined)[] = [];
    const empty = { data: [], meta: { pagination: { page: 1, pageSize: 12, pageCount: 0, total: 0 } } };
    for (const path of ['/api/articles', '/api/pages']) {
      backend.on(path, (req, res) => {
        asked.push(req.url);
        sendJson(res, 200, empty);
      });
    }
    const slug = 'a&status=draft#?/é]';
    await load(api.articlesWithSlug(slug, 'canonical'));
    await load(api.articlesOfCategory(slug, 1, BY_DATE));
    await load(api.entry('pages', slug));
    const compared = asked.map(url => {
      const { searchParams, hash } = new URL(url ?? '', 'http://backend');
      expect(hash).toBe('');
      expect(searchParams.has('status')).toBe(false);
      return [...searchParams].find(([key]) => key.startsWith('filters'));
    });
    const lookup = [['filters[slug][$eq]', slug], ['filters[slug][$eqi]', slug], undefined];
    expect(compared).toEqual([...lookup, ['filters[category][slug][$eq]', slug], ...lookup]);
  });
});

describe('a list', () => {
  /** Responds with pages of one category each. */
  const paged =
    (pageCount: number): Parameters<FakeBackend['on']>[1] =>
    (req, res) => {
      const page = Number(new URL(req.url ?? '', 'http://b').searchParams.get('pagination[page]'));
      const data = [{ id: page, name: `Category ${page}`, slug: `c-${page}` }];
      sendJson(res, 200, {
        data,
        meta: { pagination: { page, pageSize: 100, pageCount, total: pageCount } },
      });
    };

  it('a list is read to its last page, in order', async ({ backend }) => {
    backend.on('/api/categories', paged(3));
    const categories = (await loadFrom(backend, api => api.categories())).list;
    expect(categories.map(({ slug }) => slug)).toEqual(['c-1', 'c-2', 'c-3']);
    expect(
      backend.calls.map(({ url }) => new URL(url, 'http://b').searchParams.get('pagination[page]')),
    ).toEqual(['1', '2', '3']);
  });

  it('a list of a billion pages is a failure whose message has the number', async ({ backend }) => {
    backend.on('/api/categories', paged(1_000_000_000));
    const error = await failureOf(loadFrom(backend, api => api.categories()));
    expect(error).toMatchObject({ kind: 'malformed' });
    expect(error.message).toContain('1000000000 pages');
    expect(backend.calls).toHaveLength(1);
  });

  it('a list is read beyond ten thousand rows, four pages at a time', async ({ backend }) => {
    backend.on('/api/categories', paged(150));
    const categories = (await loadFrom(backend, api => api.categories())).list;
    expect(categories.map(({ slug }) => slug)).toEqual(Array.from({ length: 150 }, (_, at) => `c-${at + 1}`));
    expect(backend.calls).toHaveLength(150);
  });

  it('a list fails as a whole if one of its pages fails', async ({ backend }) => {
    const good = paged(3);
    backend.on('/api/categories', (req, res) => {
      if (req.url?.includes('page%5D=2') || req.url?.includes('page]=2')) sendJson(res, 500, {});
      else if (typeof good === 'function') good(req, res);
    });
    const error = await failureOf(loadFrom(backend, api => api.categories()));
    expect(error).toMatchObject({ kind: 'status', status: 500 });
    // The third page was requested together with the second.
    await eventually(() => expect(backend.calls).toHaveLength(3));
  });

  it.for([
    ['without pages', { data: [{ id: 1, name: 'A', slug: 'a' }] }],
    [
      'with odd pages',
      { data: [{ id: 1, name: 'A', slug: 'a' }], meta: { pagination: { pageCount: '7', total: -1 } } },
    ],
    [
      'with no pages',
      { data: [{ id: 1, name: 'A', slug: 'a' }], meta: { pagination: { pageCount: 0, total: 0 } } },
    ],
    ['that is bare', [{ id: 1, name: 'A', slug: 'a' }]],
  ] as const)('a list ends at a page %s', async ([_, body], { backend }) => {
    backend.on('/api/categories', body);
    expect((await loadFrom(backend, api => api.categories())).list).toHaveLength(1);
    expect(backend.calls).toHaveLength(1);
  });

  const COUNTED = [
    'articlesOfCategory',
    'articlesOfAuthor',
    'articlesOfTag',
    'newestArticles',
    'articleOrder',
    'articleCount',
  ];

  it('a list may be empty', async ({ backend }) => {
    for (const path of new Set(Object.values(PATHS))) {
      backend.on(path, {
        data: [],
        meta: { pagination: { page: 1, pageSize: 100, pageCount: 0, total: 0 } },
      });
    }
    const { api, problems, load } = apiOf(backend);
    const lists = Object.keys(READS).filter(
      name => ![...SINGLES, ...BY_SLUG, ...COUNTED, 'redirects'].includes(name),
    );
    expect(lists).toHaveLength(6);
    for (const name of lists) {
      const content = await read(name, { api, load });
      // Categories and authors come with an index beside their list.
      const isIndexed = content !== null && 'list' in content;
      expect([name, isIndexed ? content.list : content]).toEqual([name, []]);
    }
    const { exact, wildcards } = await load(api.redirects());
    expect([exact.size, wildcards], 'the redirects of the site itself').toEqual([
      siteRedirects.length,
      new Map(),
    ]);
    expect(problems).toEqual([]);
  });

  it('a broken row of a list is reported with its id, and the others stay', async ({ backend }) => {
    backend.on('/api/categories', {
      data: [
        { id: 1, name: 'A', slug: 'a' },
        { id: 2, documentId: 'second', name: 'B' },
        { id: 3, name: 'C', slug: 'c' },
      ],
    });
    const { api, problems, load } = apiOf(backend);
    expect((await load(api.categories())).list.map(({ slug }) => slug)).toEqual(['a', 'c']);
    expect(problems).toEqual([
      {
        kind: 'row-left-out',
        type: 'categories',
        id: 'second',
        field: 'slug',
        reason: 'a category needs a name and a slug',
      },
    ]);
  });
});

describe("a page of a category's articles", () => {
  it('a list page of a category has the total number', async ({ backend }) => {
    backend.on('/api/articles', capture('v5-as-v4', 'articles-page-2.json'));
    const { items, ...page } = await loadFrom(backend, api => api.articlesOfCategory('news', 2, BY_DATE));
    expect(page).toEqual({ page: 2, pageCount: 3, total: 7 });
    expect(items.map(({ slug }) => slug)).toEqual([
      'a-note-without-a-cover',
      'embedding-the-payment-widget',
      'instant-payouts-reach-poland',
    ]);
  });

  it('a list page past the end is empty and has the total number', async ({ backend }) => {
    backend.on('/api/articles', capture('v5-as-v4', 'articles-page-past-end.json'));
    expect(await loadFrom(backend, api => api.articlesOfCategory('news', 9, BY_DATE))).toEqual({
      items: [],
      page: 9,
      pageCount: 3,
      total: 7,
    });
  });

  it('the total of a list page includes rows that were left out', async ({ backend }) => {
    backend.on('/api/articles', capture('v5-as-v4', 'articles-page-1.json'));
    const { items, total } = await loadFrom(backend, api => api.articlesOfCategory('news', 1, BY_DATE));
    expect(items).toHaveLength(2);
    expect(total).toBe(7);
  });
});

describe('an entry requested by its slug', () => {
  it.for(BY_SLUG)('an entry without a row is null (%s)', async (name, { backend }) => {
    backend.on(PATHS[name] ?? '', capture('v5-as-v4', 'articles-empty.json'));
    const { api, problems, load } = apiOf(backend);
    expect(await read(name, { api, load })).toBeNull();
    expect(problems).toEqual([]);
  });

  it.for(BY_SLUG)('an entry with a broken row is null and reported (%s)', async (name, { backend }) => {
    const fields = { title: null, body: null, date: null, category: null };
    const row = { id: 4, slug: 'accepting-cards-in-spain', ...fields };
    const pagination = { page: 1, pageSize: 25, pageCount: 1, total: 1 };
    for (const body of [{ data: [row], meta: { pagination } }, { data: [row] }]) {
      backend.on(PATHS[name] ?? '', body);
      const { api, problems, load } = apiOf(backend);
      expect(await read(name, { api, load })).toBeNull();
      expect(problems.filter(({ kind }) => kind === 'row-left-out')).toMatchObject([
        { id: '4', field: 'title' },
      ]);
    }
  });

  it.for(BY_SLUG)('an entry whose row is no object is a failure (%s)', async (name, { backend }) => {
    backend.on(PATHS[name] ?? '', { data: [null] });
    const { api, problems, load } = apiOf(backend);
    const error = await failureOf(read(name, { api, load }));
    expect(error).toMatchObject({ kind: 'malformed', call: `GET ${PATHS[name]}` });
    expect(problems.filter(({ kind }) => kind === 'row-left-out')).toHaveLength(1);
  });

  it('the first of several entries with one slug is returned', async ({ backend }) => {
    const row = { slug: 'same', body: '' };
    const rows = ['first', 'second'].map((title, id) => ({ ...row, id, title }));
    backend.on('/api/pages', { data: rows });
    expect(await loadFrom(backend, api => api.entry('pages', 'same'))).toMatchObject({ title: 'first' });
  });

  it('an article requested by its slug is returned without its category', async ({ backend }) => {
    const row = dataOf(capture('v5-as-v4', 'articles-page-1.json'))[1];
    backend.on('/api/articles', { data: [row] });
    const articles = await loadFrom(backend, api =>
      api.articlesWithSlug('outside-every-category', 'canonical'),
    );
    expect(articles).toMatchObject([{ slug: 'outside-every-category', category: null }]);
  });
});
