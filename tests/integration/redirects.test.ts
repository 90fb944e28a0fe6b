import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayloadAnswer } from '../../shared/payload/payload.ts';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { askOps, TOKEN } from '../support/invalidation-test.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

interface Row {
  from: unknown;
  to: unknown;
  statusCode?: unknown;
}

const ROWS: readonly Row[] = [
  { from: '/default', to: '/about' },
  { from: '/moved-301', to: '/about', statusCode: 301 },
  { from: '/moved-302', to: '/about', statusCode: 302 },
  { from: '/moved-307', to: '/about', statusCode: 307 },
  { from: '/moved-308', to: '/about', statusCode: 308 },
  { from: '/terms', to: '/about', statusCode: 301 },
  { from: '/Mixed/Case/', to: '/about', statusCode: 301 },
  { from: '/caf%C3%A9', to: '/about', statusCode: 301 },
  { from: '/own-query', to: '/blog/guides?page=2', statusCode: 302 },
  { from: '/own-hash', to: '/about#team', statusCode: 302 },
  { from: '/out', to: 'https://example.com/promo?from=site', statusCode: 302 },
  { from: '/out-plain', to: 'http://example.com/', statusCode: 301 },
  { from: '/out-relative', to: '//example.com/x', statusCode: 302 },
  { from: '/chain-1', to: '/chain-2', statusCode: 301 },
  { from: '/chain-2', to: '/chain-3', statusCode: 302 },
  { from: '/chain-3', to: '/about?end=1', statusCode: 307 },
  { from: '/chain-out', to: '/out', statusCode: 308 },
  { from: '/articles/**', to: '/blog/guides/**', statusCode: 308 },
  { from: '/articles/special', to: '/about', statusCode: 301 },
  { from: '/articles/news/**', to: '/blog/news/**', statusCode: 302 },
  { from: '/all/**', to: '/about', statusCode: 302 },
  { from: '/root/**', to: '/**', statusCode: 302 },
  { from: '/shop/**', to: 'https://shop.example.com/**', statusCode: 302 },
  // Rows that must be left out.
  { from: '/self', to: '/self', statusCode: 301 },
  { from: '/self-case', to: '/SELF-CASE/', statusCode: 301 },
  { from: '/loop-a', to: '/loop-b', statusCode: 301 },
  { from: '/loop-b', to: '/loop-c', statusCode: 302 },
  { from: '/loop-c', to: '/loop-a', statusCode: 302 },
  { from: '/grow/**', to: '/grow/more/**', statusCode: 301 },
  { from: '/script', to: 'javascript:alert(1)', statusCode: 301 },
  { from: '/data', to: 'data:text/html,hello', statusCode: 301 },
  { from: '/vbscript', to: 'vbscript:x', statusCode: 301 },
  { from: '/blob', to: 'blob:https://example.com/1', statusCode: 301 },
  { from: '/backslash', to: '/\\evil.example', statusCode: 301 },
  { from: '/newline', to: '/about\r\nSet-Cookie: a=b', statusCode: 301 },
  { from: '/teapot', to: '/about', statusCode: 418 },
  { from: '/default', to: '/terms-of-use', statusCode: 301 },
  { from: 'no-slash', to: '/about' },
  { from: '/nothing', to: null },
  { from: null, to: '/about' },
];
const LEFT_OUT = [
  '/self',
  '/self-case',
  '/loop-a',
  '/loop-b',
  '/loop-c',
  '/grow/x',
  '/script',
  '/data',
  '/vbscript',
  '/blob',
  '/backslash',
  '/newline',
  '/teapot',
  '/nothing',
];

const rows = (list: readonly Row[]) => ({
  data: list.map((attributes, index) => ({ id: index + 1, attributes })),
  meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: list.length } },
});

let backend: FakeBackend;
let site: RunningSite;

beforeAll(async () => {
  backend = await startFakeBackend();
  backend.on('/api/redirects', rows(ROWS));
  site = await startSite({ contentBaseUrl: backend.url, env: { OPS_TOKEN: TOKEN } });
});
afterAll(async () => {
  await site.close();
  await backend.close();
});

