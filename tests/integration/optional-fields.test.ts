import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect } from 'vitest';
import { routesOfType } from '../../server/addresses/type-routes.ts';
import { EVERYTHING } from '../../server/cache/tags/invalidation-log.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import type { FieldDescription, TypeDescription } from '../../shared/content/descriptions.ts';
import { pathTo, type RouteId, routeTable } from '../../shared/routing/routes.ts';
import { entryEvent, type Row, sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, recorded, sendJson } from '../support/fake-backend.ts';
import { some } from '../support/in-full.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const SITE = { env: { WEBHOOK_SECRET: SECRET, CONTENT_TTL_MS: '3600000' } };

/** A recorded page of each route that existed at the time of the recording. */
const PAGES: Readonly<Partial<Record<RouteId, string>>> = {
  home: pathTo('home', {}),
  page: pathTo('page', { slug: 'about' }),
  blog: pathTo('blog', {}),
  'blog-category': pathTo('blog-category', { category: 'guides' }),
  'blog-article': pathTo('blog-article', { category: 'guides', slug: 'accepting-cards-in-spain' }),
  'business-solution': pathTo('business-solution', { slug: 'payouts' }),
  commerce: pathTo('commerce', { slug: 'online-shops' }),
};

const pageOf = (route: string): string => PAGES[route as RouteId] ?? pathTo('home', {});

/** Each optional field of each recorded type with pages, so a new field is tested without a new test. */
const OPTIONAL = Object.entries<TypeDescription>(contentTypes).flatMap(([model, { path, route, fields }]) =>
  Object.entries<FieldDescription>(fields).flatMap(([field, { optional: cost }]) => {
    if (path === null || cost === undefined || !route || !(route in PAGES)) return [];
    const { readBy } = routesOfType(path);
    const routes = readBy === 'every page' ? routeTable.map(({ id }) => id) : readBy;
    return [{ model, path, field, cost, route, routes }];
  }),
);
type Optional = (typeof OPTIONAL)[number];
const WITH_SEO_IMAGE = OPTIONAL.filter(({ field }) => field === 'seoImage');

/** @returns the names in a query: `title` of `fields[0]=title`, `cover` of `populate[cover]=true`. */
const namesIn = (search: string) => decodeURIComponent(search).split(/[^\w-]+/);
const asks = (url: string, field: string) => namesIn(url.split('?')[1] ?? '').includes(field);

function answer(req: IncomingMessage, res: ServerResponse, change = (body: object) => body): void {
  const behaviour = recorded('v5-as-v4', new URL(req.url ?? '/', 'http://backend'));
  if (typeof behaviour === 'function') behaviour(req, res);
  else sendJson(res, 200, change(behaviour));
}

/** Makes the backend refuse queries of a type that name the field, as Strapi 5 does. */
function refuse(backend: FakeBackend, path: string, field: string): void {
  backend.on(`/api/${path}`, (req, res) => {
    if (!asks(req.url ?? '', field)) return answer(req, res);
    const error = {
      status: 400,
      name: 'ValidationError',
      message: `Invalid key ${field}`,
      details: { key: field },
    };
    sendJson(res, 400, { data: null, error });
  });
}

/** Adds the field to every row of a type when a query requests it. */
function give(backend: FakeBackend, path: string, field: string, value: unknown): void {
  backend.on(`/api/${path}`, (req, res) =>
    answer(req, res, body => {
      if (!asks(req.url ?? '', field) || !('data' in body) || !Array.isArray(body.data)) return body;
      const rows: readonly { attributes: object }[] = body.data;
      return {
        ...body,
        data: rows.map(row => ({ ...row, attributes: { ...row.attributes, [field]: value } })),
      };
    }),
  );
}

const callsThatAsk = (backend: FakeBackend, { path, field }: Optional) =>
  backend.callsTo(`/api/${path}`).filter(({ url }) => asks(url, field));

async function visit(site: RunningSite, path: string) {
  const { status, text } = await sendRequest(site.url, path, { headers: AS_BROWSER });
  const { headings } = parsePage(text);
  return { status, headings, text };
}

/**
 * Visits the pages that read the type, and the sitemap, which reads all lists. @returns the status and
 * headings of each.
 */
const visitAll = (site: RunningSite, { routes }: Pick<Optional, 'routes'>) =>
  Promise.all(
    [...new Set([...routes.map(pageOf), '/sitemap.xml'])].map(async path => {
      const { status, headings } = await visit(site, path);
      return { path, status, headings };
    }),
  );

