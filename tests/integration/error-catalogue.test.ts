import { use } from 'react';
import { describe, expect } from 'vitest';
import { loadPages } from '../../server/loading/route-contents.ts';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import ar from '../../site/words/ar-answers.ts';
import de from '../../site/words/de-answers.ts';
import en from '../../site/words/en-answers.ts';
import {
  errorLines,
  errorPage,
  getJson,
  getPage,
  getPayload,
  withMiddleware,
} from '../support/error-page.ts';
import { failing } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, postJson, sendRequest } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';

const pages = await loadPages();
describe('an address without a route', () => {
  it('an address without a route shows the 404 page with its path in the default layout', async ({
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    const page = errorPage(await getPage(site, '/no/such/page?from=here'), 404, 'Page Not Found');
    expect(page.main).toContain('Page not found: /no/such/page');
    expect(page.layout).toBe('default');
    expect(page.hasShell).toBe(true);
    const retry = page.all('a').filter(({ properties }) => properties.href === '/no/such/page?from=here');
    // A retry would not find the page either.
    expect(retry).toEqual([]);
    expect(errorLines(site, 'http-request-failed')).toEqual([]);
    expect(site.requests('/no/such/page')).toMatchObject([{ status: 404, route: null, level: 'info' }]);
  });

  it('a 404 page writes a hostile path as text', async ({ site }) => {
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

  it('a path that begins with two slashes gets the whole error page', async ({ startOwnSite }) => {
    const site = await startOwnSite();
    const page = errorPage(await getPage(site, '//[/no/such/page'), 404, 'Page Not Found');
    expect(page.hasShell).toBe(true);
    const outside = await getPage(site, '//evil.example/no/such/page');
    for (const { properties } of errorPage(outside, 404, 'Page Not Found').all('a')) {
      const { host } = new URL(String(properties.href), site.url);
      expect(host).not.toBe('evil.example');
    }
    expect(errorLines(site, 'page-error-page-failed')).toEqual([]);
  });
});

const CATALOGUES = { en, de, ar };

it.for(['en', 'de', 'ar'] as const)(
  'each 503 page has the common title, one sentence, and its status: %s',
  async (name, { backend, startOwnSite }) => {
    const words = CATALOGUES[name];
    backend.on('/api/pages', failing(500));
    const site = await startOwnSite({ env: { SITE_LOCALE: name } });
    const { text } = await getPage(site, '/about');
    const page = parsePage(text);
    expect([page.title.split(' – ')[0], page.headings]).toEqual([words.status500, [words.status500]]);
    const [, below] = /<h1[^>]*>[^<]*<\/h1><span[^>]*><\/span><p[^>]*>([^<]*)<\/p><div/.exec(text) ?? [];
    expect(below).toBe(words.contentMissing);
    expect(text).toMatch(new RegExp(`>503<!-- --> ?(?:<!-- -->)?<span[^>]*>${words.status503}</span></p>`));
  },
);

it('each message of a 503 is one sentence in each language', () => {
  const said = ['contentMissing', 'siteBusy', 'searchUnavailable', 'tooSlow'] as const;
  for (const words of Object.values(CATALOGUES))
    for (const name of said) expect(words[name].match(/[.!?](?:\s|$)/g), words[name]).toHaveLength(1);
});

describe('the format of an error follows the request', () => {
  const html = 'text/html; charset=utf-8';
  const json = 'application/json; charset=utf-8';

  it.for<[accept: string | null, path: string, type: string]>([
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
  ])('the format of an error follows Accept: %s for %s', async ([accept, path, type], { site }) => {
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

  it('the payload of a missing page is a 200 with a 404 inside', async ({ site }) => {
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
  it.for(['/%', '/%zz', '/%E0%A4%A', '/blog/%C3%28', '/%ff'])(
    'the undecodable path %s is a 400 before any work',
    async (path, { backend, site }) => {
      const before = backend.calls.length;
      const page = errorPage(await getPage(site, path), 400, 'Internal Server Error');
      expect(page.main).toContain('Bad Request');
      expect(page.main).toContain('The address cannot be read.');
      expect((await getJson(site, path)).json()).toMatchObject({
        statusCode: 400,
        statusMessage: 'Bad Request',
      });
      expect(backend.calls).toHaveLength(before);
      expect(errorLines(site, 'http-request-failed')).toEqual([]);
    },
  );

  it.for(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'a request with the method %s is a 405 that lists the allowed methods',
    async (method, { site }) => {
      const answer = await sendRequest(site.url, '/about', { method, headers: AS_BROWSER });
      const page = errorPage(answer, 405, 'Internal Server Error');
      expect(answer.headers.allow).toBe('GET, HEAD');
      expect(page.main).toContain('This address can only be read.');
    },
  );

  it('a body that is too large, or not JSON, gets a 4xx', async ({ site }) => {
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
    expect(errorLines(site, 'http-request-failed')).toEqual([]);
  });

  it.for(['evil.example/path', 'a b', 'user@host'])(
    'the Host header %o gets a 400, and the response does not repeat it',
    async (host, { site }) => {
      const answer = await sendRequest(site.url, '/about', { headers: { ...AS_BROWSER, host } });
      errorPage(answer, 400, 'Internal Server Error');
      expect(answer.text).not.toContain(host);
    },
  );
});

describe('an unexpected error', () => {
  it('an unexpected error hides message and stack from the visitor, and logs both with the request id', async ({
    startOwnSite,
  }) => {
    const site = await startOwnSite({
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

    const lines = errorLines(site, 'http-request-failed');
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

  const THROWN: readonly (readonly [what: string, thrown: unknown])[] = [
    ['a string', 'hunter2'],
    ['null', null],
    ['undefined', undefined],
    ['a bare TypeError', new TypeError('hunter2')],
    ['an error that claims a status', Object.assign(new Error('hunter2'), { status: 400 })],
    ['a number', 404],
  ];

  it('any thrown value is a 500', async ({ startOwnSite }) => {
    let thrown: unknown;
    const site = await startOwnSite({ overrides: withMiddleware({ explode: () => Promise.reject(thrown) }) });
    for (const [what, value] of THROWN) {
      thrown = value;
      const answer = await getPage(site, '/about');
      expect([what, answer.status]).toEqual([what, 500]);
      errorPage(answer, 500, 'Internal Server Error');
      expect(answer.text).not.toContain('hunter2');
    }
  });

  it('the status in an unexpected error is ignored', async ({ startOwnSite }) => {
    let statusCode = 500;
    const site = await startOwnSite({
      overrides: withMiddleware({ explode: () => new HttpError('Not as meant.', statusCode, 'Odd') }),
    });
    for (statusCode of [200, 302, 99, 1000, Number.NaN, 404.5]) {
      const answer = await getPage(site, '/about');
      expect([statusCode, answer.status]).toEqual([statusCode, 500]);
      errorPage(answer, 500, 'Internal Server Error');
    }
  });
});

it('an HttpError is shown with its status, status message and description', async ({ startOwnSite }) => {
  const site = await startOwnSite({
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

describe('a render that fails', () => {
  it('a failing render is a 500 with the error page, and is logged', async ({ startOwnSite }) => {
    const site = await startOwnSite({
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
    expect(errorLines(site, 'http-request-failed')[0]).toMatchObject({
      err: { message: 'component hunter2' },
    });
    // Other pages still work, and so does the payload of this page.
    expect((await getPage(site, '/')).status).toBe(200);
    expect((await getPayload(site, '/about')).status).toBe(200);
  });

  it('a render that exceeds its time is a 500', async ({ startOwnSite }) => {
    const never = new Promise<never>(() => {});
    const site = await startOwnSite({
      overrides: { renderTimeoutMs: 100, pages: { ...pages, page: () => use(never) } },
    });
    const page = errorPage(await getPage(site, '/about'), 500, 'Internal Server Error');
    expect(page.hasShell).toBe(true);
    expect(errorLines(site, 'http-request-failed')[0]).toMatchObject({
      err: { type: 'TimeoutError', message: 'The page was not rendered within 100 ms' },
    });
  });
});
