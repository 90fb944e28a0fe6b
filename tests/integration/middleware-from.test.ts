import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayloadAnswer } from '../../shared/payload/payload.ts';
import { FROM_HEADER, payloadAddress } from '../../shared/routing/payload-address.ts';
import type {
  RouteMiddleware,
  RouteMiddlewareResult,
  RouteOrigin,
} from '../../shared/routing/route-middleware.ts';
import { type RouteId, routeTable } from '../../shared/routing/routes.ts';
import { cacheStatusOf, HIT, STORED_MISS } from '../support/cache-status.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

let backend: FakeBackend;
let site: RunningSite | null = null;
/** Origins passed to the middleware, in order. */
let seen: (RouteOrigin | null)[];

beforeAll(async () => {
  backend = await startFakeBackend();
});
beforeEach(() => {
  backend.reset();
  seen = [];
});
afterEach(async () => {
  await site?.close();
  site = null;
});
afterAll(() => backend.close());

/**
 * Starts a site whose generic pages run this middleware. With `readsFrom` their route declares that it reads
 * `from`.
 */
async function start(middleware: RouteMiddleware, readsFrom: boolean): Promise<RunningSite> {
  const routes = routeTable.map(route =>
    route.id === 'page' ? { ...route, middleware: ['check'], readsFrom } : { ...route, middleware: [] },
  );
  site = await startSite({
    contentBaseUrl: backend.url,
    overrides: { routes, middleware: { check: middleware } },
  });
  return site;
}

const note =
  (result?: (from: RouteOrigin | null) => RouteMiddlewareResult): RouteMiddleware =>
  (_to, from) => {
    seen.push(from);
    return result?.(from);
  };

const page = ({ url }: RunningSite, path = '/about') => sendRequest(url, path, { headers: AS_BROWSER });
const payload = ({ url, site }: RunningSite, from?: string, path = '/about'): Promise<Answer> =>
  sendRequest(url, payloadAddress(path, '', site.manifest.id), {
    headers: from === undefined ? {} : { [FROM_HEADER]: from },
  });

describe('`from` in route middleware', () => {
  it.each(routeTable.map(({ id }) => id))(
    '`from` is the route from which the browser comes: %s',
    async id => {
      const running = await start(note(), true);
      expect((await payload(running, id)).status).toBe(200);
      expect(seen).toEqual([{ route: id }]);
    },
  );

  it('`from` is null on a first load, whatever the headers', async () => {
    const running = await start(note(), true);
    await page(running);
    await sendRequest(running.url, '/about', { headers: { ...AS_BROWSER, [FROM_HEADER]: 'blog' } });
    expect(seen).toEqual([null, null]);
  });

  it('`from` is null when the browser sends no route id', async () => {
    const running = await start(note(), true);
    await payload(running);
    expect(seen).toEqual([null]);
  });

  it.each(['', 'unmatched', 'root', 'nope', '__proto__', 'toString', 'BLOG', 'blog, home', '/blog'])(
    '`from` ignores the made-up id %j',
    async id => {
      const running = await start(note(), true);
      expect((await payload(running, id)).status).toBe(200);
      expect(seen).toEqual([null]);
    },
  );

  it('`from` is hidden from a route that does not declare it', async () => {
    const running = await start(note(), false);
    await payload(running, 'blog');
    expect(seen).toEqual([null]);
  });

  it('middleware may choose its result by `from`', async () => {
    const running = await start(
      note(from => (from?.route === 'blog' ? { redirect: '/blog' } : from?.route !== 'home')),
      true,
    );
    expect((await payload(running, 'blog')).json<PayloadAnswer>()).toMatchObject({
      redirect: { to: '/blog', statusCode: 302 },
    });
    expect((await payload(running, 'home')).json<PayloadAnswer>()).toMatchObject({
      error: { statusCode: 404, aborted: true },
    });
    expect((await payload(running, 'page')).json<PayloadAnswer>().data).toMatchObject({
      page: expect.anything(),
    });
  });
});

describe('the response of a route that reads `from`', () => {
  it('no cache stores page or payload of a route that reads `from`', async () => {
    const running = await start(note(), true);
    for (const ask of [() => page(running), () => payload(running, 'blog'), () => payload(running)]) {
      seen = [];
      for (const answer of [await ask(), await ask()]) {
        expect(answer.status).toBe(200);
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(answer.headers['cdn-cache-control']).toBeUndefined();
        expect(cacheStatusOf(answer)).toBe('site; fwd=miss');
      }
      expect(seen).toHaveLength(2);
    }
    expect(running.site.pages.size.positive.entries).toBe(0);
  });

  it.each<[what: string, result: RouteMiddlewareResult]>([
    ['a redirect', { redirect: '/blog' }],
    ['an aborted navigation', false],
    ['an error', Object.assign(new Error('Only for members.'), { statusCode: 403 })],
  ])('a %s by a route that reads `from` is not stored', async (_what, result) => {
    const running = await start(
      note(() => result),
      true,
    );
    for (const ask of [() => page(running), () => payload(running, 'blog')]) {
      seen = [];
      for (const answer of [await ask(), await ask()])
        expect(answer.headers['cache-control']).toBe('no-store');
      expect(seen).toHaveLength(2);
    }
    expect(running.site.pages.size.negative.entries).toBe(0);
  });

  it('a page of a route that reads `from` is not stored after a form submission without JavaScript', async () => {
    const running = await start(note(), true);
    const answer = await page(running, '/about?sent=contact');
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('a route that reads `from` is generated for each origin, even at the same time', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const running = await start(async (_to, from) => {
      seen.push(from);
      await gate;
      return from?.route === 'blog' ? { redirect: '/blog' } : true;
    }, true);
    const answers = Promise.all((['blog', 'home'] as RouteId[]).map(id => payload(running, id)));
    await eventually(() => expect(seen).toHaveLength(2));
    open();
    const [fromBlog, fromHome] = await answers;
    expect(fromBlog?.json<PayloadAnswer>()).toHaveProperty('redirect');
    expect(fromHome?.json<PayloadAnswer>()).not.toHaveProperty('redirect');
  });
});

describe('the response of every other route', () => {
  it('a route that does not read `from` stores one response for all origins', async () => {
    const running = await start(note(), false);
    const first = await payload(running, 'blog', SAMPLE_PATHS.blog);
    expect(cacheStatusOf(first)).toBe(STORED_MISS);
    for (const id of ['home', 'page', 'nope']) {
      const next = await payload(running, id, SAMPLE_PATHS.blog);
      expect(cacheStatusOf(next)).toMatch(HIT);
      expect(next.headers.etag).toBe(first.headers.etag);
      expect(next.headers['cache-control']).toBe('public, max-age=0, s-maxage=60');
      expect(next.headers.vary).not.toContain(FROM_HEADER);
    }
    expect(parsePage((await page(running)).text).data?.payload.route).toBe('page');
  });
});
