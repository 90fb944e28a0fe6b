import { use } from 'react';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../server/render/pages.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import type { RouteMiddlewareRegistry } from '../../shared/routing/middleware/route-middleware.ts';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { type RouteDefinition, routeTable } from '../../shared/routing/routes.ts';
import { capture, type FakeBackend, failing, sendJson, startFakeBackend } from '../support/fake-backend.ts';
import { type ParsedPage, parsePage } from '../support/parse-page.ts';
import { type Answer, AS_BROWSER, postJson, sendRequest } from '../support/send-request.ts';
import { type RunningSite, type StartSiteOptions, startSite } from '../support/start-site.ts';

let backend: FakeBackend;
const running: RunningSite[] = [];

beforeAll(async () => {
  backend = await startFakeBackend();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(site => site.close()));
  backend.reset();
});
afterAll(() => backend.close());

async function start(options: Partial<StartSiteOptions> = {}): Promise<RunningSite> {
  const site = await startSite({ contentBaseUrl: backend.url, ...options });
  running.push(site);
  return site;
}

const getPage = (site: RunningSite, path: string) => sendRequest(site.url, path, { headers: AS_BROWSER });
const getJson = (site: RunningSite, path: string) =>
  sendRequest(site.url, path, { headers: { accept: 'application/json' } });
const getPayload = (site: RunningSite, path: string) =>
  sendRequest(site.url, payloadAddress(path, '', 'any'));

/** What every answer to an error has in common, and its page. */
function errorPage(answer: Answer, statusCode: number, title: string): ParsedPage {
  expect(answer.status).toBe(statusCode);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers.vary).toMatch(/\baccept\b(?!-)/i);
  const page = parsePage(answer.text);
  expect(page.title.startsWith(title)).toBe(true);
  expect(page.headings).toEqual([title]);
  expect(page.main).toContain(String(statusCode));
  expect(page.robots).toBe('noindex');
  expect(page.canonical).toBeNull();
  expect(page.inline).toEqual([]);
  // A way home and a way to try again.
  const main = answer.text.slice(answer.text.indexOf('<main'), answer.text.indexOf('</main>'));
  expect(main).toMatch(/<a[^>]*href="\/"/);
  return page;
}

function errorLines(site: RunningSite, msg: string) {
  return site.log.filter(line => line.level === 'error' && line.msg === msg);
}

const withMiddleware = (middleware: RouteMiddlewareRegistry): NonNullable<StartSiteOptions['overrides']> => ({
  middleware,
  routes: routeTable.map(
    (route): RouteDefinition =>
      route.id === 'page' ? { ...route, middleware: Object.keys(middleware) } : route,
  ),
});

describe('no route matches', () => {
  it('shows 404, Page Not Found, and the path, in the default layout', async () => {
    const site = await start();
    const page = errorPage(await getPage(site, '/no/such/page?from=here'), 404, 'Page Not Found');
    expect(page.main).toContain('Page not found: /no/such/page');
    expect(page.layout).toBe('default');
    expect(page.hasShell).toBe(true);
    const retry = page.all('a').filter(({ properties }) => properties.href === '/no/such/page?from=here');
    expect(retry).toHaveLength(1);
    expect(errorLines(site, 'request failed')).toEqual([]);
    expect(site.requests('/no/such/page')).toMatchObject([{ status: 404, route: null, level: 'info' }]);
  });

  it('writes a hostile path as text', async () => {
    const site = await start();
    const path = '/x/%3Cscript%3Ealert(1)%3C%2Fscript%3E'.replace('%2F', '');
    const page = errorPage(
      await getPage(site, `${path}?q="><script>alert(1)</script>`),
      404,
      'Page Not Found',
    );
    expect(page.main).toContain(`Page not found: ${path}`);
    expect(
      page.all('script').every(({ properties }) => properties.src || properties.type === 'application/json'),
    ).toBe(true);
  });

  it('shows the whole error page even for a path that begins with two slashes and no host', async () => {
    const site = await start();
    const page = errorPage(await getPage(site, '//[/no/such/page'), 404, 'Page Not Found');
    expect(page.hasShell).toBe(true);
    const outside = await getPage(site, '//evil.example/no/such/page');
    for (const { properties } of errorPage(outside, 404, 'Page Not Found').all('a')) {
      const { host } = new URL(String(properties.href), site.url);
      expect(host).not.toBe('evil.example');
    }
    expect(errorLines(site, 'the error page could not be rendered')).toEqual([]);
  });
});