/** Sends events as if an editor had published every entry of a type. */
async function announce(site: RunningSite, { model, path }: Optional): Promise<void> {
  const body = recorded('v5-as-v4', new URL(`/api/${path}`, 'http://backend'));
  const data: readonly Row[] | Row | [] = 'data' in body ? (body.data as Row[] | Row) : [];
  const rows = Array.isArray(data) ? data : [data];
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows)
    expect((await sendWebhook(site.url, SECRET, entryEvent('entry.publish', model, row))).status).toBe(200);
}

const PICTURE = {
  data: { id: 9, attributes: { url: '/uploads/for-sharing.png', width: 1200, height: 630 } },
};

describe.for(some(OPTIONAL, 2))('a backend whose $path have no $field', optional => {
  const { path, field, cost } = optional;

  it('a backend that lacks an optional field still gives the rest of each page', async ({
    backend,
    startOwnSite,
  }) => {
    const expected = await visitAll(await startOwnSite(SITE), optional);
    expect(expected.map(({ status }) => status)).toEqual(expected.map(() => 200));
    refuse(backend, path, field);
    expect(await visitAll(await startOwnSite(SITE), optional)).toEqual(expected);
  });

  it('a missing field is logged once, and left out of further calls', async ({ backend, startOwnSite }) => {
    refuse(backend, path, field);
    const site = await startOwnSite(SITE);
    await visitAll(site, optional);
    const refused = callsThatAsk(backend, optional).length;
    expect(refused).toBeGreaterThan(0);
    // Removed content is loaded again.
    site.site.invalidation.remove([EVERYTHING]);
    const calls = backend.callsTo(`/api/${path}`).length;
    await visitAll(site, optional);
    expect(backend.callsTo(`/api/${path}`).length).toBeGreaterThan(calls);
    expect(callsThatAsk(backend, optional)).toHaveLength(refused);
    const lines = site.log.filter(({ code }) => code === 'content-field-absent');
    expect(lines).toMatchObject([{ type: path, reason: expect.stringContaining(`'${field}'`) }]);
    expect(lines[0]?.reason).toContain(cost);
  });

  it('a missing field is requested again after an event', async ({ backend, startOwnSite }) => {
    refuse(backend, path, field);
    const site = await startOwnSite(SITE);
    await visitAll(site, optional);
    const refused = callsThatAsk(backend, optional).length;
    backend.on(`/api/${path}`, (req, res) => answer(req, res));
    await announce(site, optional);
    await eventually(async () => {
      for (const { status } of await visitAll(site, optional)) expect(status).toBe(200);
      expect(callsThatAsk(backend, optional).length).toBeGreaterThan(refused);
    });
  });

  it('a missing field of one type is still requested for other types', async ({ backend, startOwnSite }) => {
    refuse(backend, path, field);
    const site = await startOwnSite(SITE);
    await visitAll(site, { routes: routeTable.map(({ id }) => id) });
    for (const other of OPTIONAL.filter(one => one.field === field && one.path !== path))
      expect(callsThatAsk(backend, other).length, other.path).toBeGreaterThan(0);
  });
});

describe.for(some(WITH_SEO_IMAGE, 2))('the seoImage of $path', optional => {
  const { path, field } = optional;
  const page = pageOf(optional.route ?? 'home');

  it('seoImage is the share image', async ({ backend, startOwnSite }) => {
    give(backend, path, field, PICTURE);
    const { text } = await visit(await startOwnSite(SITE), page);
    expect(text).toMatch(
      /<meta property="og:image" content="[^"]*\/images\/uploads\/for-sharing\.png\/share\.jpg"/,
    );
  });

  it('seoImage is shown once the backend has the field', async ({ backend, startOwnSite }) => {
    refuse(backend, path, field);
    const site = await startOwnSite(SITE);
    expect((await visit(site, page)).text).not.toContain('for-sharing.png');
    const absent = () => site.site.problems.newest(100).filter(({ kind }) => kind === 'field-absent');
    expect(absent()).toMatchObject([{ type: path, id: null, field }]);
    give(backend, path, field, PICTURE);
    await announce(site, optional);
    await eventually(async () =>
      expect((await visit(site, page)).text.includes('for-sharing.png')).toBe(true),
    );
    expect(absent(), 'the problem is no longer listed').toEqual([]);
  });
});

describe('a 400 that mentions none of the optional fields', () => {
  it('a 400 that mentions no optional field is a failure of the backend', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite(SITE);
    backend.on('/api/pages', (_req, res) =>
      sendJson(res, 400, {
        data: null,
        error: { status: 400, name: 'ValidationError', message: 'Invalid key body' },
      }),
    );
    expect((await visit(site, pageOf('page'))).status).toBe(503);
    expect(backend.callsTo('/api/pages')).toHaveLength(1);
  });
});
