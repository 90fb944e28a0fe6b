import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { eventually } from '../support/eventually.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const ROUTE = '../../site/routes/business-solution/business-solution.route.ts';
const ORIGIN = 'https://www.example.com';
const OLD = '/business-solutions/payouts';
const NEW = '/leistungen/payouts';

/** A site in which somebody has changed the only line with the address of a type's pages. */
describe('the pages of a type at another address', () => {
  let dir: string;
  let site: RunningSite;
  let backend: Awaited<ReturnType<typeof startEmbeddedBackend>>;
  beforeAll(async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), 'moved-'));
    const contentDir = path.join(dir, 'content');
    await cp(FIXTURE_CONTENT, contentDir, { recursive: true });
    const pages = path.join(contentDir, 'pages');
    await rename(path.join(pages, 'business-solutions.md'), path.join(pages, 'leistungen.md'));
    vi.resetModules();
    vi.doMock(ROUTE, async original => {
      const { businessSolution } =
        await original<typeof import('../../site/routes/business-solution/business-solution.route.ts')>();
      const { pagesAt } = await import('../../shared/routing/route.ts');
      return { businessSolution: { ...businessSolution, ...pagesAt('/leistungen', '/business-solutions') } };
    });
    const { startSite } = await import('../support/start-site.ts');
    backend = await startEmbeddedBackend({ contentDir, mailDir: path.join(dir, 'mail') });
    site = await startSite({ contentBaseUrl: backend.url, env: { PUBLIC_URL: ORIGIN } });
  });
  afterAll(async () => {
    vi.doUnmock(ROUTE);
    vi.resetModules();
    await site.close();
    await backend.close();
    await rm(dir, { recursive: true, force: true });
  });

  const get = (address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });

  it.each([
    [OLD, NEW],
    [`${OLD}?a=1`, `${NEW}?a=1`],
    ['/business-solutions', '/leistungen'],
    ['/business-solutions/direct-debits', '/leistungen/direct-debits'],
  ])('the former address %s redirects to %s', async (from, to) => {
    expect(await get(from)).toMatchObject({ status: 308, headers: { location: to } });
    expect((await get(to)).status).toBe(200);
  });

  it('the payload of a former address redirects inside the app', async () => {
    const payload = (await get(`${OLD}/_payload.json`)).json<{ redirect: { to: string } }>();
    expect(payload.redirect.to).toBe(NEW);
  });

  it('a page at the new address names it in canonical, breadcrumbs and structured data', async () => {
    const { text } = await get(NEW);
    expect(text).toContain(`<link rel="canonical" href="${ORIGIN}${NEW}">`);
    expect(text).toMatch(/<a [^>]*href="\/leistungen"/);
    expect(text).toContain(`"item":"${ORIGIN}/leistungen"`);
    expect(text).toContain(`"url":"${ORIGIN}${NEW}"`);
  });

  it('the page above lists the entries, and the sitemap lists only the new addresses', async () => {
    expect((await get('/leistungen')).text).toMatch(new RegExp(`href="${NEW}"`));
    const { text } = await get('/sitemap.xml');
    expect(text).toContain(`<loc>${ORIGIN}${NEW}</loc>`);
    expect(text).not.toContain('business-solutions');
  });

  it('the search links to the new address', async () => {
    site.site.search.begin();
    await eventually(async () => expect(site.site.search.isReading).toBe(false));
    expect((await get('/search?q=payouts')).text).toContain(`href="${NEW}"`);
  });
});

it('the sample’s routes have the addresses /business-solutions and /commerce', async () => {
  const { routeById } = await import('../../shared/routing/routes.ts');
  expect(routeById('business-solution').path).toBe('/business-solutions/:slug');
  expect(routeById('commerce').path).toBe('/commerce/:slug');
});