describe('the form of an error follows what was asked for', () => {
  let site: RunningSite;
  const html = 'text/html; charset=utf-8';
  const json = 'application/json; charset=utf-8';

  it.each<[accept: string | null, path: string, type: string]>([
    ['text/html', '/no/such', html],
    ['*/*', '/no/such', html],
    ['text/*', '/no/such', html],
    [null, '/no/such', html],
    [AS_BROWSER.accept, '/no/such', html],
    ['application/json, text/html;q=0.1', '/no/such', html],
    ['application/json', '/no/such', json],
    ['text/html;q=0, */*', '/no/such', json],
    ['image/avif,image/webp', '/no/such', json],
    [AS_BROWSER.accept, '/no/such.json', json],
    [AS_BROWSER.accept, '/api/no/such', json],
    [AS_BROWSER.accept, '/apis/no-such', html],
  ])('Accept: %s for %s', async (accept, path, type) => {
    site = await start();
    const answer = await sendRequest(site.url, `${path}?a=1`, { headers: accept === null ? {} : { accept } });
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['cache-control']).toBe('no-store');
    if (type === json)
      expect(answer.json()).toEqual({
        error: true,
        url: `${path}?a=1`,
        statusCode: 404,
        statusMessage: 'Page Not Found',
        message: `Page not found: ${path}`,
      });
  });

  it('a payload says it in the payload: 200 for a page that is not there', async () => {
    site = await start();
    const answer = await getPayload(site, '/no/such');
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json<PagePayload>()).toMatchObject({
      buildId: site.site.manifest.id,
      route: null,
      data: { page: null, shell: { siteName: expect.any(String) } },
      error: { statusCode: 404, statusMessage: 'Page Not Found', message: 'Page not found: /no/such' },
    });
  });
});

describe('a request that cannot be served', () => {
  it.each(['/%', '/%zz', '/%E0%A4%A', '/blog/%C3%28', '/%ff'])(
    '%s cannot be decoded: 400 before any work',
    async path => {
      const site = await start();
      const before = backend.calls.length;
      const page = errorPage(await getPage(site, path), 400, 'Internal Server Error');
      expect(page.main).toContain('Bad Request');
      expect(page.main).toContain('The address cannot be read.');
      expect((await getJson(site, path)).json()).toMatchObject({
        statusCode: 400,
        statusMessage: 'Bad Request',
      });
      expect(backend.calls).toHaveLength(before);
      expect(errorLines(site, 'request failed')).toEqual([]);
    },
  );

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    '%s to a page is a 405 that names what is allowed',
    async method => {
      const site = await start();
      const answer = await sendRequest(site.url, '/about', { method, headers: AS_BROWSER });
      const page = errorPage(answer, 405, 'Internal Server Error');
      expect(answer.headers.allow).toBe('GET, HEAD');
      expect(page.main).toContain('This address can only be read.');
    },
  );

  it('a body that is no JSON, or too large, is the client’s mistake and told as such', async () => {
    const site = await start();
    const broken = await postJson(site.url, '/api/email/send', '{"form":');
    expect(broken.status).toBe(400);
    expect(broken.json()).toMatchObject({ error: true, statusCode: 400, statusMessage: 'Bad Request' });
    const large = await postJson(site.url, '/api/email/send', {
      form: 'contact',
      message: 'x'.repeat(70_000),
    });
    expect(large.status).toBe(413);
    expect(large.json()).toMatchObject({ statusCode: 413 });
    for (const answer of [broken, large]) {
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.text).not.toMatch(/SyntaxError|\bat \w|node_modules/);
    }
    expect(errorLines(site, 'request failed')).toEqual([]);
  });

  it.each(['evil.example/path', 'a b', 'user@host'])(
    'Host: %o is a 400, and is written nowhere',
    async host => {
      const site = await start();
      const answer = await sendRequest(site.url, '/about', { headers: { ...AS_BROWSER, host } });
      errorPage(answer, 400, 'Internal Server Error');
      expect(answer.text).not.toContain(host);
    },
  );
});

