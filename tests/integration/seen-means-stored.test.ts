import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { cacheStatusOf, STALE_HIT } from '../support/cache-status.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { engineFor } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { type CmsRow, startGeneratedCms } from '../support/generated-cms.ts';
import { listOfRows } from '../support/list-backend.ts';
import { startRedis } from '../support/redis.ts';
import { startRelay } from '../support/relay.ts';
import { sameLog } from '../support/replicas.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
/** Number of concurrent renders, below the connections to the CMS. */
const RENDERS = 40;
const PAGES = Array.from({ length: 70 }, (_, at) => `/blog/${at % 2 ? 'news' : 'guides'}/article-${at}`);
const SEEN = PAGES[5] ?? '';

const it = test
  .extend('dataDir', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'seen-'));
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return folder;
  })
  /** A CMS without tags. A test may cut it off, or delay its responses about single articles. */
  .extend('cms', async ({}, { onCleanup }) => {
    const articles = PAGES.map((_, at) => ({ category: at % 2, author: 0, cover: 2, date: at }));
    const cms = await startGeneratedCms({ articles, isDated: true });
    const relay = await startRelay(cms.backend.url);
    onCleanup(async () => {
      await relay.close();
      await cms.close();
    });
    let held: (() => void)[] | null = null;
    cms.backend.on('/api/tags', failing(404));
    cms.backend.on('/api/articles', (req, res) => {
      const isLookup = decodeURIComponent(req.url ?? '').includes('filters[slug]');
      // The response has the rows as they were when the call arrived.
      const rows = structuredClone(cms.rows('article'));
      const answer = () => listOfRows(() => rows)(req, res);
      if (held && isLookup) held.push(answer);
      else answer();
    });
    /** Calls `work` while lookups of articles are in flight. */
    async function meanwhile<T>(lookups: number, work: () => Promise<T>): Promise<T> {
      const waiting: (() => void)[] = [];
      held = waiting;
      await eventually(() => expect(waiting.length).toBeGreaterThanOrEqual(lookups));
      const result = await work();
      held = null;
      for (const answer of waiting) answer();
      return result;
    }
    return { ...cms, url: relay.url, goDown: relay.goDown, meanwhile };
  })
  .extend('start', async ({ cms, dataDir }, { onCleanup }) => {
    const ends: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      for (const end of ends) await end();
    });
    return async (env: Record<string, string> = {}, folder = dataDir): Promise<RunningSite> => {
      const site = await startSite({
        ...{ contentBaseUrl: cms.url, dataDir: folder },
        // All pages are rendered, however long a busy machine needs.
        overrides: { maxRenderWaitMs: 600_000 },
        env: {
          PUBLIC_URL: 'https://www.example.com',
          MAX_RENDERS: String(RENDERS),
          CONTENT_TTL_MS: '3600000',
          WEBHOOK_SECRET: SECRET,
          ...env,
        },
      });
      let isRunning = true;
      const close = async () => {
        if (isRunning) await site.close();
        isRunning = false;
      };
      ends.push(close);
      return { ...site, close };
    };
  });

const get = ({ url }: RunningSite, page: string) => sendRequest(url, page, { headers: AS_BROWSER });
const statusesOf = async (site: RunningSite, pages: readonly string[]) =>
  Object.fromEntries(
    await Promise.all(pages.map(async page => [page, (await get(site, page)).status] as const)),
  );
const allOf = (pages: readonly string[], status: number) =>
  Object.fromEntries(pages.map(page => [page, status]));
const articleOf = (rows: readonly CmsRow[], page: string) =>
  rows.find(({ slug }) => page.endsWith(`/${slug}`)) ?? expect.fail();

/** @returns the pages whose stored response is stale. */
async function staleOf(site: RunningSite, pages: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(pages.map(async page => [page, await get(site, page)] as const));
  return answers.flatMap(([page, answer]) => (STALE_HIT.test(cacheStatusOf(answer)) ? [page] : []));
}

/**
 * Sends an event.
 * @returns its outcome once the site has recorded it. The response itself waits for held lookups.
 */
async function announced(
  site: RunningSite,
  event: object,
): Promise<{ outcome: Promise<{ status: number }> }> {
  const apply = vi.spyOn(site.site.contentChanges, 'apply');
  const outcome = sendWebhook(site.url, SECRET, event);
  await eventually(() => expect(apply).toHaveBeenCalled());
  return { outcome };
}

it('pages requested during the first sweep are served in a later outage', async ({ cms, start }) => {
  const site = await start();
  const asked = statusesOf(site, PAGES);
  await cms.meanwhile(RENDERS, () => site.site.contentSweep.sweep());
  expect(await asked).toEqual(allOf(PAGES, 200));
  cms.goDown();
  expect(await statusesOf(site, PAGES)).toEqual(allOf(PAGES, 200));
  const stale = await staleOf(site, PAGES);
  expect(stale.length).toBeGreaterThanOrEqual(RENDERS);
  await site.close();
  const next = await start();
  expect(await statusesOf(next, PAGES), 'after a restart').toEqual(allOf(PAGES, 200));
  expect(await staleOf(next, stale)).toEqual(stale);
  await next.close();
  const other = await start({ PUBLIC_URL: 'https://other.example' });
  expect(await statusesOf(other, PAGES), 'rendered from the content on disk').toEqual(allOf(PAGES, 200));
});

it('a page rendered during an event about it is served in a later outage', async ({ cms, start }) => {
  const site = await start();
  const asked = get(site, SEEN);
  const { outcome } = await cms.meanwhile(1, () =>
    announced(site, cms.publish('article', articleOf(cms.rows('article'), SEEN), { h1: 'Edited' })),
  );
  expect((await asked).status).toBe(200);
  await outcome;
  cms.goDown();
  expect((await get(site, SEEN)).status).toBe(200);
});

it('a page whose entry is removed during its render is not stored', async ({ cms, start }) => {
  const site = await start();
  const asked = get(site, SEEN);
  const row = articleOf(cms.rows('article'), SEEN);
  const { outcome } = await cms.meanwhile(1, () =>
    announced(site, cms.withdraw('article', row, 'entry.unpublish')),
  );
  expect((await asked).status, 'the CMS had answered before').toBe(200);
  await outcome;
  cms.goDown();
  expect((await get(site, SEEN)).status).toBe(503);
});

describe('two replicas', () => {
  const shared = it
    .extend('engine', { auto: true }, async ({ skip }) => engineFor('redis-server', { skip }))
    .extend('store', async ({}, { onCleanup }) => {
      const store = await startRedis();
      onCleanup(() => store.dispose());
      return store;
    });

  shared(
    'a page that one replica renders while the other gets an event is served by both in an outage',
    async ({ cms, store, start, dataDir }) => {
      const env = (name: string) => ({ SHARED_URL: store.url, REPLICA_ID: name });
      const one = await start(env('a'), path.join(dataDir, 'a'));
      const other = await start(env('b'), path.join(dataDir, 'b'));
      await sameLog([one, other], store);
      const asked = get(one, SEEN);
      const row = cms.rows('author')[0] ?? expect.fail();
      const { outcome } = await cms.meanwhile(1, async () => {
        const sent = await announced(other, cms.publish('author', row, { name: 'Ann Other' }));
        await sent.outcome;
        await sameLog([one, other], store);
        return sent;
      });
      expect((await outcome).status).toBe(200);
      expect((await asked).status).toBe(200);
      await eventually(async () => expect(await store.command('KEYS', '*lock:*')).toEqual([]));
      cms.goDown();
      for (const site of [one, other]) expect((await get(site, SEEN)).status).toBe(200);
    },
  );
});
