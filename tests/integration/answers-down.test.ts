import { describe, expect } from 'vitest';
import {
  getPage,
  linesOf,
  MADE_OF,
  PATHS,
  pagesOf,
  readinessOf,
  START_UP_TYPES,
  statesOf,
  statusesOf,
  TYPES,
} from '../support/content-answers.ts';
import { errorPage } from '../support/error-page.ts';
import { eventually } from '../support/eventually.ts';
import { type Behaviour, failing, recorded, sendJson } from '../support/fake-backend.ts';
import { inFull, some } from '../support/in-full.ts';
import { parsePage } from '../support/parse-page.ts';
import { backendTest as it } from '../support/site-test.ts';

interface Failure {
  what: string;
  behaviour: Behaviour;
  env?: Record<string, string>;
}

const FAILURES: readonly Failure[] = [
  { what: '500', behaviour: failing(500) },
  { what: '503', behaviour: failing(503, 'ServiceUnavailableError') },
  // Only this failure has the short limit: successful calls may take longer on a busy machine.
  { what: 'no answer', behaviour: () => {}, env: { CONTENT_TIMEOUT_MS: '1000' } },
  { what: 'a closed connection', behaviour: (_req, res) => void res.destroy() },
  { what: 'no JSON', behaviour: (_req, res) => void res.end('<html>') },
  { what: 'another shape', behaviour: (_req, res) => sendJson(res, 200, { hello: 'world' }) },
];
/** Types that the start-up does not require, and whose failure fails no page. */
const OPTIONAL = ['redirects', 'socials'];
const OTHERS = ['articles', 'pages', 'business-solutions', 'commerces'];

/** The short form tries each failure with one type, and each type with one or two failures. */
const typesFor = <T>(failure: string, types: readonly T[]): readonly T[] => {
  const index = FAILURES.findIndex(({ what }) => what === failure) % types.length;
  return inFull ? types : types.slice(index, index + 1);
};

describe.each(some(FAILURES, 3))('$what when nothing was known', ({ what, behaviour, env = {} }) => {
  it.for(typesFor(what, START_UP_TYPES))(
    'a failing start-up call for %s makes every page the error page',
    async (type, { backend, startOwnSite }) => {
      backend.on(`/api/${type}`, behaviour);
      const site = await startOwnSite({ env });
      for (const path of PATHS) errorPage(await getPage(site, path), 503, 'Internal Server Error');
      expect(linesOf(site, type)[0]).toMatchObject({ level: 'error', code: 'content-type-down' });
      expect((await readinessOf(site))[0]).toBe(503);
    },
  );

  it.for(typesFor(what, OTHERS))(
    'a failure of %s is a 503 only on the pages built on it',
    async (type, { backend, startOwnSite }) => {
      const site = await startOwnSite({ env });
      backend.on(`/api/${type}`, behaviour);
      const isMadeOf = (path: string) => MADE_OF[path]?.includes(type) === true;
      // Two pages suffice: after an unanswered call the breaker lets one call a second through.
      for (const path of [PATHS.find(isMadeOf) ?? '', PATHS.findLast(address => !isMadeOf(address)) ?? '']) {
        const expected = isMadeOf(path) ? 503 : 200;
        await eventually(async () =>
          expect([path, (await getPage(site, path)).status]).toEqual([path, expected]),
        );
      }
      expect((await statesOf(site))[type]).toBe('down');
    },
  );

  it.for(typesFor(what, OPTIONAL))(
    'a failure of %s fails no page',
    async (type, { backend, startOwnSite }) => {
      backend.on(`/api/${type}`, behaviour);
      const site = await startOwnSite({ env });
      // Each page is requested once, because only a first request waits for the failing call.
      for (const path of PATHS) expect([path, (await getPage(site, path)).status]).toEqual([path, 200]);
    },
  );
});

describe('a failure of content that was known before', () => {
  it.for(some(TYPES, 3))(
    'a failure of the known type %s keeps its last content, and the type’s state is `down`',
    async (type, { backend, startOwnSite }) => {
      // The page cache is off, so each page is rendered from the last content.
      const site = await startOwnSite({ env: { CONTENT_TTL_MS: '0', PAGE_CACHE_BYTES: '0' } });
      const before = await pagesOf(site);
      backend.on(`/api/${type}`, failing(500));
      await eventually(async () => {
        expect(await pagesOf(site)).toEqual(before);
        expect((await statesOf(site))[type]).toBe('down');
      });
      expect(await readinessOf(site)).toMatchObject([
        200,
        { status: 'degraded', degraded: [{ reason: 'cms' }], backend: 'down' },
      ]);
      expect(linesOf(site, type)).toMatchObject([{ level: 'error', code: 'content-type-down' }]);
    },
  );
});

describe('optional content that fails and was never known', () => {
  it('failing related articles are omitted, and appear with the next revalidation', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    const article = '/blog/guides/accepting-cards-in-spain';
    const related = async () => {
      const data = parsePage((await getPage(site, article)).text).data?.payload.data.page;
      return data && 'article' in data ? data.related : null;
    };
    let isDown = true;
    backend.on('/api/articles', (req, res) => {
      const url = new URL(req.url ?? '/', 'http://backend');
      const isList = decodeURIComponent(url.search).includes('filters[category]');
      const behaviour = isDown && isList ? failing(500) : recorded('v5-as-v4', url);
      if (typeof behaviour === 'function') behaviour(req, res);
      else sendJson(res, 200, behaviour);
    });
    expect(await related()).toEqual([]);
    // The page is stored as stale. A visitor gets it at once, and a revalidation renders it again in the
    // background.
    expect((await getPage(site, article)).headers['cache-status']).toMatch(/^site; hit; ttl=-\d+$/);
    isDown = false;
    await eventually(async () => expect((await related())?.length).toBeGreaterThan(0));
  });

  it('a failing parent page omits the breadcrumb', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite();
    backend.on('/api/pages', failing(500));
    const answer = await getPage(site, '/commerce/online-shops');
    expect(answer.status).toBe(200);
    expect(parsePage(answer.text).data?.payload.data.page).toMatchObject({ breadcrumbs: [{ href: null }] });
  });

  it('the suggestions on a 404 page come from memory, so failing content does not affect them', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    await statusesOf(site);
    for (const type of TYPES) backend.on(`/api/${type}`, failing(500));
    errorPage(await getPage(site, '/no/such/page'), 404, 'Page Not Found');
  });
});

describe('content that is down', () => {
  it('a failed content type is loaded again without a visitor', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite({ env: { CONTENT_TTL_MS: '0' }, overrides: { retryFailedMs: 200 } });
    await getPage(site, '/about');
    backend.on('/api/pages', failing(500));
    await getPage(site, '/about');
    await eventually(async () => expect((await statesOf(site)).pages).toBe('down'));
    backend.reset();
    await eventually(async () => expect(await statesOf(site)).toEqual({}));
    expect(linesOf(site, 'pages').map(({ code }) => code)).toEqual(['content-type-down', 'content-type-ok']);
    expect((await readinessOf(site))[1].backend).toBe('up');
  });
});
