import { describe, expect } from 'vitest';
import type { PagePayload } from '../../shared/payload/payload.ts';
import type { HomeData } from '../../site/routes/home/home.route.ts';
import { errorLines, errorPage, getPage, getPayload } from '../support/error-page.ts';
import { capture, type FakeBackend, failing, sendJson } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { backendTest as it } from '../support/site-test.ts';

describe('when the content cannot be loaded', () => {
  it('an uncached page during an outage is a 503 in the layout, with Retry-After and a log entry', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite();
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
    expect(site.log.find(({ code }) => code === 'http-request-failed')).toMatchObject({
      level: 'debug',
      id: answer.headers['x-request-id'],
      err: { type: 'BackendError', message: expect.stringContaining('GET /api/pages: answered 500') },
    });

    backend.reset();
    expect((await getPage(site, '/about')).status).toBe(200);
  });

  it.for<[what: string, behaviour: Parameters<FakeBackend['on']>[1]]>([
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
  ])(
    'a backend response with %s is a 503, never a 404 or an empty page',
    async ([_what, behaviour], { backend, startOwnSite }) => {
      const site = await startOwnSite();
      backend.on('/api/pages', behaviour);
      errorPage(await getPage(site, '/about'), 503, 'Internal Server Error');
    },
  );

  it('a backend that does not answer causes a 503 after the deadline', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite({ env: { CONTENT_TIMEOUT_MS: '150' } });
    backend.on('/api/pages', () => {});
    errorPage(await getPage(site, '/about'), 503, 'Internal Server Error');
    expect(errorLines(site, 'content-type-down')[0]).toMatchObject({
      reason: expect.stringContaining('no answer within 150 ms'),
    });
  });

  it('without cached content the error page is bare, but still an HTML page', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/settings', failing(500));
    const site = await startOwnSite();
    const answer = await getPage(site, '/about');
    const page = errorPage(answer, 503, 'Internal Server Error');
    expect(page.hasShell).toBe(false);
    expect(page.layout).toBe('default');
    expect(page.data?.payload.data).toEqual({ shell: null, page: null });
    expect(answer.headers['retry-after']).toBeTruthy();
    expect(answer.text).toMatch(/^<!doctype html>/);
  });

  it('cached content is served when loading it again fails', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite({ env: { CONTENT_TTL_MS: '0' } });
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

  it('broken link lists become empty lists, and the page is served', async ({ backend, startOwnSite }) => {
    backend.on(
      '/api/settings',
      await settingsWith({ headerLinks: '[{"broken', footerLinks: '{', socials: 'no' }),
    );
    backend.on('/api/socials', (_req, res) => sendJson(res, 500, {}));
    const site = await startOwnSite();
    const answer = await getPage(site, '/about');
    expect(answer.status).toBe(200);
    const shell = parsePage(answer.text).data?.payload.data.shell;
    expect(shell).toMatchObject({ headerLinks: [], footerLinks: [], socials: [] });
  });

  it('a broken block of the landing page is left out, and the other blocks stay', async ({
    backend,
    startOwnSite,
  }) => {
    const landing = structuredClone(capture('v5-as-v4', 'landing.json')) as {
      data: { attributes: Record<string, unknown> };
    };
    landing.data.attributes.partnersBlock = '{"title": "Partn';
    landing.data.attributes.faqBlock = '[[';
    landing.data.attributes.schema2 = '{"@context":';
    backend.on('/api/landing', landing);
    const site = await startOwnSite();
    const answer = await getPage(site, '/');
    expect(answer.status).toBe(200);
    const page = parsePage(answer.text);
    const home = page.data?.payload.data.page as HomeData | undefined;
    const shown = home?.positions.flatMap(position => ('block' in position ? [position.block] : []));
    expect(shown).toEqual(expect.arrayContaining(['header', 'payments']));
    expect(shown).not.toContain('partners');
    expect(page.headings).toHaveLength(1);
    expect(page.jsonLd.length).toBeGreaterThan(0);
  });

  it('unreadable questions are left out of their page', async ({ startOwnSite }) => {
    const site = await startOwnSite();
    const answer = await getPage(site, '/cookies');
    expect(answer.status).toBe(200);
    expect(parsePage(answer.text).data?.payload.data.page).toMatchObject({
      page: { slug: 'cookies', questions: [] },
    });
  });
});
