import type { ServerResponse } from 'node:http';
import { describe, expect } from 'vitest';
import { BYPASS, cacheStatusOf, STALE_HIT } from '../support/cache-status.ts';
import { eventually } from '../support/eventually.ts';
import { capture, failing } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { decompressed, pageCacheTest, storableHeaders } from '../support/page-cache-test.ts';
import { rendersOf } from '../support/page-facts-of-site.ts';
import { startRelay } from '../support/relay.ts';
import { SAMPLE_PATHS } from '../support/sample-site.ts';
import { startSite } from '../support/start-site.ts';

const ABOUT = SAMPLE_PATHS.page;
/** Content that is stale at once makes every stored page stale at once. */
const STALE_AT_ONCE = { CONTENT_TTL_MS: '1' };
/** The backend's response to a query without a result. */
const EMPTY = { data: [], meta: { pagination: { page: 1, pageSize: 100, pageCount: 0, total: 0 } } };

/** Gives each test file a site on the sample content behind a relay, which can go down. */
const itRelayed = pageCacheTest
  .extend('relay', { scope: 'file' }, async ({ sample }, { onCleanup }) => {
    const relay = await startRelay(sample.backend.url);
    onCleanup(() => relay.close());
    return relay;
  })
  .extend('relayedSite', { scope: 'file' }, async ({ relay, siteEnv }, { onCleanup }) => {
    const site = await startSite({ contentBaseUrl: relay.url, env: { ...siteEnv, ...STALE_AT_ONCE } });
    onCleanup(() => site.close());
    return site;
  })
  .extend('resetRelay', { auto: true }, async ({ relay }) => relay.reset());

/** Gives each test file a site that requests content from the fake backend each time. */
const it = pageCacheTest.extend('siteEnv', { scope: 'file' }, STALE_AT_ONCE);

describe('while the backend is down', () => {
  itRelayed(
    'during an outage a stored page is a stale hit with a negative ttl',
    async ({ get, relay, relayedSite }) => {
      const seen = await get(ABOUT, {}, relayedSite.url);
      relay.goDown();
      const stale = await eventually(async () => {
        const answer = await get(ABOUT, {}, relayedSite.url);
        expect(cacheStatusOf(answer)).toMatch(STALE_HIT);
        return answer;
      });
      expect([stale.status, stale.headers.etag]).toEqual([200, seen.headers.etag]);
      expect(stale.body.equals(seen.body)).toBe(true);
      expect(storableHeaders(stale)).toEqual(storableHeaders(seen));
      expect(relayedSite.requests(ABOUT).at(-1)).toMatchObject({ page: 'stale', status: 200 });
      expect(await relayedSite.site.metrics.registry.metrics()).toMatch(
        /site_page_answers_total\{outcome="stale"\} [1-9]/,
      );
      const conditional = { 'if-none-match': String(stale.headers.etag) };
      expect((await get(ABOUT, conditional, relayedSite.url)).status).toBe(304);
    },
  );

  itRelayed(
    'during an outage an unstored page is a 503 that no cache stores',
    async ({ get, relay, relayedSite }) => {
      relay.goDown();
      for (const path of ['/privacy', '/privacy/_payload.json']) {
        const answer = await get(path, {}, relayedSite.url);
        expect([answer.status, answer.headers['cache-control']]).toEqual([503, 'no-store']);
        expect(answer.headers['retry-after']).toMatch(/^\d+$/);
        expect(answer.headers['cdn-cache-control']).toBeUndefined();
        expect(cacheStatusOf(answer)).toBe(BYPASS);
      }
      const keys = [...relayedSite.site.pages.entries()].map(({ key }) => key);
      expect(keys.filter(key => key.includes('/privacy'))).toEqual([]);
      relay.reset();
      await eventually(async () => expect((await get('/privacy', {}, relayedSite.url)).status).toBe(200));
    },
  );
});

describe('a backend that responds without usable content', () => {
  it('an unusable response never replaces a stored page, but a response without the entry does', async ({
    backend,
    get,
    site,
  }) => {
    const slugs = capture('v5-as-v4', 'pages.json') as { data: { attributes: { slug: string } }[] };
    const known = `/${slugs.data[0]?.attributes.slug}`;
    const good = await get(known, {}, site.url);
    expect(good.status).toBe(200);
    const behaviours = [
      failing(500),
      failing(403, 'ForbiddenError'),
      { data: null },
      { data: [{ id: 1 }], meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: 1 } } },
      (_req: unknown, res: ServerResponse) => void res.end('<html>maintenance</html>'),
      (_req: unknown, res: ServerResponse) => void res.end('{"data": [{"id": 1, "attr'),
    ];
    for (const behaviour of behaviours) {
      backend.on('/api/pages', behaviour);
      const calls = backend.callsTo('/api/pages').length;
      await eventually(async () => {
        const answer = await get(known, {}, site.url);
        expect([answer.status, answer.headers.etag]).toEqual([200, good.headers.etag]);
        expect(cacheStatusOf(answer)).toMatch(STALE_HIT);
        expect(backend.callsTo('/api/pages').length).toBeGreaterThan(calls);
      });
    }
    backend.on('/api/pages', EMPTY);
    await eventually(async () => expect((await get(known, {}, site.url)).status).toBe(404));
  });

  it('unusable responses of the backend do not cause a render at each request', async ({
    backend,
    get,
    site,
  }) => {
    const known = '/about';
    await get(known, {}, site.url);
    backend.on('/api/pages', failing(500));
    const [before, startedAt] = [await rendersOf(site), performance.now()];
    for (let index = 0; index < 60; index++) expect((await get(known, {}, site.url)).status).toBe(200);
    await eventually(() => expect(site.site.pages.inFlight).toBe(0));
    // A failed revalidation is retried after a second at the earliest.
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    expect((await rendersOf(site)) - before).toBeLessThanOrEqual(seconds + 1);
    expect(site.site.backendBreaker.isUp).toBe(true);
  });

  it('200 visitors of a missing page cause one call', async ({ backend, get, site }) => {
    const held = heldAnswer(EMPTY);
    backend.on('/api/pages', held.behaviour);
    const visitors = Array.from({ length: 200 }, () => get('/terms', {}, site.url));
    await eventually(() => expect(held.waiting()).toBe(1));
    await eventually(() => expect(site.site.pages.inFlight).toBe(1));
    held.release();
    const answers = await Promise.all(visitors);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(answers.map(decompressed)).size).toBe(1);
  });
});
