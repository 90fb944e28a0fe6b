import { afterEach, describe, expect } from 'vitest';
import type { EmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { askAll } from '../faults/stage.ts';
import { eventually } from '../support/eventually.ts';
import { some } from '../support/in-full.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { startSampleBackend } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

interface Fleet {
  backend: EmbeddedBackend;
  relay: Relay;
  redis: RedisServer;
  /** Starts a replica with an empty disk. */
  start(env?: Record<string, string>): Promise<RunningSite>;
}

async function startFleet(): Promise<Fleet> {
  const backend = await startSampleBackend();
  const relay = await startRelay(backend.url);
  const redis = await startRedis();
  disposals.push(backend.close, relay.close, redis.dispose);
  return {
    ...{ backend, relay, redis },
    async start(env = {}) {
      const site = await startSite({
        contentBaseUrl: relay.url,
        env: {
          SHARED_URL: redis.url,
          PUBLIC_URL: 'https://www.example.com',
          CONTENT_TTL_MS: '600000',
          ...env,
        },
      });
      disposals.push(site.close);
      return site;
    },
  };
}

/** @returns page addresses: all in the full form, a dozen in the short form. */
async function pagesOf({ url }: RunningSite): Promise<readonly string[]> {
  const { text } = await sendRequest(url, '/sitemap.xml');
  const addresses = text.matchAll(/<loc>https:\/\/www\.example\.com([^<]*)<\/loc>/g);
  const paths = Array.from(addresses, ([, path]) => path || '/');
  return [
    ...some(
      paths.filter(path => path !== '/terms'),
      12,
    ),
    '/terms',
  ];
}

/** @returns the requested paths by the status of their responses. */
async function statusesOf({ url }: RunningSite, paths: readonly string[]): Promise<Record<string, string[]>> {
  const replies = await askAll(url, paths, 4);
  const answered = paths.map((path, index) => ({ path, status: replies[index]?.status }));
  const groups = Map.groupBy(answered, ({ status }) => String(status));
  return Object.fromEntries(Array.from(groups, ([status, found]) => [status, found.map(({ path }) => path)]));
}

/** @returns the number of content calls, without probes and the doctor. */
async function callsOf({ site }: RunningSite): Promise<number> {
  const metric = await site.metrics.registry.getSingleMetric('site_backend_calls_total')?.get();
  return metric?.values.reduce((sum, { value }) => sum + value, 0) ?? 0;
}

describe('replicas that share a store', () => {
  it('replicas with a shared store together load content from the CMS once', async () => {
    const { start } = await startFleet();
    const first = await start();
    const paths = await pagesOf(first);
    expect(await statusesOf(first, paths)).toEqual({ 200: paths });
    const alone = await callsOf(first);
    expect(alone).toBeGreaterThan(paths.length / 2);
    const others = [await start(), await start()];
    for (const other of others) {
      await sendRequest(other.url, '/sitemap.xml');
      expect(await statusesOf(other, paths)).toEqual({ 200: paths });
    }
    // Each replica reads the names of the articles itself, and a busy machine may be late with the store.
    for (const calls of await Promise.all(others.map(callsOf))) expect(calls).toBeLessThan(alone * 0.15);
  });

  it('replicas that need the same content at the same time call the CMS once', async () => {
    const { relay, start } = await startFleet();
    const sites = [await start(), await start(), await start()];
    const callsFor = async (path: string) => {
      const before = relay.callsTo('/api/pages').length;
      const pages = await Promise.all(
        sites.map(({ url }) => sendRequest(url, path, { headers: AS_BROWSER })),
      );
      expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
      return relay.callsTo('/api/pages').length - before;
    };
    const calls: number[] = [];
    for (const path of ['/terms', '/cookies', '/privacy', '/security', '/press'])
      calls.push(await callsFor(path));
    // A replica waits 300 ms for another one's call. On a busy machine one page may take longer.
    expect(calls.toSorted((a, b) => a - b)[2], calls.join(' ')).toBe(1);
  });

  it('a new replica starts while the CMS is down, and serves each page that was not removed', async () => {
    const { relay, start } = await startFleet();
    const first = await start();
    const paths = await pagesOf(first);
    expect(await statusesOf(first, paths)).toEqual({ 200: paths });
    const removed = first.site.content.cache.peek('pages/terms')?.about;
    first.site.invalidation.remove([removed ?? expect.fail('the page is not in memory')]);
    relay.goDown();
    const second = await start();
    expect((await sendRequest(second.opsUrl, '/readyz')).status).toBe(200);
    const kept = paths.filter(path => path !== '/terms');
    expect(await statusesOf(second, kept)).toEqual({ 200: kept });
    expect(await statusesOf(second, ['/terms', '/no-such-page'])).toEqual({
      503: ['/terms', '/no-such-page'],
    });
  });

  it('while the CMS is down, a replica with an empty disk logs that its content comes from the store', async () => {
    const { relay, start } = await startFleet();
    const env = { CONTENT_TTL_MS: '1000' };
    const first = await start(env);
    relay.goDown();
    await eventually(() =>
      expect(first.site.content.cache.isFresh('settings'), 'the content is stale').toBe(false),
    );
    const next = await start(env);
    const lines = next.log.map(({ code }) => code).filter(code => code.startsWith('content-loaded'));
    expect(lines).toEqual(['content-loaded-shared']);
  });

  it('a process with other credentials gets nothing from the shared store', async () => {
    const { relay, start } = await startFleet();
    const first = await start();
    await statusesOf(first, ['/terms']);
    relay.goDown();
    const other = await start({ CONTENT_TOKEN: 'another' });
    expect(await statusesOf(other, ['/terms'])).toEqual({ 503: ['/terms'] });
  });

  it('a replica works alone when the shared store is missing', async () => {
    const { redis, start } = await startFleet();
    const first = await start();
    await redis.kill();
    const second = await start();
    for (const site of [first, second]) {
      expect(await statusesOf(site, ['/', '/terms', '/blog'])).toEqual({ 200: ['/', '/terms', '/blog'] });
      const { status, text } = await sendRequest(site.url, '/readyz');
      await eventually(() => expect([status, text]).toEqual([200, 'degraded']));
    }
  });
});
