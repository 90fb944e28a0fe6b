import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Breadcrumb } from '../../shared/content/links.ts';
import { capture, sendJson } from '../support/fake-backend.ts';
import { some } from '../support/in-full.ts';
import { get, it, PUBLIC_URL, ready, visit } from '../support/outage-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { readProcessFile } from '../support/process-files.ts';
import type { Answer } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

/** Pages whose parent page, a breadcrumb, is missing in the recorded content. */
const ENTRIES = [
  '/commerce/online-shops',
  '/commerce/marketplaces',
  '/business-solutions/payouts',
  '/business-solutions/payment-links',
  '/business-solutions/bare-solution',
];
const SEEN = ['/', '/about', ...ENTRIES, `${ENTRIES[0]}/_payload.json`];
/** Addresses of missing pages. The first two are the generic pages above the entries. */
const MADE_UP = ['/commerce', '/business-solutions', '/commerce/made-up', '/made-up', '/blog/news/made-up'];

/** @returns the breadcrumbs of a page. */
function breadcrumbsOf(address: string, { text }: Answer): readonly Breadcrumb[] | undefined {
  const data = address.endsWith('.json') ? JSON.parse(text).data : parsePage(text).data?.payload.data;
  return data?.page?.breadcrumbs;
}

/** @returns the keys in the file of negative entries. */
async function keptKeys({ site }: RunningSite): Promise<string[]> {
  const file = path.join(site.backendFolder.dir, 'absences.json');
  const kept = (await readProcessFile(file)) as [key: string][];
  return kept.map(([key]) => key).sort();
}

describe.each(['v5-flat', 'v4'] as const)('a process that starts while a backend (%s) is down', set => {
  it.for(some(['both', 'the next build', 'another PUBLIC_URL'], 1))(
    'a process that starts during an outage (%s) serves each earlier page with the same breadcrumbs',
    async (change, { nextBuild, startBackend, startProcess }) => {
      const backend = await startBackend(set);
      const old = await startProcess(backend.url);
      const seen = await visit(old, SEEN);
      await old.close();
      backend.goDown();
      const next = await startProcess(backend.url, {
        ...(change === 'another PUBLIC_URL' ? {} : { distDir: nextBuild.distDir }),
        env: { PUBLIC_URL: change === 'the next build' ? PUBLIC_URL : 'https://other.example' },
      });
      await ready(next);
      for (const [address, before] of seen) {
        const answer = await get(next, address);
        expect([address, answer.status]).toEqual([address, 200]);
        expect(answer.headers['cache-status'], address).toMatch(/^site; fwd=miss; stored; ttl=-\d+$/);
        expect([address, breadcrumbsOf(address, answer)]).toEqual([address, breadcrumbsOf(address, before)]);
      }
    },
  );
});

describe('a negative entry', () => {
  it('a missing page is a 503, not a 404, while the backend is down', async ({
    nextBuild,
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    const old = await startProcess(backend.url);
    await visit(old, SEEN);
    for (const address of MADE_UP)
      expect([address, (await get(old, address)).status]).toEqual([address, 404]);
    await old.close();
    backend.goDown();
    for (const distDir of [old.site.distDir, nextBuild.distDir]) {
      const next = await startProcess(backend.url, { distDir });
      await ready(next);
      // Visit the entries first: rendering them shows the process that their parent pages do not exist.
      await visit(next, ENTRIES);
      for (const address of MADE_UP)
        expect([address, (await get(next, address)).status]).toEqual([address, 503]);
      await next.close();
    }
  });

  it('made-up addresses are not stored as negative entries, and evict none', async ({
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    const old = await startProcess(backend.url);
    await visit(old, ENTRIES);
    for (let index = 0; index < 50; index += 1)
      expect((await get(old, `/${index % 2 ? 'commerce/' : ''}made-up-${index}`)).status).toBe(404);
    await old.close();
    expect(await keptKeys(old)).toEqual(['pages/business-solutions', 'pages/commerce']);
  });

  it('a negative entry is removed when the content exists', async ({
    nextBuild,
    startBackend,
    startProcess,
  }) => {
    const backend = await startBackend();
    const old = await startProcess(backend.url);
    await visit(old, ENTRIES);
    await old.site.settled();
    const [about] = (capture('v5-flat', 'pages.json').data as { slug: string }[]).filter(
      ({ slug }) => slug === 'about',
    );
    backend.fake.on('/api/pages', (req, res) => {
      const slug = new URL(req.url ?? '/', 'http://backend').searchParams.get('filters[slug][$eq]');
      const data = slug === 'commerce' ? [{ ...about, slug, title: 'Commerce at last' }] : [];
      sendJson(res, 200, { data, meta: { pagination: { page: 1, pageCount: 1, pageSize: 100, total: 1 } } });
    });
    expect((await get(old, '/commerce')).status).toBe(200);
    await old.close();
    expect(await keptKeys(old)).toEqual(['pages/business-solutions']);
    backend.goDown();
    const next = await startProcess(backend.url, { distDir: nextBuild.distDir });
    await ready(next);
    expect(breadcrumbsOf('', await get(next, '/commerce/online-shops'))).toMatchObject([
      { title: 'Commerce at last' },
      {},
    ]);
  });
});
