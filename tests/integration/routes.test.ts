import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentTypes } from '../../shared/content/content-types.ts';
import type { TypeDescription } from '../../shared/content/descriptions.ts';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { parsePage } from '../support/parse-page.ts';
import type { SampleRoute } from '../support/sample-paths.ts';
import {
  CONTENT_ROUTES,
  SAMPLE_PATHS,
  SAMPLE_ROUTES,
  type SampleSite,
  startSampleSite,
} from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

let site: SampleSite;

beforeAll(async () => {
  site = await startSampleSite();
});
afterAll(() => site.close());

const getPage = (path: string) => supertest(site.url).get(path).set('Accept', AS_BROWSER.accept);
const getPayload = (path: string, search = '') =>
  supertest(site.url).get(payloadAddress(path, search, site.site.manifest.id));

/** @returns the backend call for the entry on a route's sample page. */
function callFor(id: SampleRoute): string {
  const types = Object.values<TypeDescription>(contentTypes);
  const { path, storage } = types.find(({ route }) => route === id) ?? {};
  const slug = SAMPLE_PATHS[id].split('/').at(-1);
  // A sample tag gets its address from its name.
  if (id === 'blog-tag') return `/api/${path}?filters[name][$eqi]=${slug}`;
  return storage === 'single' ? `/api/${path}` : `/api/${path}?filters[slug][$eq]=${slug}`;
}

interface Fields {
  title?: string;
  h1?: string;
  name?: string;
  headerBlock?: { title?: string };
}

/** Headings of pages that show no entry. The page of a new route may have any. */
const HEADINGS: Readonly<Partial<Record<SampleRoute, string>>> = {
  'blog-archive': 'Archive of articles',
  'blog-archive-year': 'Articles from 2026',
  'blog-archive-month': 'Articles from May 2026',
};

async function fieldsOf(id: SampleRoute): Promise<Fields> {
  const h1 = HEADINGS[id];
  if (h1 !== undefined) return { h1 };
  if (!Object.values<TypeDescription>(contentTypes).some(({ route }) => route === id))
    return { h1: expect.stringMatching(/\S/) };
  const answer = await fetch(site.backend.url + callFor(id), { headers: { 'Strapi-Response-Format': 'v4' } });
  const { data } = (await answer.json()) as { data: { attributes: Fields } | { attributes: Fields }[] };
  const [entry] = [data].flat();
  if (!entry) throw new Error(`The sample content has no entry for ${callFor(id)}`);
  return entry.attributes;
}