const page = (path: string, base = site.url) => sendRequest(base, path, { headers: AS_BROWSER });
async function payload(path: string, search = ''): Promise<PayloadAnswer> {
  const answer = await sendRequest(site.url, payloadAddress(path, search, 'any'));
  expect(answer.status).toBe(200);
  return answer.json<PayloadAnswer>();
}

function expectRedirect(answer: Answer, status: number, location: string, keptS = 60): void {
  expect([answer.status, answer.headers.location]).toEqual([status, location]);
  expect(answer.headers['cache-control']).toBe(`public, max-age=0, s-maxage=${keptS}`);
  expect(answer.body.byteLength).toBe(0);
}

describe('a row of the backend', () => {
  it.each<[path: string, status: number, to: string, external: boolean]>([
    ['/default', 307, '/about', false],
    ['/moved-301', 301, '/about', false],
    ['/moved-302', 302, '/about', false],
    ['/moved-307', 307, '/about', false],
    ['/moved-308', 308, '/about', false],
    ['/terms', 301, '/about', false],
    ['/mixed/case', 301, '/about', false],
    ['/MIXED/CASE/', 301, '/about', false],
    ['/caf%c3%a9', 301, '/about', false],
    ['/CAF%C3%89', 301, '/about', false],
    ['/own-query', 302, '/blog/guides?page=2', false],
    ['/own-hash', 302, '/about#team', false],
    ['/out', 302, 'https://example.com/promo?from=site', true],
    ['/out-plain', 301, 'http://example.com/', true],
    ['/out-relative', 302, 'https://example.com/x', true],
    ['/chain-1', 301, '/about?end=1', false],
    ['/chain-2', 302, '/about?end=1', false],
    ['/chain-out', 308, 'https://example.com/promo?from=site', true],
    ['/articles/a-title', 308, '/blog/guides/a-title', false],
    ['/articles/A-Title/deeper%20down', 308, '/blog/guides/A-Title/deeper%20down', false],
    ['/articles', 308, '/blog/guides', false],
    ['/articles/special', 301, '/about', false],
    ['/articles/news/today', 302, '/blog/news/today', false],
    ['/all/of/it', 302, '/about', false],
    ['/root/about', 302, '/about', false],
    ['/shop/basket/1', 302, 'https://shop.example.com/basket/1', true],
  ])('a redirect row answers %s with %i to %s', async (path, status, to, external) => {
    expectRedirect(await page(path), status, to);
    expect(await payload(path.replace(/\/$/, ''))).toEqual({
      buildId: site.site.manifest.id,
      route: null,
      params: {},
      data: null,
      head: null,
      redirect: { to, statusCode: status, external },
    });
  });

  it('a redirect row for a path and all paths below it matches only whole segments', async () => {
    expect((await page('/articlesque/x')).headers.location).toBeUndefined();
    expect((await page('/default/more')).headers.location).toBeUndefined();
  });

  it('a redirect row answers HEAD like GET', async () => {
    const answer = await sendRequest(site.url, '/moved-301', { method: 'HEAD' });
    expectRedirect(answer, 301, '/about');
  });
});

describe('the query', () => {
  it.each([
    ['/moved-301?a=1&b=%20x+y&a=2', '/about?a=1&b=%20x+y&a=2'],
    ['/moved-301?to=https://evil.example/?x', '/about?to=https://evil.example/?x'],
    ['/own-query?page=9', '/blog/guides?page=2'],
    ['/own-hash?a=1', '/about?a=1#team'],
    ['/out-plain?a=1', 'http://example.com/?a=1'],
    ['/articles/x?a=1', '/blog/guides/x?a=1'],
    ['/chain-1?a=1', '/about?end=1'],
  ])('the query of %s is kept, unless the target has its own', async (path, location) => {
    expect((await page(path)).headers.location).toBe(location);
  });

  it('a payload’s redirect keeps the query without its payload parameters', async () => {
    expect(await payload('/moved-301', '?a=1&a=2')).toMatchObject({ redirect: { to: '/about?a=1&a=2' } });
    expect(await payload('/moved-301')).toMatchObject({ redirect: { to: '/about' } });
  });
});

