import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createBackendClient } from '../../server/backend/backend-client.ts';
import { type ContentApi, createContentApi } from '../../server/content/content-api.ts';
import type { ContentProblem } from '../../server/content/decode/decode-fields.ts';
import { BackendError } from '../../server/errors.ts';
import { CAPTURE_SETS, comparable, dataOf, fieldsOf, startDecoding } from '../support/decoding.ts';
import { capture, type FakeBackend, failing, sendJson, startFakeBackend } from '../support/fake-backend.ts';

const never = () => new AbortController().signal;

function apiOf(backend: FakeBackend): { api: ContentApi; problems: ContentProblem[] } {
  const client = createBackendClient({ baseUrl: backend.url, token: null, headers: {}, timeoutMs: 20_000 });
  const { context, problems } = startDecoding();
  return { api: createContentApi(client, context), problems };
}

/** Calls that read, by name, so that a table of tests can name them. */
const READS: Record<string, (api: ContentApi) => Promise<unknown>> = {
  categories: api => api.categories(never()),
  settings: api => api.settings(never()),
  socials: api => api.socials(never()),
  authors: api => api.authors(never()),
  landing: api => api.landing(never()),
  mainPage: api => api.mainPage(never()),
  articlesOfCategory: api => api.articlesOfCategory('guides', 2, never()),
  allArticles: api => api.allArticles(never()),
  article: api => api.article('accepting-cards-in-spain', never()),
  'entries of business-solutions': api => api.entries('business-solutions', never()),
  'entries of commerces': api => api.entries('commerces', never()),
  'entries of pages': api => api.entries('pages', never()),
  'entry of business-solutions': api => api.entry('business-solutions', 'payouts', never()),
  'entry of commerces': api => api.entry('commerces', 'online-shops', never()),
  'entry of pages': api => api.entry('pages', 'about', never()),
  redirects: api => api.redirects(never()),
};
const SINGLES = ['settings', 'landing', 'mainPage'];
const BY_SLUG = ['article', 'entry of business-solutions', 'entry of commerces', 'entry of pages'];

function read(name: string, api: ContentApi): Promise<unknown> {
  const call = READS[name];
  if (!call) expect.fail(`no call '${name}'`);
  return call(api);
}

async function failureOf(call: Promise<unknown>): Promise<BackendError> {
  const outcome = await call.then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) expect.fail(`answered ${JSON.stringify(outcome.value)}`);
  expect(outcome.error).toBeInstanceOf(BackendError);
  return outcome.error as BackendError;
}

let backend: FakeBackend;
beforeAll(async () => {
  backend = await startFakeBackend('v5-as-v4');
});
afterEach(() => backend.reset());
afterAll(() => backend.close());

const PATHS: Record<string, string> = {
  categories: '/api/categories',
  settings: '/api/settings',
  socials: '/api/socials',
  authors: '/api/authors',
  landing: '/api/landing',
  mainPage: '/api/main-page',
  articlesOfCategory: '/api/articles',
  allArticles: '/api/articles',
  article: '/api/articles',
  'entries of business-solutions': '/api/business-solutions',
  'entries of commerces': '/api/commerces',
  'entries of pages': '/api/pages',
  'entry of business-solutions': '/api/business-solutions',
  'entry of commerces': '/api/commerces',
  'entry of pages': '/api/pages',
  redirects: '/api/redirects',
};

