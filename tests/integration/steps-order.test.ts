import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RouteDefinition, routeTable } from '../../shared/routing/routes.ts';
import { type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

/**
 * Redirect rows for addresses of every kind. Any handler before `redirect` must take precedence over them.
 */
const TRAPS = [
  '/about',
  '/blog/guides',
  '/upper',
  '/old/**',
  '/assets/**',
  '/favicon.svg',
  '/uploads/**',
  '/images/**',
  '/builds/**',
  '/robots.txt',
  '/sitemap.xml',
  '/blog/feed.xml',
  '/api/**',
  '/no/route/at/all',
  '/blog/no-such-category',
  '/refused',
];

/** Handlers, each recognised by an effect that only it has. */
const STEPS = {
  'reject-malformed-url': ({ status, text }: Answer) =>
    status === 400 && text.includes('The address cannot be read.'),
  'built-assets': ({ headers }: Answer) => headers['cache-control'] === 'public, max-age=86400',
  'earlier-builds (none)': ({ status, text, headers }: Answer) =>
    status === 404 &&
    text === 'Not found' &&
    headers['content-security-policy']?.includes('sandbox') !== true,
  media: ({ headers }: Answer) => headers['content-security-policy']?.includes('sandbox') === true,
  images: ({ status, text }: Answer) => status === 400 && text.includes('the address of a picture: src'),
  builds: ({ text }: Answer) => /^\{"id":"[\da-f]{16}","timestamp":\d+/.test(text),
  robots: ({ text }: Answer) => text.startsWith('User-agent: *'),
  sitemap: ({ text }: Answer) => text.includes('<urlset'),
  feed: ({ text }: Answer) => text.includes('<rss'),
  markdown: ({ headers }: Answer) => headers['content-type'] === 'text/markdown; charset=utf-8',
  email: ({ status, text, headers }: Answer) =>
    headers.allow === 'POST' || (status === 422 && text.includes('Please check what you typed.')),
  'page-request': ({ status, text }: Answer) =>
    status === 405 && text.includes('This address can only be read.'),
  'await-start-up': ({ status, headers }: Answer) => status === 503 && headers['retry-after'] !== undefined,
  redirect: ({ status, headers }: Answer) =>
    status === 307 && headers.location?.startsWith('/trapped') === true,
  'canonical-address': ({ status }: Answer) => status === 308,
  'match-page': ({ status, text }: Answer) => status === 404 && text.includes('Page not found: '),
  'match-page (validate)': ({ status, text }: Answer) =>
    status === 410 && text.includes('validation said no'),
  'route-middleware': ({ status, text }: Answer) => status === 403 && text.includes('middleware said no'),
  'answer-page': ({ status, text }: Answer) => status === 200 && text.includes('id="page-data"'),
} satisfies Record<string, (answer: Answer) => boolean>;
type Step = keyof typeof STEPS;

let backend: FakeBackend;
let site: RunningSite;

const ran: string[] = [];
const routes = routeTable.map((route): RouteDefinition => {
  if (route.id === 'commerce') return { ...route, middleware: ['refuse'] };
  if (route.id === 'business-solution') {
    return {
      ...route,
      middleware: ['refuse'],
      validate: ({ slug }) => slug !== 'refused' || { statusCode: 410, message: 'validation said no' },
    };
  }
  return route;
});
const middleware = {
  'check-blog-category': () => true,
  refuse: () => {
    ran.push('refuse');
    return Object.assign(new Error('middleware said no'), { statusCode: 403 });
  },
};

beforeAll(async () => {
  backend = await startFakeBackend();
  const data = TRAPS.map((from, index) => ({
    id: index + 1,
    attributes: { from, to: '/trapped', statusCode: 307 },
  }));
  backend.on('/api/redirects', {
    data,
    meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: data.length } },
  });
  backend.on(
    '/uploads/picture.svg',
    (_req, res) => void res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg/>'),
  );
  site = await startSite({ contentBaseUrl: backend.url, overrides: { routes, middleware } });
});
afterAll(async () => {
  await site.close();
  await backend.close();
});

function stepsThatFit(answer: Answer): string[] {
  return Object.entries(STEPS).flatMap(([name, fits]) => (fits(answer) ? [name] : []));
}

type Row = [method: string, path: string, status: number, step: Step];

