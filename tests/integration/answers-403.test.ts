import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import { modelOf, permissionLabelOf } from '../../server/wire/described-types.ts';
import {
  expectStored,
  getPage,
  linesOf,
  MADE_OF,
  PATHS,
  pagesOf,
  readinessOf,
  START_UP_TYPES,
  statesOf,
  statusesOf,
  statusesWithout,
  TYPES,
} from '../support/content-answers.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, failing, recorded } from '../support/fake-backend.ts';
import { inFull, some } from '../support/in-full.ts';
import { parsePage } from '../support/parse-page.ts';
import { patient } from '../support/patience.ts';
import { backendTest as it } from '../support/site-test.ts';

const forbidden = failing(403, 'ForbiddenError');
const ARTICLE = '/blog/guides/accepting-cards-in-spain';

/** Refuses the calls to a type whose addresses contain a text. */
function refuse(backend: FakeBackend, type: string, text: string): void {
  backend.on(`/api/${type}`, (req, res) => {
    const url = new URL(req.url ?? '/', 'http://backend');
    const behaviour = decodeURIComponent(url.search).includes(text) ? forbidden : recorded('v5-as-v4', url);
    if (typeof behaviour === 'function') behaviour(req, res);
    else res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(behaviour));
  });
}

describe('403 on a type that was never known', () => {
  it.for(some(TYPES, 4))(
    'a 403 for %s from the start makes pages built on it a 503, and other pages omit it',
    async (type, { backend, startOwnSite }) => {
      backend.on(`/api/${type}`, forbidden);
      const site = await startOwnSite();
      expect(await statusesOf(site)).toEqual(statusesWithout([type]));
      const uses = PATHS.filter(path => !MADE_OF[path]?.includes(type));
      await expectStored(site, uses);
      for (const path of PATHS.filter(address => !uses.includes(address))) {
        const { status, headers } = await getPage(site, path);
        expect([path, status, headers['cache-control']]).toEqual([path, 503, 'no-store']);
      }
      expect(site.site.pages.size.positive.entries).toBe(uses.length);
      expect(linesOf(site, type)).toMatchObject([
        {
          level: 'error',
          code: 'content-type-empty',
          reason: `GET /api/${type}: answered 403 (ForbiddenError)`,
          effect: 'pages that use it are made without it; pages made of it are a 503',
          remedy: expect.stringMatching(
            `^Strapi: Settings → Users & Permissions plugin → Roles → Public → ${permissionLabelOf(modelOf(type))} → allow find$`,
          ),
        },
      ]);
      expect(await readinessOf(site)).toMatchObject([200, { status: 'ready' }]);
    },
  );

  it('a 403 from the start for some types makes only pages built on them a 503', async ({
    backend,
    startOwnSite,
  }) => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...TYPES], { minLength: 2 }), async refused => {
        // A test below covers a 403 for the whole start-up.
        fc.pre(START_UP_TYPES.some(type => !refused.includes(type)));
        backend.reset();
        for (const type of refused) backend.on(`/api/${type}`, forbidden);
        const site = await startOwnSite();
        expect(await statusesOf(site)).toEqual(statusesWithout(refused));
        await site.close();
      }),
      { numRuns: inFull ? 12 : 4 },
    );
  });

  it('the log entry of a 403 mentions the token if CONTENT_TOKEN is set', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/authors', forbidden);
    const site = await startOwnSite({ env: { CONTENT_TOKEN: 'a-long-token' } });
    expect(linesOf(site, 'authors')).toMatchObject([
      { remedy: expect.stringMatching(/API Tokens → the token in CONTENT_TOKEN .* → Author → allow find$/) },
    ]);
  });

  it('a 403 for only the related articles omits them, and the article is stored', async ({
    backend,
    startOwnSite,
  }) => {
    refuse(backend, 'articles', 'filters[category]');
    const site = await startOwnSite();
    const page = parsePage((await getPage(site, ARTICLE)).text);
    expect(page.data?.payload.data.page).toMatchObject({
      related: [],
      article: { category: { slug: 'guides' } },
    });
    await expectStored(site, [ARTICLE]);
  });

  it('a 403 for the parent page of an entry omits its breadcrumb, and the entry is stored', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/pages', forbidden);
    const site = await startOwnSite();
    const page = parsePage((await getPage(site, '/commerce/online-shops')).text);
    expect(page.data?.payload.data.page).toMatchObject({ breadcrumbs: [{ href: null }] });
    await expectStored(site, ['/commerce/online-shops']);
  });

  it('content appears on its pages soon after its permission was granted', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/landing', forbidden);
    const site = await startOwnSite({ env: { CONTENT_TTL_MS: '50' } });
    expect(await statusesOf(site)).toEqual(statusesWithout(['landing']));
    backend.reset();
    await eventually(async () => expect((await getPage(site, '/')).status).toBe(200));
    expect(linesOf(site, 'landing').at(-1)).toMatchObject({ code: 'content-type-ok' });
  });

  it.for(some(['landing', 'categories', 'articles', 'pages', 'commerces'], 2))(
    'pages recover within seconds of a 403 for %s, and visitors cause at most one call a second',
    async (type, { backend, startOwnSite }) => {
      backend.on(`/api/${type}`, forbidden);
      const site = await startOwnSite();
      const made = PATHS.filter(path => MADE_OF[path]?.includes(type));
      // A page stops loading at its first failed call, so all pages are visited twice.
      for (let time = 0; time < 2; time += 1) await statusesOf(site, made);
      const before = backend.callsTo(`/api/${type}`).length;
      const [first] = made;
      await eventually(async () => {
        expect((await getPage(site, first ?? '')).status).toBe(503);
        expect(backend.callsTo(`/api/${type}`).length).toBeGreaterThan(before + 2);
      });
      const times = backend
        .callsTo(`/api/${type}`)
        .slice(before)
        .map(({ at }) => at);
      for (const [index, at] of times.slice(1).entries())
        expect(at - (times[index] ?? 0)).toBeGreaterThan(900);
      backend.reset();
      const givenAt = performance.now();
      await eventually(async () => expect((await getPage(site, first ?? '')).status).toBe(200));
      expect(performance.now() - givenAt).toBeLessThan(patient(3_000));
      // The other pages recover without waiting another second each.
      expect(await statusesOf(site, made)).toEqual(statusesWithout([], made));
    },
  );

  it('a 403 from the start ends with an event about the type, before the TTL ends', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/settings', forbidden);
    const site = await startOwnSite({ env: { WEBHOOK_SECRET: 'a-secret-of-the-backend' } });
    await statusesOf(site);
    backend.reset();
    const event = { event: 'entry.update', model: 'settings', entry: { id: 1, publishedAt: '2026-11-21' } };
    expect((await sendWebhook(site.url, 'a-secret-of-the-backend', event)).status).toBe(200);
    await eventually(async () => {
      const shell = parsePage((await getPage(site, '/about')).text).data?.payload.data.shell;
      expect(shell?.headerLinks.length).toBeGreaterThan(0);
    });
  });

  it('a 403 for the whole start-up makes every page the error page until a permission is granted', async ({
    backend,
    startOwnSite,
  }) => {
    for (const type of TYPES) backend.on(`/api/${type}`, forbidden);
    const site = await startOwnSite();
    expect(new Set(Object.values(await statusesOf(site)))).toEqual(new Set([503]));
    // An empty sitemap would tell search engines that the pages are gone.
    for (const path of ['/sitemap.xml', '/blog/feed.xml'])
      expect([path, (await getPage(site, path)).status]).toEqual([path, 503]);
    expect(await readinessOf(site)).toMatchObject([503, { backend: 'refused' }]);
    const [line] = site.log.filter(({ failures }) => failures !== undefined);
    expect(line?.failures).toMatchObject(START_UP_TYPES.map(type => ({ type })));
    backend.on('/api/settings', (req, res) => {
      const body = recorded('v5-as-v4', new URL(req.url ?? '/', 'http://backend'));
      res.end(JSON.stringify(body));
    });
    await eventually(async () => expect((await readinessOf(site))[0]).toBe(200));
  });
});