describe('a row that cannot be followed', () => {
  it.each(LEFT_OUT)('the invalid redirect row %s redirects nowhere', async path => {
    const answer = await page(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.location).toBeUndefined();
    expect(await payload(path)).toMatchObject({ error: { statusCode: 404 } });
  });

  it('an invalid redirect row is logged once, with its id and reason', async () => {
    const problems = site.log.filter(line => line.code === 'content-redirect-left-out');
    expect(problems.map(line => line.from).sort()).toEqual(
      [
        ...[
          '/self',
          '/self-case',
          '/loop-a',
          '/loop-b',
          '/loop-c',
          '/grow/**',
          '/script',
          '/data',
          '/vbscript',
        ],
        ...['/blob', '/backslash', '/newline', '/teapot', '/default', 'no-slash', '/nothing', ''],
      ].sort(),
    );
    for (const line of problems) {
      expect(line).toMatchObject({ level: 'warn', id: expect.any(String), reason: expect.any(String) });
    }
    expect(problems.find(line => line.from === '/loop-b')).toMatchObject({
      reason: 'it leads back to itself',
    });
  });

  it.each([
    ['/loop-b', 'to', '/loop-b: it leads back to itself'],
    ['/script', 'to', "/script: 'to' wants a path of the site or an http(s) address"],
    ['/teapot', 'statusCode', "/teapot: 'statusCode' wants one of 301, 302, 307, 308 or 410"],
    ['no-slash', 'from', "no-slash: 'from' wants a path that begins with a slash"],
    ['', 'from', "'from' wants a path that begins with a slash"],
  ])(
    'the invalid row from “%s” is reported with its field %s, in the log and in GET /cache',
    async (from, field, reason) => {
      const line = site.log.find(
        ({ code, from: own }) => code === 'content-redirect-left-out' && own === from,
      );
      expect(line).toMatchObject({ field, reason: expect.toSatisfy(own => reason.endsWith(own)) });
      const listing = await askOps(site.opsUrl, 'GET', '/cache', TOKEN);
      const { problems } = listing.json<{ problems: { id: string }[] }>();
      expect(problems.find(({ id }) => id === line?.id)).toMatchObject({ field, reason });
    },
  );
});

describe('the canonical address', () => {
  it.each([
    ['/About', '/about'],
    ['/about/', '/about'],
    ['/about//', '/about'],
    ['//about', '/about'],
    ['/blog//guides', '/blog/guides'],
    ['/BLOG/Guides/', '/blog/guides'],
    ['/%61bout', '/about'],
    ['/%61%62out/', '/about'],
    ['/caf%c3%a9s', '/caf%C3%A9s'],
    ['/cafe%CC%81s', '/caf%C3%A9s'],
    ['/ABOUT?A=B&c=%20D', '/about?A=B&c=%20D'],
    ['/about/?', '/about'],
    ['//', '/'],
  ])('%s is redirected to its canonical address %s by one 308, with its query', async (path, location) => {
    expectRedirect(await page(path), 308, location);
    const again = await page(location);
    expect(again.headers.location).toBeUndefined();
  });

  it('a letter with a composed form only in lower case gets its canonical address by one redirect', async () => {
    const answer = await page('/%48%CC%B1');
    expect(answer.status).toBe(308);
    expect((await page(String(answer.headers.location))).headers.location).toBeUndefined();
  });

  it('a payload contains the redirect to the canonical address', async () => {
    expect(await payload('/About', '?a=1')).toMatchObject({
      redirect: { to: '/about?a=1', statusCode: 308, external: false },
    });
  });

  it.each(['/about', '/', '/blog/guides?page=2', '/about?'])('%s is not redirected', async path => {
    expect((await page(path)).headers.location).toBeUndefined();
  });
});