describe('an unexpected error', () => {
  it('hides its message and stack from the visitor, and logs both under the request id', async () => {
    const site = await start({
      overrides: withMiddleware({
        explode: () => {
          throw new Error('the password is hunter2', { cause: new Error('deep reason') });
        },
      }),
    });
    const answer = await getPage(site, '/about');
    const page = errorPage(answer, 500, 'Internal Server Error');
    const id = String(answer.headers['x-request-id']);
    expect(page.main).toContain('Something went wrong on our side.');
    expect(page.main).toContain(id);
    expect(page.hasShell).toBe(true);
    expect(answer.text).not.toMatch(/hunter2|deep reason|error-catalogue|\.ts:\d/);

    const json = await getJson(site, '/about');
    expect(json.json()).toEqual({
      error: true,
      url: '/about',
      statusCode: 500,
      statusMessage: 'Internal Server Error',
      message: 'Something went wrong on our side.',
    });
    const payload = await getPayload(site, '/about');
    expect(payload.status).toBe(500);
    expect(payload.json<PagePayload>().error).toMatchObject({ statusCode: 500 });
    expect(json.text + payload.text).not.toMatch(/hunter2|deep reason|\.ts:\d/);

    const lines = errorLines(site, 'request failed');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({
      id,
      err: {
        message: 'the password is hunter2',
        stack: expect.stringContaining('error-catalogue.test.ts'),
        cause: { message: 'deep reason' },
      },
    });
  });

  it.each<[what: string, thrown: unknown]>([
    ['a string', 'hunter2'],
    ['null', null],
    ['undefined', undefined],
    ['a bare TypeError', new TypeError('hunter2')],
    ['an error that claims a status', Object.assign(new Error('hunter2'), { status: 400 })],
    ['a number', 404],
  ])('may be %s: still a 500', async (_what, thrown) => {
    const site = await start({ overrides: withMiddleware({ explode: () => Promise.reject(thrown) }) });
    const answer = await getPage(site, '/about');
    errorPage(answer, 500, 'Internal Server Error');
    expect(answer.text).not.toContain('hunter2');
  });

  it.each([200, 302, 99, 1000, Number.NaN, 404.5])(
    'cannot pass for another answer by the status %s',
    async statusCode => {
      const site = await start({
        overrides: withMiddleware({ explode: () => new HttpError('Not as meant.', statusCode, 'Odd') }),
      });
      errorPage(await getPage(site, '/about'), 500, 'Internal Server Error');
    },
  );
});

it('a HttpError is shown as it says: status, status message, description', async () => {
  const site = await start({
    overrides: withMiddleware({
      teapot: () => {
        throw new HttpError('This page is <b>short</b> & stout.', 418, 'I’m a teapot');
      },
    }),
  });
  const page = errorPage(await getPage(site, '/about'), 418, 'Internal Server Error');
  expect(page.main).toContain('I’m a teapot');
  expect(page.main).toContain('This page is <b>short</b> & stout.');
  expect((await getPayload(site, '/about')).status).toBe(418);
});

describe('the content cannot be loaded', () => {
  it('a page that is in no cache: 503 with Retry-After, in the layout whose content is at hand, and the log says why', async () => {
    const site = await start();
    backend.on('/api/pages', failing(500));
    const answer = await getPage(site, '/about');
    const page = errorPage(answer, 503, 'Internal Server Error');
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(page.main).toContain('Service Unavailable');
    expect(page.layout).toBe('default');
    expect(page.hasShell).toBe(true);
    expect(answer.text).not.toMatch(/InternalServerError|\/api\/pages|127\.0\.0\.1:\d+\/api/);
    const payload = await getPayload(site, '/about');
    expect(payload.status).toBe(503);
    expect(payload.headers['retry-after']).toBeTruthy();
    expect(payload.json<PagePayload>().error).toMatchObject({ statusCode: 503 });
    expect(errorLines(site, 'request failed')[0]).toMatchObject({
      id: answer.headers['x-request-id'],
      err: { type: 'BackendError', message: expect.stringContaining('GET /api/pages: answered 500') },
    });

    backend.reset();
    expect((await getPage(site, '/about')).status).toBe(200);
  });

  it.each<[what: string, behaviour: Parameters<FakeBackend['on']>[1]]>([
    ['no JSON', (_req, res) => void res.writeHead(200, { 'Content-Type': 'application/json' }).end('<html>')],
    ['another shape', { hello: 'world' }],
    ['a broken connection', (_req, res) => void res.destroy()],
    [
      'half an answer',
      (_req, res) => {
        res.writeHead(200, { 'Content-Length': '1000' });
        res.write('{"data":', () => res.destroy());
      },
    ],
    ['403', failing(403, 'ForbiddenError')],
    ['404', failing(404, 'NotFoundError')],
    ['429', failing(429, 'RateLimitError')],
  ])('the backend answers with %s: 503, never a 404 or an empty page', async (_what, behaviour) => {
    const site = await start();
    backend.on('/api/pages', behaviour);
    errorPage(await getPage(site, '/about'), 503, 'Internal Server Error');
  });

  it('the backend does not answer at all: 503 after its deadline', async () => {
    const site = await start({ env: { CONTENT_TIMEOUT_MS: '150' } });
    backend.on('/api/pages', () => {});
    errorPage(await getPage(site, '/about'), 503, 'Internal Server Error');
    expect(errorLines(site, 'request failed')[0]).toMatchObject({
      err: { message: expect.stringContaining('no answer within 150 ms') },
    });
  });

  it('nothing was ever loaded: the error page is bare and still a page', async () => {
    backend.on('/api/settings', failing(500));
    const site = await start();
    const answer = await getPage(site, '/about');
    const page = errorPage(answer, 503, 'Internal Server Error');
    expect(page.hasShell).toBe(false);
    expect(page.layout).toBe('default');
    expect(page.data?.payload.data).toEqual({ shell: null, page: null });
    expect(answer.headers['retry-after']).toBeTruthy();
    expect(answer.text).toMatch(/^<!doctype html>/);
  });

  it('an older content stands in for what cannot be loaded again', async () => {
    const site = await start({ env: { CONTENT_TTL_MS: '0' } });
    const before = await getPage(site, '/about');
    for (const path of ['/api/pages', '/api/settings', '/api/landing', '/api/redirects', '/api/socials'])
      backend.on(path, failing(500));
    const after = await getPage(site, '/about');
    expect(after.status).toBe(200);
    expect(after.text).toBe(before.text);
  });
});