describe('403 on a type that was known before', () => {
  it.for(some(TYPES, 4))(
    'a 403 leaves known content of %s on its pages, and the type’s state is `refused`',
    async (type, { backend, startOwnSite }) => {
      // The page cache is off, so each page is rendered from the last content.
      const site = await startOwnSite({ env: { CONTENT_TTL_MS: '0', PAGE_CACHE_BYTES: '0' } });
      const before = await pagesOf(site);
      backend.on(`/api/${type}`, forbidden);
      await eventually(async () => {
        expect(await pagesOf(site)).toEqual(before);
        expect(await statesOf(site)).toEqual({ [type]: 'refused' });
      });
      expect(await readinessOf(site)).toMatchObject([
        200,
        { status: 'degraded', degraded: [{ reason: 'refused' }], backend: 'refused' },
      ]);
      expect(linesOf(site, type)).toMatchObject([
        { level: 'error', code: 'content-type-refused', effect: 'the last content stays on the site' },
      ]);
    },
  );

  it('a page without earlier content is a 503 while the backend answers 403, and is not stored', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    await getPage(site, '/about');
    backend.on('/api/pages', forbidden);
    expect((await getPage(site, '/terms')).status).toBe(503);
    backend.reset();
    site.site.invalidation.invalidate(['pages']);
    await eventually(async () => expect((await getPage(site, '/terms')).status).toBe(200));
  });
});