// `search.test.ts` tests the search, whose pages show no entry.
describe.each(CONTENT_ROUTES)('the route $id', route => {
  const path = SAMPLE_PATHS[route.id];

  it('a route answers 200 in its layout, with one heading, a title and its canonical address', async () => {
    const answer = await getPage(path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const page = parsePage(answer.text);
    const fields = await fieldsOf(route.id);
    expect(page.layout).toBe(route.layout);
    expect(page.hasShell).toBe(true);
    expect(page.headings).toEqual([fields.headerBlock?.title ?? fields.h1 ?? fields.title ?? fields.name]);
    // The title has the site name once.
    expect(page.title).toMatch(/^\S/);
    expect(page.title.split('Acme')).toHaveLength(2);
    expect(page.canonical).toBe(site.url + path);
    expect(page.robots).toBeNull();
    expect(page.inline).toEqual([]);
    expect(page.main.length).toBeGreaterThan(100);
  });

  it('a route has structured data that parses', async () => {
    const { jsonLd } = parsePage((await getPage(path)).text);
    for (const block of jsonLd) expect(block).toMatchObject({ '@context': 'https://schema.org' });
    if (route.id === 'blog-article')
      expect(jsonLd).toContainEqual(
        expect.objectContaining({ '@type': 'BlogPosting', mainEntityOfPage: site.url + path }),
      );
    if (path.split('/').length > 2)
      expect(jsonLd).toContainEqual(expect.objectContaining({ '@type': 'BreadcrumbList' }));
  });

  it('the payload of a route equals the data in its page', async () => {
    const [page, payload] = await Promise.all([getPage(path), getPayload(path)]);
    expect(payload.status).toBe(200);
    expect(payload.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(payload.body).toMatchObject({ route: route.id, buildId: site.site.manifest.id });
    expect(payload.body.params).toEqual(paramsOf(route.path, path));
    expect(payload.body).toEqual(parsePage(page.text).data?.payload);
    expect(payload.headers.etag).toBeTruthy();
    const again = await getPayload(path).set('If-None-Match', payload.headers.etag ?? '');
    expect(again.status).toBe(304);
  });

  it.each([path, payloadAddress(path, '', 'any')])(
    'the response to HEAD %s has the headers of GET',
    async address => {
      const [get, head] = await Promise.all([
        sendRequest(site.url, address, { headers: AS_BROWSER }),
        sendRequest(site.url, address, { method: 'HEAD', headers: AS_BROWSER }),
      ]);
      expect(head.status).toBe(200);
      expect(head.body.byteLength).toBe(0);
      expect(comparable(head.headers)).toEqual(comparable(get.headers));
    },
  );

  it('a route loads the chunks of its page, and only existing files', async () => {
    const { all } = parsePage((await getPage(path)).text);
    const files = [
      ...all('link').filter(({ properties }) =>
        /stylesheet|modulepreload|preload|icon/.test(String(properties.rel)),
      ),
      ...all('script').filter(({ properties }) => properties.src),
    ].map(({ properties }) => String(properties.href ?? properties.src));
    // The early script loads these files once the page is visible.
    const early = all('script').find(({ properties }) => properties.src === site.site.manifest.early);
    files.push(String(early?.properties.dataEntry), ...String(early?.properties.dataChunks).split(' '));
    expect(files).toEqual(
      expect.arrayContaining([...site.site.manifest.routes[route.id], site.site.manifest.entry]),
    );
    for (const file of new Set(files))
      expect([file, (await sendRequest(site.url, file)).status]).toEqual([file, 200]);
  });
});

/** @returns headers that responses to GET and HEAD share. Only the framing of the body differs. */
function comparable(headers: Record<string, unknown>): Record<string, unknown> {
  // The first request may be a miss, and one second may pass between the two requests.
  const {
    date,
    age,
    'cache-status': status,
    'x-request-id': id,
    'transfer-encoding': chunked,
    ...rest
  } = headers;
  expect(age ?? '0').toMatch(/^\d+$/);
  expect(status).toMatch(/^site; /);
  expect(date).toBeTruthy();
  expect(id).toMatch(/^[\w-]+-\d+$/);
  expect(chunked === undefined || chunked === 'chunked').toBe(true);
  return rest;
}

function paramsOf(pattern: string, path: string): Record<string, string> {
  const values = path.split('/');
  return Object.fromEntries(
    pattern
      .split('/')
      .flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), values[index] ?? '']] : [])),
  );
}

describe('addresses without a page', () => {
  it.each([
    pathTo('page', { slug: 'no-such-page' }),
    pathTo('blog-category', { category: 'no-such-category' }),
    pathTo('blog-article', { category: 'guides', slug: 'no-such-article' }),
    pathTo('blog-article', { category: 'no-such-category', slug: 'no-such-article' }),
    pathTo('blog-article', { category: 'guides', slug: 'draft-planning-for-next-year' }),
    pathTo('business-solution', { slug: 'no-such-solution' }),
    pathTo('commerce', { slug: 'no-such-shop' }),
    '/no/such/route/at/all',
    '/about/more',
    '/__proto__',
    '/constructor/toString',
  ])('%s is a 404, as a page and as a payload', async path => {
    const answer = await getPage(path);
    expect(answer.status).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
    const page = parsePage(answer.text);
    expect(page.layout).toBe('default');
    expect(page.headings).toEqual(['Page Not Found']);
    expect(page.main).toContain(`Page not found: ${path}`);
    expect(page.main).not.toContain('Try again');
    expect(page.robots).toBe('noindex');
    expect(page.canonical).toBeNull();

    const payload = await getPayload(path);
    expect(payload.status).toBe(200);
    expect(payload.body).toMatchObject({
      data: { page: null },
      error: { statusCode: 404, message: `Page not found: ${path}` },
    });
    expect(payload.body).toEqual(page.data?.payload);
  });
});