describe('the query', () => {
  const FIRST_PAGE = 'pagination[page]=1&pagination[pageSize]=100';
  const NEWEST = 'sort[0]=publishedAt:desc&sort[1]=id:desc';
  const SUMMARY =
    'fields[0]=title&fields[1]=description&fields[2]=slug&fields[3]=publishedAt&fields[4]=createdAt&fields[5]=updatedAt&' +
    'fields[6]=date&populate[cover]=true&populate[category][fields][0]=name&' +
    'populate[category][fields][1]=slug&populate[author][populate]=image';
  const ENTRY = 'fields[0]=title&fields[1]=description&fields[2]=slug&fields[3]=updatedAt';

  it.each([
    ['categories', FIRST_PAGE],
    ['settings', 'populate=*'],
    ['socials', `populate=*&${FIRST_PAGE}`],
    ['authors', `populate=*&${FIRST_PAGE}`],
    [
      'landing',
      'populate[countries_list][populate]=image&populate[block1Icons]=true&populate[paymentBlockImages][populate]=image',
    ],
    ['mainPage', ''],
    [
      'articlesOfCategory',
      `filters[category][slug][$eq]=guides&${NEWEST}&pagination[page]=2&pagination[pageSize]=12&${SUMMARY}`,
    ],
    ['allArticles', `${NEWEST}&${SUMMARY}&${FIRST_PAGE}`],
    [
      'article',
      'filters[slug][$eq]=accepting-cards-in-spain&populate[cover]=true&populate[category]=true&populate[author][populate]=image',
    ],
    ['entries of business-solutions', `${ENTRY}&populate[cover]=true&${FIRST_PAGE}`],
    ['entries of commerces', `${ENTRY}&populate[cover]=true&${FIRST_PAGE}`],
    ['entries of pages', `${ENTRY}&${FIRST_PAGE}`],
    ['entry of business-solutions', 'filters[slug][$eq]=payouts&populate[cover]=true'],
    ['entry of commerces', 'filters[slug][$eq]=online-shops&populate[cover]=true'],
    ['entry of pages', 'filters[slug][$eq]=about'],
    ['redirects', FIRST_PAGE],
  ])('of %s is the documented one', async (name, query) => {
    await read(name, apiOf(backend).api);
    expect(backend.calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${PATHS[name]}${query && `?${query}`}`,
    ]);
  });

  it('names a field whose JSON is broken, with its entry', async () => {
    const { api, problems } = apiOf(backend);
    backend.on('/api/pages', capture('v4', 'pages.json'));
    expect((await api.entries('pages', never())).length).toBe(3);
    expect(problems).toEqual([
      { kind: 'broken-json', type: 'pages', id: '3', reason: expect.stringContaining("'questions'") },
    ]);
  });

  it('does without the date where the backend refuses to be asked for it, from then on', async () => {
    const { api } = apiOf(backend);
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
    expect((await api.allArticles(never())).length).toBeGreaterThan(0);
    expect((await api.articlesOfCategory('guides', 1, never())).items.length).toBeGreaterThan(0);
    expect(backend.calls.length).toBeGreaterThan(2);
    expect(backend.calls.filter(({ url }) => url.includes('=date'))).toEqual([backend.calls[0]]);
  });

  it('never asks for the body of an article in a list', async () => {
    const { api } = apiOf(backend);
    await api.articlesOfCategory('guides', 1, never());
    await api.allArticles(never());
    expect(backend.calls).toHaveLength(2);
    for (const { url } of backend.calls) expect(url).not.toMatch(/body|populate=\*/);
  });

  it('cannot be extended by a slug', async () => {
    const { api } = apiOf(backend);
    const asked: (string | undefined)[] = [];
    const empty = { data: [], meta: { pagination: { page: 1, pageSize: 12, pageCount: 0, total: 0 } } };
    for (const path of ['/api/articles', '/api/pages']) {
      backend.on(path, (req, res) => {
        asked.push(req.url);
        sendJson(res, 200, empty);
      });
    }
    const slug = 'a&status=draft#?/é]';
    await api.article(slug, never());
    await api.articlesOfCategory(slug, 1, never());
    await api.entry('pages', slug, never());
    expect(asked).toHaveLength(3);
    for (const url of asked) {
      const { searchParams, hash } = new URL(url ?? '', 'http://backend');
      expect(hash).toBe('');
      expect(searchParams.has('status')).toBe(false);
      expect([
        searchParams.get('filters[slug][$eq]'),
        searchParams.get('filters[category][slug][$eq]'),
      ]).toContain(slug);
    }
  });
});

describe.each(CAPTURE_SETS)('a backend that answers as %s', set => {
  let recorded: FakeBackend;
  beforeAll(async () => {
    recorded = await startFakeBackend(set);
  });
  afterAll(() => recorded.close());

  it('gives every entity, the same as every other', async () => {
    const { api } = apiOf(recorded);
    const names = Object.keys(READS);
    const values = await Promise.all(names.map(name => read(name, api)));
    const all = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    const reference = await (async () => {
      const { api: other } = apiOf(backend);
      return Object.fromEntries(
        await Promise.all(names.map(async name => [name, await read(name, other)] as const)),
      );
    })();
    // What was recorded broken in Strapi 4 alone, and the raw attributes, which differ by nature.
    const settled = (content: Record<string, unknown>) => {
      const { settings, landing, mainPage, redirects, ...rest } = content as Record<
        string,
        Record<string, unknown>
      >;
      return comparable({
        ...rest,
        mainPage: { ...mainPage, attributes: null },
        settings: { ...settings, attributes: null, socials: null },
        landing: { ...landing, attributes: null, partnersBlock: null },
      });
    };
    expect(settled(all)).toEqual(settled(reference));
    expect(values).not.toContain(null);
  });

  it('gives the rows of the redirects as they are', async () => {
    const { api } = apiOf(recorded);
    expect(await api.redirects(never())).toEqual(capture(set, 'redirects.json').data);
  });
});

describe('a list', () => {
  /** Answers with pages of one category each. */
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

  it('is followed to its last page, in order', async () => {
    backend.on('/api/categories', paged(3));
    const categories = await apiOf(backend).api.categories(never());
    expect(categories.map(({ slug }) => slug)).toEqual(['c-1', 'c-2', 'c-3']);
    expect(
      backend.calls.map(({ url }) => new URL(url, 'http://b').searchParams.get('pagination[page]')),
    ).toEqual(['1', '2', '3']);
  });

  it('is not followed for ever', async () => {
    backend.on('/api/categories', paged(1_000_000_000));
    const categories = await apiOf(backend).api.categories(never());
    expect(categories).toHaveLength(100);
    expect(backend.calls).toHaveLength(100);
  });

  it('is a failure as a whole when one of its pages fails', async () => {
    const good = paged(3);
    backend.on('/api/categories', (req, res) => {
      if (req.url?.includes('page%5D=2') || req.url?.includes('page]=2')) sendJson(res, 500, {});
      else if (typeof good === 'function') good(req, res);
    });
    const error = await failureOf(apiOf(backend).api.categories(never()));
    expect(error).toMatchObject({ kind: 'status', status: 500 });
  });

  it.each([
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
  ])('%s is all there is', async (_, body) => {
    backend.on('/api/categories', body);
    expect(await apiOf(backend).api.categories(never())).toHaveLength(1);
    expect(backend.calls).toHaveLength(1);
  });

  it('may be empty', async () => {
    for (const path of new Set(Object.values(PATHS))) {
      backend.on(path, {
        data: [],
        meta: { pagination: { page: 1, pageSize: 100, pageCount: 0, total: 0 } },
      });
    }
    const { api, problems } = apiOf(backend);
    const lists = Object.keys(READS).filter(
      name => ![...SINGLES, ...BY_SLUG, 'articlesOfCategory'].includes(name),
    );
    expect(lists).toHaveLength(8);
    for (const name of lists) expect(await read(name, api)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('reports a broken row with its id and keeps the others', async () => {
    backend.on('/api/categories', {
      data: [
        { id: 1, name: 'A', slug: 'a' },
        { id: 2, documentId: 'second', name: 'B' },
        { id: 3, name: 'C', slug: 'c' },
      ],
    });
    const { api, problems } = apiOf(backend);
    expect((await api.categories(never())).map(({ slug }) => slug)).toEqual(['a', 'c']);
    expect(problems).toEqual([
      {
        kind: 'row-left-out',
        type: 'categories',
        id: 'second',
        reason: 'a category needs a name and a slug',
      },
    ]);
  });
});

describe("a page of a category's articles", () => {
  it('says how many there are', async () => {
    backend.on('/api/articles', capture('v5-as-v4', 'articles-page-2.json'));
    const { items, ...page } = await apiOf(backend).api.articlesOfCategory('news', 2, never());
    expect(page).toEqual({ page: 2, pageCount: 3, total: 7 });
    expect(items.map(({ slug }) => slug)).toEqual([
      'a-note-without-a-cover',
      'embedding-the-payment-widget',
      'instant-payouts-reach-poland',
    ]);
  });

  it('past the end is empty, and still says how many there are', async () => {
    backend.on('/api/articles', capture('v5-as-v4', 'articles-page-past-end.json'));
    expect(await apiOf(backend).api.articlesOfCategory('news', 9, never())).toEqual({
      items: [],
      page: 9,
      pageCount: 3,
      total: 7,
    });
  });

  it('counts what the backend counts, a row that was left out included', async () => {
    backend.on('/api/articles', capture('v5-as-v4', 'articles-page-1.json'));
    const { items, total } = await apiOf(backend).api.articlesOfCategory('news', 1, never());
    expect(items).toHaveLength(2);
    expect(total).toBe(7);
  });
});

describe('an entry asked for by its slug', () => {
  it.each(BY_SLUG)('(%s) is null when there is none', async name => {
    backend.on(PATHS[name] ?? '', capture('v5-as-v4', 'articles-empty.json'));
    const { api, problems } = apiOf(backend);
    expect(await read(name, api)).toBeNull();
    expect(problems).toEqual([]);
  });

  it.each(BY_SLUG)('(%s) is a failure, and not absent, when it is broken', async name => {
    const row = { id: 4, slug: 'accepting-cards-in-spain', title: null };
    const pagination = { page: 1, pageSize: 25, pageCount: 1, total: 1 };
    for (const body of [{ data: [row], meta: { pagination } }, { data: [row] }, { data: [null] }]) {
      backend.on(PATHS[name] ?? '', body);
      const { api, problems } = apiOf(backend);
      const error = await failureOf(read(name, api));
      expect(error).toMatchObject({ kind: 'malformed', call: `GET ${PATHS[name]}` });
      expect(problems.filter(({ kind }) => kind === 'row-left-out')).toHaveLength(1);
    }
  });

  it('is the first of several', async () => {
    const rows = ['first', 'second'].map((title, index) => ({ id: index + 1, title, slug: 'same' }));
    backend.on('/api/pages', { data: rows });
    expect(await apiOf(backend).api.entry('pages', 'same', never())).toMatchObject({ title: 'first' });
  });

  it('is there without a category, for the page to say so', async () => {
    const row = dataOf(capture('v5-as-v4', 'articles-page-1.json'))[1];
    backend.on('/api/articles', { data: [row] });
    const article = await apiOf(backend).api.article('outside-every-category', never());
    expect(article).toMatchObject({ slug: 'outside-every-category', category: null });
  });
});

describe('an answer that is none', () => {
  const names = Object.keys(READS);

  it.each(names)('(%s, data: null) is a failure', async name => {
    backend.on(PATHS[name] ?? '', { data: null });
    const error = await failureOf(read(name, apiOf(backend).api));
    expect(error).toMatchObject({ kind: 'malformed', call: `GET ${PATHS[name]}` });
  });

  it.each(names)('(%s, no data) is a failure', async name => {
    for (const body of [{}, { data: 'text' }, { error: { message: 'x' } }]) {
      backend.on(PATHS[name] ?? '', body);
      expect((await failureOf(read(name, apiOf(backend).api))).kind).toBe('malformed');
    }
  });

  it.each(names)('(%s, status 403, 404 and 500) is a failure', async name => {
    for (const status of [403, 404, 500]) {
      backend.on(PATHS[name] ?? '', failing(status));
      const error = await failureOf(read(name, apiOf(backend).api));
      expect(error).toMatchObject({ kind: 'status', status, call: `GET ${PATHS[name]}` });
    }
  });

  it.each(SINGLES)('(%s, a list in place of one) is a failure', async name => {
    backend.on(PATHS[name] ?? '', { data: [] });
    expect((await failureOf(read(name, apiOf(backend).api))).kind).toBe('malformed');
  });

  it('names its call without the query', async () => {
    backend.on('/api/articles', failing(500));
    const error = await failureOf(apiOf(backend).api.article('secret-slug', never()));
    expect(`${error.call} ${error.message}`).not.toContain('secret-slug');
  });
});

describe('a relation that is missing in every row', () => {
  const without = (row: Record<string, unknown>, ...names: string[]) =>
    Object.fromEntries(Object.entries(fieldsOf(row)).filter(([name]) => !names.includes(name)));
  const rows = () =>
    dataOf(capture('v5-as-v4', 'articles-by-category.json')).map((row, index) => ({
      id: index + 1,
      attributes: fieldsOf(row),
    }));
  const absent = (problems: readonly ContentProblem[]) =>
    problems
      .filter(({ kind }) => kind === 'relation-absent')
      .map(({ type, id, reason }) => [type, id, reason]);
  const reason = (name: string) =>
    `'${name}' is missing in every row: is its type's public permission set in the backend?`;

  it('is reported once an answer, by its name', async () => {
    const { api, problems } = apiOf(backend);
    const data = rows().map(({ id, attributes }) => ({
      id,
      attributes: without({ attributes }, 'category', 'author'),
    }));
    backend.on('/api/articles', { data });
    expect((await api.articlesOfCategory('guides', 1, never())).items).toEqual([]);
    expect(absent(problems)).toEqual([
      ['articles', null, reason('category')],
      ['articles', null, reason('author')],
    ]);
  });

  it('is reported of the countries as well', async () => {
    const { api, problems } = apiOf(backend);
    const { data } = capture('v5-flat', 'landing.json');
    backend.on('/api/landing', { data: without(data as Record<string, unknown>, 'countries_list') });
    const landing = await api.landing(never());
    expect(landing.countriesBlockCountries).toEqual([[], [], []]);
    expect(absent(problems)).toEqual([['landing', null, reason('countries_list')]]);
  });

  it('is not, where one row has it, and where it is empty', async () => {
    const { api, problems } = apiOf(backend);
    const [first, ...others] = rows();
    const data = [
      { id: 1, attributes: { ...first?.attributes, category: { data: null }, author: null } },
      ...others.map(({ id, attributes }) => ({
        id,
        attributes: without({ attributes }, 'category', 'author'),
      })),
    ];
    backend.on('/api/articles', { data });
    await api.articlesOfCategory('guides', 1, never());
    expect(absent(problems)).toEqual([]);
  });

  it('is not, in an answer that was recorded whole', async () => {
    const { api, problems } = apiOf(backend);
    await Promise.all([api.landing(never()), api.allArticles(never()), api.categories(never())]);
    expect(absent(problems)).toEqual([]);
  });
});

describe('sendEmail', () => {
  const message = { form: 'contact', name: 'José', text: 'Line one\n"quoted" </script>' };

  it('posts a JSON string of an object, once', async () => {
    await apiOf(backend).api.sendEmail(message, never());
    expect(backend.calls).toHaveLength(1);
    const [call] = backend.calls;
    expect(call).toMatchObject({ method: 'POST', url: '/api/email/send' });
    expect(call?.headers['content-type']).toBe('application/json');
    expect(call?.headers).not.toHaveProperty('idempotency-key');
    // Parsed once it is the object itself, and not a string that holds it.
    expect(JSON.parse(call?.body ?? '')).toEqual(message);
  });

  it('hands on the key by which the backend can tell a repetition', async () => {
    await apiOf(backend).api.sendEmail(message, never(), { idempotencyKey: 'key-1' });
    expect(backend.calls[0]?.headers['idempotency-key']).toBe('key-1');
  });

  it('does not use the answer', async () => {
    backend.on('/api/email/send', (_req, res) => void res.end('<html>'));
    await expect(apiOf(backend).api.sendEmail(message, never())).resolves.toBeUndefined();
  });

  it('fails as the backend fails, and does not try again', async () => {
    backend.on('/api/email/send', failing(500));
    const error = await failureOf(apiOf(backend).api.sendEmail(message, never()));
    expect(error).toMatchObject({ kind: 'status', status: 500, call: 'POST /api/email/send' });
    expect(backend.calls).toHaveLength(1);
  });
});

describe('a caller who leaves', () => {
  it.each([...Object.keys(READS).slice(0, 3), 'article'])('(%s) gets its own reason', async name => {
    const caller = new AbortController();
    const reason = new Error('gone');
    backend.on(PATHS[name] ?? '', () => caller.abort(reason));
    const { api } = apiOf(backend);
    const calls: Record<string, () => Promise<unknown>> = {
      categories: () => api.categories(caller.signal),
      settings: () => api.settings(caller.signal),
      socials: () => api.socials(caller.signal),
      article: () => api.article('a', caller.signal),
    };
    await expect(calls[name]?.()).rejects.toBe(reason);
  });
});