describe('the first matching handler', () => {
  it.each<Row>([
    // A malformed address comes first: no redirect, no asset, no method check.
    ['GET', '/old/%E0%A4%A', 400, 'reject-malformed-url'],
    ['GET', '/assets/%zz', 400, 'reject-malformed-url'],
    ['GET', '/uploads/%2e%2e/x', 400, 'reject-malformed-url'],
    ['GET', '/images/%zz', 400, 'reject-malformed-url'],
    ['POST', '/old/%E0%A4%A', 400, 'reject-malformed-url'],
    // Files and endpoints come before redirects and pages.
    ['GET', '/favicon.svg', 200, 'built-assets'],
    ['GET', '/assets/none.js', 404, 'earlier-builds (none)'],
    ['GET', '/assets/', 404, 'earlier-builds (none)'],
    ['POST', '/assets/none.js', 405, 'page-request'],
    ['GET', '/uploads/picture.svg', 200, 'media'],
    ['GET', '/images/640.avif', 400, 'images'],
    ['GET', '/builds/latest.json', 200, 'builds'],
    ['GET', '/robots.txt', 200, 'robots'],
    ['GET', '/sitemap.xml', 200, 'sitemap'],
    ['GET', '/blog/feed.xml', 200, 'feed'],
    ['GET', '/terms.md', 200, 'markdown'],
    ['POST', '/api/email/send', 422, 'email'],
    ['GET', '/api/email/send', 405, 'email'],
    // Pages accept only GET and HEAD, even where a redirect would match.
    ['POST', '/about', 405, 'page-request'],
    ['DELETE', '/old/x', 405, 'page-request'],
    ['PUT', '/robots.txt', 405, 'page-request'],
    ['POST', '/favicon.svg', 405, 'page-request'],
    ['POST', '/no/route/at/all', 405, 'page-request'],
    // A redirect comes before the canonical address, the match, the middleware and the page.
    ['GET', '/about', 307, 'redirect'],
    ['GET', '/UPPER/', 307, 'redirect'],
    ['GET', '/no/route/at/all', 307, 'redirect'],
    ['GET', '/blog/no-such-category', 307, 'redirect'],
    ['GET', '/builds/other.json', 307, 'redirect'],
    ['HEAD', '/about', 307, 'redirect'],
    // The canonical address comes before validation and middleware.
    ['GET', '/Commerce/Marketplaces', 308, 'canonical-address'],
    ['GET', '/business-solutions/REFUSED', 308, 'canonical-address'],
    ['GET', '/No-Such-Page/', 308, 'canonical-address'],
    // A path without a route has no canonical form.
    ['GET', '/No/Route/Either', 404, 'match-page'],
    // Validation comes before middleware, and middleware before the content.
    ['GET', '/business-solutions/refused', 410, 'match-page (validate)'],
    ['GET', '/business-solutions/payouts', 403, 'route-middleware'],
    ['GET', '/commerce/marketplaces', 403, 'route-middleware'],
    ['GET', '/commerce/no-such-shop', 403, 'route-middleware'],
    // A page that a redirect, validation or middleware hides has no Markdown version.
    ['GET', '/about.md', 404, 'match-page'],
    ['GET', '/business-solutions/refused.md', 403, 'route-middleware'],
    ['GET', '/commerce/marketplaces.md', 403, 'route-middleware'],
    ['GET', '/terms', 200, 'answer-page'],
    ['GET', '/', 200, 'answer-page'],
  ])('the first matching handler answers %s %s: %i by %s', async (method, path, status, step) => {
    const headers = { ...AS_BROWSER, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) };
    const answer = await sendRequest(site.url, path, {
      method,
      headers,
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    expect(answer.status).toBe(status);
    expect(stepsThatFit(answer)).toEqual([step]);
  });

  it('a refusal by validation prevents the middleware', async () => {
    ran.length = 0;
    await sendRequest(site.url, '/business-solutions/refused');
    expect(ran).toEqual([]);
    await sendRequest(site.url, '/business-solutions/payouts');
    expect(ran).toEqual(['refuse']);
  });

  it('a refusal by middleware prevents the content calls', async () => {
    const before = backend.callsTo('/api/commerces').length;
    await sendRequest(site.url, '/commerce/never-asked-for');
    expect(backend.callsTo('/api/commerces')).toHaveLength(before);
  });
});

describe('while the content cannot be loaded', () => {
  let down: RunningSite;
  beforeAll(async () => {
    backend.on('/api/settings', failing(500));
    down = await startSite({ contentBaseUrl: backend.url, overrides: { routes, middleware } });
  });
  afterAll(() => down.close());

  it.each<Row>([
    ['GET', '/old/%E0%A4%A', 400, 'reject-malformed-url'],
    ['GET', '/favicon.svg', 200, 'built-assets'],
    ['GET', '/assets/none.js', 404, 'earlier-builds (none)'],
    ['GET', '/images/640.avif', 400, 'images'],
    ['GET', '/builds/latest.json', 200, 'builds'],
    ['GET', '/robots.txt', 200, 'robots'],
    ['POST', '/api/email/send', 422, 'email'],
    ['POST', '/about', 405, 'page-request'],
    // A sitemap without start-up content would remove pages from search engines.
    ['GET', '/sitemap.xml', 503, 'await-start-up'],
    // Without content no redirect is looked up, and no page is matched.
    ['GET', '/about', 503, 'await-start-up'],
    ['GET', '/Commerce/Marketplaces', 503, 'await-start-up'],
    ['GET', '/No/Route/Either', 503, 'await-start-up'],
    ['GET', '/', 503, 'await-start-up'],
  ])(
    'without content the first matching handler answers %s %s: %i by %s',
    async (method, path, status, step) => {
      const headers = { ...AS_BROWSER, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) };
      const answer = await sendRequest(down.url, path, {
        method,
        headers,
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expect(answer.status).toBe(status);
      expect(stepsThatFit(answer)).toEqual([step]);
    },
  );
});
