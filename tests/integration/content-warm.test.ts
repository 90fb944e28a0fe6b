import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { engineFor } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { startGeneratedCms } from '../support/generated-cms.ts';
import { patient } from '../support/patience.ts';
import { startRedis } from '../support/redis.ts';
import { startRelay } from '../support/relay.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

/** Each call of the content warming takes a fifth of a second. */
const TIMEOUT = { timeout: patient(120_000) };

const it = test
  .extend('dataDir', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'warm-'));
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return folder;
  })
  /** Starts a CMS with some articles, which the test can cut off. */
  .extend('startCms', async ({}, { onCleanup }) => {
    const ends: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      for (const end of ends) await end();
    });
    return async (count: number) => {
      const articles = Array.from({ length: count }, (_, at) => ({
        ...{ category: at % 3, author: 0, cover: 2, date: at },
      }));
      const cms = await startGeneratedCms({ articles, isDated: true });
      const relay = await startRelay(cms.backend.url);
      ends.push(relay.close, cms.close);
      return { ...cms, relay };
    };
  })
  .extend('start', async ({ dataDir }, { onCleanup }) => {
    const ends: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      for (const end of ends) await end();
    });
    return async (contentBaseUrl: string, env: Record<string, string> = {}, folder = dataDir) => {
      const site = await startSite({
        ...{ contentBaseUrl, dataDir: folder },
        env: { PUBLIC_URL: 'https://www.example.com', CONTENT_TTL_MS: '3600000', ...env },
      });
      let isRunning = true;
      const close = async () => {
        if (isRunning) await site.close();
        isRunning = false;
      };
      ends.push(close);
      site.site.contentWarming.begin();
      return { ...site, close };
    };
  });

const progressOf = async ({ opsUrl }: RunningSite) =>
  (await sendRequest(opsUrl, '/readyz')).json<{ contentWarm: string }>().contentWarm;
const isWarm = (site: RunningSite, progress: RegExp) =>
  eventually(async () => expect(await progressOf(site)).toMatch(progress), 100_000);
const get = ({ url }: RunningSite, address: string) => sendRequest(url, address, { headers: AS_BROWSER });
const isLookup = ({ url }: { url: string }) => /^\/api\/articles\?filters\[slug\]/.test(url);

async function addressesOf(site: RunningSite): Promise<string[]> {
  const { text } = await get(site, '/sitemap.xml');
  return [...text.matchAll(/<loc>https:\/\/www\.example\.com([^<]*)<\/loc>/g)].map(
    ([, address = '']) => address,
  );
}

async function answersOf(site: RunningSite, addresses: readonly string[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const address of addresses) found[address] = (await get(site, address)).status;
  return found;
}
const all200 = (addresses: readonly string[]) => Object.fromEntries(addresses.map(address => [address, 200]));

it(
  'each address of the sitemap works during an outage, even if nobody has requested it',
  TIMEOUT,
  async ({ startCms, start }) => {
    const cms = await startCms(60);
    const site = await start(cms.relay.url);
    const from = performance.now();
    await isWarm(site, /^7\d of 7\d, done$/);
    const times = cms.backend.calls.filter(({ at }) => at > from + 1_500).map(({ at }) => at);
    expect(times.length).toBeGreaterThan(60);
    for (const at of times)
      expect(times.filter(other => other >= at && other < at + 1_000).length).toBeLessThanOrEqual(5);
    const addresses = await addressesOf(site);
    expect(addresses.length).toBeGreaterThan(70);
    const progress = await progressOf(site);
    await site.close();

    cms.backend.calls.length = 0;
    const next = await start(cms.relay.url);
    await isWarm(next, new RegExp(`^${progress}$`));
    cms.relay.goDown();
    expect(await answersOf(next, addresses)).toEqual(all200(addresses));
    expect(cms.backend.calls.filter(isLookup), 'a restart asks nothing again').toEqual([]);
  },
);

it(
  'the content warming pauses while the CMS is down, and continues afterwards',
  TIMEOUT,
  async ({ startCms, start }) => {
    const cms = await startCms(9);
    const site = await start(cms.relay.url);
    await isWarm(site, /^[1-9]\d* of \d+$/);
    cms.relay.goDown();
    await eventually(async () => expect(site.site.backendState()).toBe('down'));
    expect(await progressOf(site)).not.toContain('done');
    cms.relay.reset();
    await isWarm(site, /^(\d+) of \1, done$/);
    const addresses = await addressesOf(site);
    cms.relay.goDown();
    expect(await answersOf(site, addresses)).toEqual(all200(addresses));
  },
);

it(
  'CONTENT_WARM=0 loads no address, and another number loads as many of the newest addresses',
  TIMEOUT,
  async ({ startCms, start }) => {
    const cms = await startCms(9);
    const off = await start(cms.relay.url, { CONTENT_WARM: '0' });
    expect(await progressOf(off)).toBe('off');
    await off.close();
    expect(cms.backend.calls.filter(isLookup)).toEqual([]);
    const two = await start(cms.relay.url, { CONTENT_WARM: '2' });
    await isWarm(two, /^2 of 2, done$/);
  },
);

it.extend('engine', { auto: true }, async ({ skip }) => engineFor('redis-server', { skip }))(
  'one of two replicas loads the content, and both answer every address in an outage',
  TIMEOUT,
  async ({ startCms, start, dataDir, onTestFinished }) => {
    const store = await startRedis();
    onTestFinished(() => store.dispose());
    const cms = await startCms(9);
    const env = (name: string) => ({ SHARED_URL: store.url, REPLICA_ID: name });
    const replicas = [
      await start(cms.relay.url, env('a'), path.join(dataDir, 'a')),
      await start(cms.relay.url, env('b'), path.join(dataDir, 'b')),
    ] as const;
    const states = await eventually(async () => {
      const found = await Promise.all(replicas.map(progressOf));
      expect(found.toSorted()[0]).toMatch(/done$/);
      return found;
    }, 100_000);
    expect(states.filter(state => state === 'waiting')).toHaveLength(1);
    const lookups = cms.backend.calls.filter(isLookup).map(({ url }) => url);
    expect(lookups).toHaveLength(9);
    const addresses = await addressesOf(replicas[0]);
    cms.relay.goDown();
    for (const site of replicas) expect(await answersOf(site, addresses)).toEqual(all200(addresses));
  },
);
