import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Behaviour, failing, recorded } from '../support/fake-backend.ts';
import { imageTest, rendition } from '../support/image-test.ts';
import { some } from '../support/in-full.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

/** Shorter than a hanging call, and long enough for any other call on a busy machine. */
const TIMEOUT_MS = '4000';
const hangs: Behaviour = () => {};
const closes: Behaviour = (_req, res) => void res.destroy();
const ARTICLE = '/blog/guides/accepting-cards-in-spain';

const statusOf = async (site: RunningSite, path: string) =>
  (await sendRequest(site.url, path, { headers: AS_BROWSER })).status;
const readyz = async (site: RunningSite) =>
  (await sendRequest(site.opsUrl, '/readyz')).json<{ backend: string; media: Record<string, string> }>();

describe('one unanswered call', () => {
  const behaviours: readonly [string, string, Behaviour][] = [
    ['a picture that hangs', '/uploads/slow.png', hangs],
    ['a picture whose connection is closed', '/uploads/slow.png', closes],
    ['a picture that fails', '/uploads/slow.png', failing(500)],
    ['articles that hang', '/api/articles', hangs],
    ['articles that fail', '/api/articles', failing(500)],
  ];

  it.for(some(behaviours, 3))(
    'an unanswered call does not affect other pages: %s',
    async ([, address, behaviour], { backend, startOwnSite }) => {
      const site = await startOwnSite({ env: { CONTENT_TIMEOUT_MS: TIMEOUT_MS } });
      backend.on(address, behaviour);
      const path = address.startsWith('/api/') ? ARTICLE : address;
      // Eight concurrent requests, with different addresses where a visitor can choose them.
      const failed = Array.from({ length: 8 }, (_, index) =>
        statusOf(site, index === 0 ? path : `${path}${index}`),
      );
      expect((await failed[0]) as number).toBe(503);
      expect(await statusOf(site, '/about')).toBe(200);
      await Promise.all(failed);
      for (const page of ['/commerce/online-shops', '/about/_payload.json'])
        expect([page, await statusOf(site, page)]).toEqual([page, 200]);
      expect(site.site.backendBreaker.isUp).toBe(true);
      expect(await readyz(site)).toMatchObject({ media: { backend: 'up' } });
      expect(site.log.filter(({ code }) => /^(?:backend|media-origin)-down$/.test(code))).toEqual([]);
    },
  );

  it('a call that failed is not sent for a while, then retried', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite({ env: { CONTENT_TIMEOUT_MS: TIMEOUT_MS } });
    backend.on('/uploads/reset.png', closes);
    for (let time = 0; time < 20; time++) expect(await statusOf(site, '/uploads/reset.png')).toBe(503);
    expect(backend.callsTo('/uploads/reset.png').length).toBeLessThan(20);
    backend.on('/uploads/reset.png', (_req, res) => res.end('\x89PNG\r\n\x1a\n'));
    await eventually(async () => expect(await statusOf(site, '/uploads/reset.png')).toBe(415));
  });
});

describe('a backend that is down', () => {
  it('a call detects an outage of the backend, which then gets only probes until it is back', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({ env: { CONTENT_TIMEOUT_MS: TIMEOUT_MS } });
    const api = ['main-page', 'categories', 'pages', 'articles', 'commerces', 'business-solutions'];
    for (const type of api) backend.on(`/api/${type}`, closes);
    await eventually(async () => {
      expect(await statusOf(site, '/about')).toBe(503);
      expect(site.site.backendBreaker.isUp).toBe(false);
    });
    backend.calls.length = 0;
    await eventually(async () => {
      for (const slug of ['a', 'b', 'c'])
        expect(await statusOf(site, `/asked-by-a-visitor-${slug}`)).toBe(503);
      expect(backend.calls.length).toBeGreaterThan(1);
    });
    const asked = new Set(backend.calls.map(({ url }) => url));
    expect(
      [...asked].filter(url => !/^\/api\/(?:main-page|categories\?pagination\[pageSize\]=1)$/.test(url)),
    ).toEqual([]);
    for (const type of api)
      backend.on(`/api/${type}`, (req, res) => {
        const answer = recorded('v5-as-v4', new URL(req.url ?? '', 'http://backend'));
        res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
      });
    // The site finds the end of the outage without a visitor.
    await eventually(() => expect(site.site.backendBreaker.isUp).toBe(true));
    expect(await statusOf(site, '/about')).toBe(200);
  });
});

describe('a media server that is down', () => {
  imageTest(
    'an outage of a media server affects neither the backend nor other media servers',
    async ({ backend, site, get, serve, photo, elsewhere, nameMedia }) => {
      await nameMedia(`${elsewhere.url}/up.png`);
      for (const path of ['/uploads/', '/favicon.ico', '/uploads/down.png']) backend.on(path, closes);
      await eventually(async () => {
        expect((await get(rendition('/uploads/down.png'))).status).toBe(503);
        expect(await readyz(site)).toMatchObject({
          ...{ backend: 'up', media: { backend: 'down', [elsewhere.url]: 'up' } },
        });
      });
      expect((await get(rendition(`${elsewhere.url}/up.png`))).status).toBe(200);
      expect((await get('/commerce/online-shops', AS_BROWSER)).status).toBe(200);
      const { text } = await sendRequest(site.opsUrl, '/metrics');
      expect(text).toContain('site_media_up{server="backend"} 0');
      expect(text).toContain(`site_media_up{server="${elsewhere.url}"} 1`);
      expect(text).toContain('site_backend_up 1');
      backend.reset();
      serve('/uploads/down.png', photo);
      await eventually(async () => expect((await get(rendition('/uploads/down.png'))).status).toBe(200));
    },
  );
});