describe('a hostile path never redirects to another site', () => {
  it.each([
    '//evil.example',
    '//evil.example/',
    '///evil.example',
    '//evil.example/%2e%2e',
    '/\\evil.example',
    '\\\\evil.example',
    '/%5Cevil.example',
    '/%5c%5cevil.example/',
    '/%2Fevil.example',
    '/%2f%2fevil.example/',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e%2e//evil.example',
    '/%2e//evil.example/',
    '/../../etc/passwd',
    '/about/../../x',
    '/%00',
    '/about%00',
    '/%09/evil.example',
    '/%0d%0aLocation:%20https://evil.example',
    '/about%0d%0aSet-Cookie:%20a=b/',
    'http://evil.example/About',
    '/root//evil.example',
    '/root///evil.example/x',
    '/root/%2Fevil.example',
    '/root/%5Cevil.example',
    '/ROOT//evil.example/',
    '/articles//evil.example',
    '//root//evil.example',
    '/@evil.example/',
    '/%40evil.example/',
    '/shop//evil.example',
    '/shop/@evil.example',
    '/shop/..%2f..%2f@evil.example',
    '//evil.example/_payload.json',
    '/root//evil.example/_payload.json',
  ])('the hostile path %s never redirects to another site', async path => {
    const answer = await page(path);
    expect([200, 301, 302, 307, 308, 400, 404]).toContain(answer.status);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const target = path.endsWith('_payload.json')
      ? (answer.json<{ redirect?: { to: string } }>().redirect?.to ?? null)
      : (answer.headers.location ?? null);
    if (target === null) return;
    // The test resolves the address as a browser does.
    expect([new URL(site.url).origin, 'https://shop.example.com']).toContain(
      new URL(target, site.url).origin,
    );
    expect(target.startsWith('https://shop.example.com') === /^\/+shop/.test(path)).toBe(true);
  });

  it.each(['/..', '/%2e%2e/x', '/.', '/%2E', '/%00', '/%0a', '/%7f', '/a%5Cb', '/a\\b', '/a%2Fb'])(
    'the undecodable path %s is a 400 even where a row would match',
    async path => {
      for (const prefix of ['', '/articles', '/root']) {
        const answer = await page(prefix + path);
        expect([prefix, answer.status, answer.headers.location]).toEqual([prefix, 400, undefined]);
      }
    },
  );
});

describe('redirects that cannot be loaded', () => {
  let other: RunningSite;

  beforeEach(() => backend.on('/api/redirects', failing(500)));

  it('redirects that cannot be loaded leave the site up and are logged, and work again later', async () => {
    other = await startSite({ contentBaseUrl: backend.url });
    try {
      expect((await page('/about', other.url)).status).toBe(200);
      expect((await page('/moved-301', other.url)).status).toBe(404);
      // Without the backend's rows the address is a 404. The rows apply once the backend answers again.
      expect(other.log).toContainEqual(
        expect.objectContaining({ level: 'error', code: 'content-type-down', type: 'redirects' }),
      );
      backend.on('/api/redirects', rows(ROWS));
      await eventually(async () => expectRedirect(await page('/moved-301', other.url), 301, '/about'));
    } finally {
      await other.close();
    }
  });

  it('redirects that cannot be loaded again are served from the cache', async () => {
    backend.on('/api/redirects', rows(ROWS));
    other = await startSite({ contentBaseUrl: backend.url, env: { CONTENT_TTL_MS: '0' } });
    try {
      expectRedirect(await page('/moved-301', other.url), 301, '/about', 0);
      backend.on('/api/redirects', failing(500));
      expectRedirect(await page('/moved-301', other.url), 301, '/about', 0);
    } finally {
      await other.close();
    }
  });
});

describe('redirects that have to be loaded', () => {
  it('redirects load in parallel with the page, and take precedence', async () => {
    const other = await startSite({ contentBaseUrl: backend.url });
    const hold = heldAnswer(rows(ROWS));
    backend.on('/api/redirects', hold.behaviour);
    const before = backend.callsTo('/api/pages').length;
    try {
      const [about, moved] = [page('/about', other.url), page('/moved-301', other.url)];
      await eventually(() => expect(hold.waiting()).toBe(1));
      // An address without an entry is requested twice: in its canonical form, then ignoring case.
      await eventually(() => expect(backend.callsTo('/api/pages').length - before).toBe(3));
      hold.release();
      expect((await about).status).toBe(200);
      expectRedirect(await moved, 301, '/about');
    } finally {
      await other.close();
      backend.reset();
    }
  });
});

describe('the site’s own rows', () => {
  it.each([
    ['/index.html', '/'],
    ['/feed', '/blog/feed.xml'],
    ['/rss.xml', '/blog/feed.xml'],
    ['/feed.xml', '/blog/feed.xml'],
    ['/blog/feed', '/blog/feed.xml'],
  ])('the site’s own redirect from %s goes to %s, which exists', async (path, location) => {
    expectRedirect(await page(path), 308, location);
    expect((await page(location)).status).toBe(200);
  });
});