describe('invalid JSON in content fields', () => {
  const SET = 'v4';

  async function settingsWith(fields: Record<string, unknown>): Promise<object> {
    const settings = structuredClone(capture(SET, 'settings.json')) as {
      data: { attributes: Record<string, unknown> };
    };
    Object.assign(settings.data.attributes, fields);
    return settings;
  }

  it('header, footer and social links become an empty list, and the page stands', async () => {
    backend.on(
      '/api/settings',
      await settingsWith({ headerLinks: '[{"broken', footerLinks: '{', socials: 'no' }),
    );
    backend.on('/api/socials', (_req, res) => sendJson(res, 500, {}));
    const site = await start();
    const answer = await getPage(site, '/about');
    expect(answer.status).toBe(200);
    const shell = parsePage(answer.text).data?.payload.data.shell;
    expect(shell).toMatchObject({ headerLinks: [], footerLinks: [], socials: [] });
  });

  it('a block of the landing page becomes null: the page has all others', async () => {
    const landing = structuredClone(capture('v5-as-v4', 'landing.json')) as {
      data: { attributes: Record<string, unknown> };
    };
    landing.data.attributes.partnersBlock = '{"title": "Partn';
    landing.data.attributes.faqBlock = '[[';
    landing.data.attributes.schema2 = '{"@context":';
    backend.on('/api/landing', landing);
    const site = await start();
    const answer = await getPage(site, '/');
    expect(answer.status).toBe(200);
    const page = parsePage(answer.text);
    expect(page.data?.payload.data.page).toMatchObject({ partners: null });
    expect(page.headings).toHaveLength(1);
    expect(page.jsonLd.length).toBeGreaterThan(0);
  });

  it('questions that cannot be read are no questions', async () => {
    const site = await start();
    const answer = await getPage(site, '/cookies');
    expect(answer.status).toBe(200);
    expect(parsePage(answer.text).data?.payload.data.page).toMatchObject({
      page: { slug: 'cookies', questions: [] },
    });
  });
});

describe('a render that fails', () => {
  it('is a 500 with the error page around it, and the log has the reason', async () => {
    const site = await start({
      overrides: {
        pages: {
          ...pages,
          page: () => {
            throw new Error('component hunter2');
          },
        },
      },
    });
    const answer = await getPage(site, '/about');
    const page = errorPage(answer, 500, 'Internal Server Error');
    expect(page.hasShell).toBe(true);
    expect(answer.text).not.toContain('hunter2');
    expect(errorLines(site, 'request failed')[0]).toMatchObject({ err: { message: 'component hunter2' } });
    // Other pages, and the payload of this one, are none the worse for it.
    expect((await getPage(site, '/')).status).toBe(200);
    expect((await getPayload(site, '/about')).status).toBe(200);
  });

  it('is a 500 when it does not end in time', async () => {
    const never = new Promise<never>(() => {});
    const site = await start({
      overrides: { renderTimeoutMs: 100, pages: { ...pages, page: () => use(never) } },
    });
    const from = performance.now();
    const page = errorPage(await getPage(site, '/about'), 500, 'Internal Server Error');
    expect(performance.now() - from).toBeLessThan(3_000);
    expect(page.hasShell).toBe(true);
    expect(errorLines(site, 'request failed')[0]).toMatchObject({
      err: { type: 'TimeoutError', message: 'The page was not rendered within 100 ms' },
    });
  });
});
