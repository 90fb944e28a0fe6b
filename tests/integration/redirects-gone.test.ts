import { describe, expect } from 'vitest';
import type { PagePayload } from '../../shared/payload/payload.ts';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { eventually } from '../support/eventually.ts';
import { failing, sendJson } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const ROWS = [
  { from: '/gone', to: null, statusCode: 410 },
  { from: '/gone-with-target', to: '/about', statusCode: 410 },
  { from: '/about', to: null, statusCode: 410 },
  { from: '/campaigns/**', to: null, statusCode: 410 },
  { from: '/campaigns/summer', to: '/blog', statusCode: 301 },
  { from: '/leads-to-gone', to: '/gone', statusCode: 301 },
  { from: '/images/logo.png', to: '/uploads/logo.svg', statusCode: 301 },
  { from: '/images/old/**', to: '/blog/**', statusCode: 302 },
  { from: '/uploads/flyer.pdf', to: '/blog', statusCode: 308 },
  { from: '/uploads/gone.pdf', statusCode: 410 },
  { from: '/assets/brochure.js', to: '/blog', statusCode: 301 },
  { from: '/assets/**', to: '/blog', statusCode: 301 },
  { from: '/builds/old.json', to: '/blog', statusCode: 301 },
  { from: '/sitemap-3.xml', to: '/sitemap.xml', statusCode: 301 },
];

/** Gives each test a site with these redirects. The backend has every upload. */
const it = backendTest.extend('site', async ({ backend, startOwnSite }): Promise<RunningSite> => {
  const data = ROWS.map((attributes, index) => ({ id: index + 1, attributes }));
  backend.on('/api/redirects', { data });
  const site = await startOwnSite();
  await eventually(async () =>
    expect((await sendRequest(site.url, '/leads-to-gone', { headers: AS_BROWSER })).headers.location).toBe(
      '/gone',
    ),
  );
  return site;
});

const read = (site: RunningSite, path: string, headers: Record<string, string> = AS_BROWSER) =>
  sendRequest(site.url, path, { headers });

describe('a redirect with status 410', () => {
  it.for([
    '/gone',
    '/GONE/',
    '/gone?a=1',
    '/gone-with-target',
    '/about',
    '/campaigns',
    '/campaigns/winter/2020',
  ])(
    'a redirect with status 410 answers %s with the 404 page’s text and status 410',
    async (path, { site }) => {
      const answer = await read(site, path);
      const { data, title } = parsePage(answer.text);
      expect(answer.status).toBe(410);
      expect(title).toMatch(/^Page Not Found/);
      expect(data?.payload).toMatchObject({
        error: {
          statusCode: 410,
          statusMessage: 'Page Not Found',
          message: `Page not found: ${path.split('?')[0]}`,
        },
      });
      expect(answer.text).toContain('>Page Not Found</h1>');
    },
  );

  it('the payload request for a page that is gone is answered with 200 and the error in its body', async ({
    site,
  }) => {
    const answer = await read(site, payloadAddress('/gone', '', 'any'), {});
    expect(answer.status).toBe(200);
    expect(answer.json<PagePayload>().error).toMatchObject({
      statusCode: 410,
      message: 'Page not found: /gone',
    });
  });

  it('a redirect with status 410 is JSON for a client that accepts JSON', async ({ site }) => {
    const answer = await read(site, '/gone', { accept: 'application/json' });
    expect(answer.status).toBe(410);
    expect(answer.json()).toMatchObject({ error: true, statusCode: 410, statusMessage: 'Page Not Found' });
  });

  it('a longer or exact row takes precedence over a redirect with status 410', async ({ site }) => {
    const answer = await read(site, '/campaigns/summer');
    expect([answer.status, answer.headers.location]).toEqual([301, '/blog']);
  });

  it('a chain of redirects may end at a redirect with status 410', async ({ site }) => {
    const answer = await read(site, '/leads-to-gone');
    expect([answer.status, answer.headers.location]).toEqual([301, '/gone']);
  });

  it('the site stores a 410 as briefly as a 404, and no other cache stores it', async ({ site }) => {
    const [gone, missing] = [await read(site, '/gone'), await read(site, '/no-such-page')];
    expect(gone.headers['cache-control']).toBe('no-store');
    expect(gone.headers['cache-control']).toBe(missing.headers['cache-control']);
    expect((await read(site, '/gone')).headers['cache-status']).toMatch(/hit/);
    const { positive, negative } = site.site.pages.size;
    expect([positive.entries, negative.entries]).toEqual([0, 2]);
  });
});

describe('a file that does not exist', () => {
  it.for([
    ['/images/logo.png', 301, '/uploads/logo.svg'],
    ['/images/old/team/photo.png', 302, '/blog/team/photo.png'],
    ['/uploads/flyer.pdf', 308, '/blog'],
    ['/assets/brochure.js', 301, '/blog'],
    ['/builds/old.json', 301, '/blog'],
    ['/sitemap-3.xml', 301, '/sitemap.xml'],
  ] as const)('a missing file follows its redirect (%s)', async ([path, status, location], { site }) => {
    const answer = await read(site, path);
    expect([answer.status, answer.headers.location]).toEqual([status, location]);
  });

  it('a missing file may have a redirect with status 410', async ({ site }) => {
    const answer = await read(site, '/uploads/gone.pdf');
    expect([answer.status, parsePage(answer.text).data?.payload.error?.statusCode]).toEqual([410, 410]);
  });

  it.for(['/assets/chunk-0000.js', '/assets/a/b.css', '/uploads/no-such.png', '/images/no-such.png'])(
    'a missing file without a redirect is a 404 in plain text (%s)',
    async (path, { site }) => {
      const answer = await read(site, path);
      expect([answer.status, answer.headers.location]).toEqual([404, undefined]);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );
});

describe('a file that exists', () => {
  it('an existing file is not redirected', async ({ backend, site }) => {
    backend.on(
      '/uploads/flyer.pdf',
      (_req, res) => void res.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4'),
    );
    const answer = await read(site, '/uploads/flyer.pdf');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
  });

  it('an existing file that the backend cannot send is a 503, and no redirect', async ({ backend, site }) => {
    backend.on('/uploads/flyer.pdf', failing(500));
    expect((await read(site, '/uploads/flyer.pdf')).status).toBe(503);
  });

  it('an existing file is sent even if the redirects cannot be loaded', async ({ backend, startOwnSite }) => {
    backend.on('/api/redirects', (_req, res) => sendJson(res, 500, {}));
    const site = await startOwnSite();
    const [chunk] = Object.values(site.site.manifest.routes).flat();
    expect((await read(site, chunk ?? '')).status).toBe(200);
    expect((await read(site, '/uploads/no-such.png')).status).toBe(404);
  });
});