describe('the pages of a category', () => {
  const category = pathTo('blog-category', { category: 'guides' });

  it('the list pages of a category are numbered, each with an address', async () => {
    const first = parsePage((await getPage(category)).text);
    const second = parsePage((await getPage(`${category}?page=2`)).text);
    expect(second.canonical).toBe(`${site.url}${category}?page=2`);
    expect(second.title).toContain('page 2');
    expect(second.title).not.toBe(first.title);
    const articles = (page: typeof first) => {
      const data = page.data?.payload.data.page;
      if (!data || !('list' in data)) throw new Error('not the page of a category');
      return data.list.items.map(article => article.slug);
    };
    expect(articles(first)).toHaveLength(12);
    expect(articles(second).length).toBeGreaterThan(0);
    expect(articles(second).filter(slug => articles(first).includes(slug))).toEqual([]);
  });

  it('the payload of a list page has the data of the page', async () => {
    const [page, payload] = await Promise.all([
      getPage(`${category}?page=2`),
      getPayload(category, '?page=2'),
    ]);
    expect(payload.body).toEqual(parsePage(page.text).data?.payload);
  });

  it('the canonical address of a list page has no query parameter except `page`', async () => {
    const page = parsePage((await getPage(`${category}?page=2&utm_source=letter`)).text);
    expect(page.canonical).toBe(`${site.url}${category}?page=2`);
    const first = parsePage((await getPage(`${category}?utm_source=letter`)).text);
    expect(first.canonical).toBe(site.url + category);
  });

  it.each(['99', '0', 'abc', '-1', '2.0', '02', '1e1', '', '999999999999'])(
    '?page=%s is a 404',
    async number => {
      const page = await getPage(`${category}?page=${number}`);
      expect(page.status).toBe(404);
      expect(parsePage(page.text).main).toContain('Page not found: ');
      const payload = await getPayload(category, `?page=${number}`);
      expect(payload.body).toMatchObject({ error: { statusCode: 404 } });
    },
  );

  it('?page=1 is the first page under the canonical address', async () => {
    const answer = await getPage(`${category}?page=1`);
    expect(answer.status).toBe(200);
    expect(parsePage(answer.text).canonical).toBe(site.url + category);
  });
});

describe('an article', () => {
  const slug = 'faster-payouts-to-mexico';
  const own = pathTo('blog-article', { category: 'news', slug });

  it.each(['guides', 'no-such-category'])(
    'an article requested under the category %s redirects to the address with its own category',
    async category => {
      const path = pathTo('blog-article', { category, slug });
      const answer = await getPage(`${path}?utm_source=letter`);
      expect(answer.status).toBe(308);
      expect(answer.headers.location).toBe(`${own}?utm_source=letter`);
      const payload = await getPayload(path, '?utm_source=letter');
      expect(payload.status).toBe(200);
      expect(payload.body).toMatchObject({
        route: null,
        data: null,
        redirect: { to: `${own}?utm_source=letter`, statusCode: 308, external: false },
      });
      expect((await getPage(own)).status).toBe(200);
    },
  );

  it('an article does not vary by the device', async () => {
    expect(SAMPLE_ROUTES.filter(route => route.readsDevice)).toEqual([]);
    expect((await getPage(own)).headers.vary).toBe('Accept-Encoding');
  });
});

it('a page works without scripts: links, forms and content are in the HTML', async () => {
  const { all } = parsePage((await getPage('/contacts')).text);
  expect(all('noscript')).toEqual([]);
  const forms = all('form').map(({ properties }) => [properties.method, properties.action]);
  expect(forms).toEqual([
    [undefined, '/search'],
    ['post', '/api/email/send'],
    ['post', '/api/email/send'],
  ]);
  const links = all('a').map(({ properties }) => String(properties.href));
  expect(links).toEqual(expect.arrayContaining(['/', '/blog', '/about', '/business-solutions/payouts']));
});
