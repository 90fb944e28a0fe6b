import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkRouteMiddleware } from '../../server/page/resolve/route-middleware.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { PayloadAnswer } from '../../shared/payload/payload.ts';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import type { ValidationResult } from '../../shared/routing/route.ts';
import type {
  RouteLocation,
  RouteMiddleware,
  RouteMiddlewareRegistry,
  RouteMiddlewareResult,
  RouteOrigin,
} from '../../shared/routing/route-middleware.ts';
import { type RouteDefinition, routeTable } from '../../shared/routing/routes.ts';
import { routeMiddleware } from '../../site/middleware.ts';
import { type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

let backend: FakeBackend;
let site: RunningSite | null = null;

beforeAll(async () => {
  backend = await startFakeBackend();
});
beforeEach(() => backend.reset());
afterEach(async () => {
  await site?.close();
  site = null;
});
afterAll(() => backend.close());

interface PageRoute {
  names?: readonly string[];
  validate?: (params: Readonly<Record<string, string>>) => ValidationResult;
}

/** Starts a site whose generic pages run this middleware. */
async function start(
  middleware: RouteMiddlewareRegistry,
  { names, validate }: PageRoute = {},
): Promise<void> {
  const routes = routeTable.map((route): RouteDefinition => {
    if (route.id !== 'page') return { ...route, middleware: [] };
    return { ...route, middleware: names ?? Object.keys(middleware), ...(validate ? { validate } : {}) };
  });
  site = await startSite({ contentBaseUrl: backend.url, overrides: { routes, middleware } });
}

function running(): RunningSite {
  if (!site) throw new Error('The test has not started the site');
  return site;
}

const page = (path = '/about') => sendRequest(running().url, path, { headers: AS_BROWSER });
const payload = async (path = '/about', search = '') =>
  (await sendRequest(running().url, payloadAddress(path, search, 'any'))).json<PayloadAnswer>();

describe('the result of middleware', () => {
  it.each<[what: string, result: RouteMiddlewareResult]>([
    ['true', true],
    ['nothing', undefined],
  ])('middleware that returns %s shows the page', async (_what, result) => {
    await start({ check: () => result });
    const answer = await page();
    expect(answer.status).toBe(200);
    expect(parsePage(answer.text).data?.payload.route).toBe('page');
    expect((await payload()).data).not.toBeNull();
  });

  it('middleware that returns a promise of true shows the page', async () => {
    await start({ check: async () => true });
    expect((await page()).status).toBe(200);
  });

  it('middleware that returns false is a 404 on a first load, and refuses a navigation in a payload', async () => {
    await start({ check: () => false });
    const answer = await page();
    expect(answer.status).toBe(404);
    expect(parsePage(answer.text).main).toContain('Page not found: /about');
    const refused = await payload();
    expect(refused).toMatchObject({ route: 'page', error: { statusCode: 404, aborted: true } });
    // As for every 404, a former address is looked up. The page itself is not loaded.
    const calls = backend.callsTo('/api/pages').map(({ url }) => url);
    expect(calls.filter(url => !url.includes('filters[previousSlugs]'))).toEqual([]);
  });

  it('a plain error of middleware is a 500, whose message is logged and not shown', async () => {
    await start({ check: () => new Error('hunter2') });
    const answer = await page();
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('hunter2');
    expect(running().log).toContainEqual(
      expect.objectContaining({
        code: 'http-request-failed',
        err: expect.objectContaining({ message: 'hunter2' }),
      }),
    );
  });

  it('an error of middleware with a status keeps its status and message', async () => {
    await start({ check: () => Object.assign(new Error('Only for members.'), { statusCode: 403 }) });
    const answer = await page();
    expect(answer.status).toBe(403);
    expect(parsePage(answer.text).main).toContain('Only for members.');
    expect(await payload()).toMatchObject({ error: { statusCode: 403, message: 'Only for members.' } });
  });

  it('an HttpError of middleware keeps its status and texts', async () => {
    await start({ check: () => new HttpError('Gone for good.', 410, 'Gone') });
    const answer = await page();
    expect(answer.status).toBe(410);
    expect(parsePage(answer.text).main).toMatch(/Gone.*Gone for good\./s);
    // The payload of an error that is not stored has its status, like the payload of a 403.
    const asked = await sendRequest(running().url, '/about/_payload.json');
    expect([asked.status, asked.json()]).toEqual([
      410,
      expect.objectContaining({ error: expect.objectContaining({ statusCode: 410 }) }),
    ]);
  });

  it.each([
    [403, 'Forbidden'],
    [413, 'Payload Too Large'],
    [503, 'Service Unavailable'],
    [599, 'Internal Server Error'],
  ])('an HttpError with status %i and no texts gets the standard texts: %s', async (status, words) => {
    await start({ check: () => new HttpError('Not now.', status) });
    const answer = await page();
    expect(answer.status).toBe(status);
    expect(parsePage(answer.text).main).toContain(words);
    expect(await payload()).toMatchObject({ error: { statusCode: status, statusMessage: words } });
  });

  it('a rejected promise of middleware is a 500', async () => {
    await start({ check: () => Promise.reject(new Error('hunter2')) });
    const answer = await page();
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('hunter2');
  });
});

describe('a redirect by middleware', () => {
  it('a redirect by middleware is a 302 by default, before any content is loaded', async () => {
    await start({ check: () => ({ redirect: '/blog?from=about#top' }) });
    const answer = await page();
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe('/blog?from=about#top');
    expect(answer.body.byteLength).toBe(0);
    expect(await payload()).toEqual({
      buildId: running().site.manifest.id,
      route: null,
      params: {},
      data: null,
      head: null,
      redirect: { to: '/blog?from=about#top', statusCode: 302, external: false },
    });
    expect(backend.callsTo('/api/pages')).toEqual([]);
  });

  it('a redirect by middleware may set its status', async () => {
    let statusCode: 301 | 303 | 307 | 308 = 301;
    await start({ check: () => ({ redirect: '/blog', statusCode }) });
    for (statusCode of [301, 303, 307, 308] as const) {
      expect((await page()).status).toBe(statusCode);
      expect(await payload()).toMatchObject({ redirect: { to: '/blog', statusCode } });
    }
  });

  it('a redirect by middleware may go to another site', async () => {
    await start({ check: () => ({ redirect: 'https://example.com/sign-in' }) });
    expect((await page()).headers.location).toBe('https://example.com/sign-in');
    expect(await payload()).toMatchObject({
      redirect: { to: 'https://example.com/sign-in', external: true },
    });
  });

  const REFUSED = [
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://example.com/x',
    '/\\evil.example',
    '/a\r\nSet-Cookie: a=b',
    'https://user:password@example.com/',
    'relative',
    '',
  ];

  it('a redirect by middleware to an invalid target is an error without Location', async () => {
    let redirect = '';
    await start({ check: () => ({ redirect }) });
    for (redirect of REFUSED) {
      running().log.length = 0;
      const answer = await page();
      expect([redirect, answer.status, answer.headers.location]).toEqual([redirect, 500, undefined]);
      expect(running().log).toContainEqual(
        expect.objectContaining({
          code: 'http-request-failed',
          err: expect.objectContaining({ message: "The route middleware 'check' redirects to a bad target" }),
        }),
      );
    }
  });
});

describe('a name that is not registered', () => {
  it.each(['not-there', '__proto__', 'constructor', 'toString'])(
    'an unknown middleware name shows the error page, and blocks nothing: %s',
    async name => {
      await start({ check: () => true }, { names: ['check', name] });
      const answer = await page();
      expect(answer.status).toBe(500);
      expect(parsePage(answer.text).main).toContain(`Unknown route middleware: '${name}'`);
      expect(await payload()).toMatchObject({
        error: { statusCode: 500, message: `Unknown route middleware: '${name}'` },
      });
      expect(running().log).toContainEqual(
        expect.objectContaining({ level: 'error', code: 'http-request-failed' }),
      );
    },
  );

  it('an unknown middleware name is reported at the start, with its route', () => {
    const routes = routeTable.map(route =>
      route.id === 'commerce' ? { ...route, middleware: ['not-there'] } : route,
    );
    expect(() => checkRouteMiddleware({ routes, middleware: routeMiddleware })).toThrow(
      "Unknown route middleware: 'not-there', named by the route 'commerce'",
    );
    const inherited = routeTable.map(route => ({ ...route, middleware: ['toString'] }));
    expect(() => checkRouteMiddleware({ routes: inherited, middleware: routeMiddleware })).toThrow(
      "'toString'",
    );
  });

  it('the site’s route table has no unknown middleware name', () => {
    expect(() => checkRouteMiddleware({ routes: routeTable, middleware: routeMiddleware })).not.toThrow();
    expect(routeTable.flatMap(route => route.middleware)).toEqual(['check-blog-category']);
  });
});

describe('the middleware of a route', () => {
  it('middleware runs in the order of the route table, each name once, without an origin on a first load', async () => {
    const ran: string[] = [];
    const seen: { to: RouteLocation; from: RouteOrigin | null }[] = [];
    const note =
      (name: string): RouteMiddleware =>
      async (to, from) => {
        ran.push(name);
        seen.push({ to, from });
        return true;
      };
    await start({ a: note('a'), b: note('b'), c: note('c') }, { names: ['c', 'a', 'c', 'b', 'a'] });
    expect((await page('/about?x=1')).status).toBe(200);
    expect(ran).toEqual(['c', 'a', 'b']);
    expect(seen[0]).toMatchObject({
      to: { route: 'page', path: '/about', params: { slug: 'about' } },
      from: null,
    });
    expect(seen[0]?.to.query.get('x')).toBe('1');
    await payload('/about', '?x=1');
    expect(ran).toEqual(['c', 'a', 'b', 'c', 'a', 'b']);
    expect([...(seen[3]?.to.query ?? [])]).toEqual([['x', '1']]);
  });

  it.each<[what: string, result: RouteMiddlewareResult]>([
    ['false', false],
    ['an error', new Error('no')],
    ['a redirect', { redirect: '/blog' }],
  ])('a chain of middleware stops at %s', async (_what, result) => {
    const ran: string[] = [];
    await start({
      first: () => result,
      second: () => {
        ran.push('second');
        return true;
      },
    });
    await page();
    expect(ran).toEqual([]);
  });

  it('middleware runs only for its route', async () => {
    await start({ check: () => false });
    expect((await page('/blog')).status).toBe(200);
    expect((await page('/')).status).toBe(200);
  });

  it('middleware may load categories', async () => {
    const asked: boolean[] = [];
    await start({
      check: async (_to, _from, context) => {
        asked.push(await context.hasCategory('guides'), await context.hasCategory('nope'));
        return true;
      },
    });
    await page();
    expect(asked).toEqual([true, false]);
  });
});

describe('check-blog-category', () => {
  it('check-blog-category passes a known category, and answers 404 to others without loading their articles', async () => {
    site = await startSite({ contentBaseUrl: backend.url });
    expect((await page('/blog/guides')).status).toBe(200);
    const before = backend.callsTo('/api/articles').length;
    const answer = await page('/blog/no-such');
    expect(answer.status).toBe(404);
    expect(parsePage(answer.text).main).toContain('Page not found: /blog/no-such');
    expect((await page('/blog/__proto__')).status).toBe(404);
    expect(backend.callsTo('/api/articles')).toHaveLength(before);
  });

  it('check-blog-category is an error and no 404 when the categories cannot be loaded', async () => {
    site = await startSite({ contentBaseUrl: backend.url, env: { CONTENT_TTL_MS: '0' } });
    backend.on('/api/categories', failing(500));
    // The site uses content loaded at the start.
    expect((await page('/blog/guides')).status).toBe(200);
    expect((await page('/blog/no-such')).status).toBe(404);
    await site.close();
    site = await startSite({ contentBaseUrl: backend.url });
    expect((await page('/blog/guides')).status).toBe(503);
  });
});

describe('a route’s own validation', () => {
  it('a validation that returns true shows the page', async () => {
    const asked: unknown[] = [];
    await start(
      {},
      {
        validate: params => {
          asked.push({ ...params });
          return true;
        },
      },
    );
    expect((await page()).status).toBe(200);
    expect(asked).toEqual([{ slug: 'about' }]);
  });

  it('a validation that returns false is a 404', async () => {
    await start({}, { validate: () => false });
    const answer = await page();
    expect(answer.status).toBe(404);
    expect(parsePage(answer.text).main).toContain('Page not found: /about');
    expect(await payload()).toMatchObject({ error: { statusCode: 404 } });
    expect(backend.callsTo('/api/pages')).toEqual([]);
  });

  it.each<[result: ValidationResult, status: number, text: string]>([
    [{}, 404, 'Page not found: /about'],
    [{ message: 'A slug has letters only.' }, 404, 'A slug has letters only.'],
    [{ statusCode: 410, statusMessage: 'Gone', message: 'It was here.' }, 410, 'It was here.'],
    [{ statusCode: 422 }, 422, 'Page not found: /about'],
    [{ statusCode: 302, message: 'No error at all.' }, 500, 'No error at all.'],
  ])('a validation that returns %o gives a %i', async (result, status, text) => {
    await start({}, { validate: () => result });
    const answer = await page();
    expect(answer.status).toBe(status);
    expect(parsePage(answer.text).main).toContain(text);
  });

  it('a validation runs before the middleware', async () => {
    const ran: string[] = [];
    await start(
      {
        check: () => {
          ran.push('check');
          return true;
        },
      },
      { validate: () => false },
    );
    expect((await page()).status).toBe(404);
    expect(ran).toEqual([]);
  });
});
