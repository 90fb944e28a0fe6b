import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { SEND, words } from '../support/form-test.ts';
import { inFull } from '../support/in-full.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';
import { startReplicas } from '../support/replicas.ts';
import { sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

interface Stage {
  redis: RedisServer;
  backend: FakeBackend;
  sites: RunningSite[];
}

async function start(names: readonly string[], env: Record<string, string> = {}): Promise<Stage> {
  const redis = await startRedis();
  const backend = await startFakeBackend();
  disposals.push(redis.dispose, backend.close);
  const sites = await startReplicas(names, redis, { contentBaseUrl: backend.url, env });
  for (const site of sites) disposals.push(site.close);
  await eventually(() => expect(sites.every(({ site }) => site.shared?.isUp)).toBe(true));
  return { redis, backend, sites };
}

describe('the limit of form submissions', () => {
  const post = async ({ url }: RunningSite) =>
    (
      await sendRequest(url, SEND, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(words()),
      })
    ).status;
  /** Posts forms to the replicas in turn. @returns the number of accepted forms. */
  async function passed(sites: readonly RunningSite[], times: number): Promise<number> {
    let count = 0;
    for (let time = 0; time < times; time += 1)
      for (const site of sites) if ((await post(site)) === 202) count += 1;
    return count;
  }

  // The limit is 30 in the full form, and three times as many forms are sent.
  const LIMIT = inFull ? 30 : 6;

  it('three replicas together accept as many form submissions as one replica', async () => {
    const { sites, redis } = await start(['a', 'b', 'c'], { FORM_RATE_LIMIT: String(LIMIT) });
    expect(await passed(sites.slice(0, 1), 1)).toBe(1);
    // The store loses its keys at a restart. Each replica then reports its count once more.
    await redis.command('FLUSHALL');
    expect(await passed(sites, LIMIT)).toBe(LIMIT - 1);
  });

  it('each replica limits form submissions by itself while the store is down', async () => {
    const { sites, redis } = await start(['a', 'b'], { FORM_RATE_LIMIT: '3' });
    await redis.kill();
    expect(await passed(sites, 5)).toBe(6);
  });
});

describe('the assets of a build', () => {
  it('build assets are found on each replica, and remain available when the store is lost', async () => {
    const { sites, redis } = await start(['old', 'new']);
    const [one, other] = sites as [RunningSite, RunningSite];
    const folder = await mkdtemp(path.join(os.tmpdir(), 'assets-'));
    disposals.push(() => rm(folder, { recursive: true }));
    await writeFile(path.join(folder, 'chunk-OTHER123.js'), 'export const build = "other";');
    await writeFile(path.join(folder, 'unlike an asset.txt'), 'x');
    await one.site.earlierBuilds.share(folder);
    expect(await redis.command('KEYS', '*:asset:*')).toEqual([
      expect.stringMatching(/^site:[\da-f]{12}:sealed:asset:chunk-OTHER123\.js$/),
    ]);
    const ask = () => sendRequest(other.url, '/assets/chunk-OTHER123.js');
    const found = await ask();
    expect([found.status, found.text, found.headers['cache-control']]).toEqual([
      200,
      'export const build = "other";',
      'public, max-age=31536000, immutable',
    ]);
    expect((await sendRequest(other.url, '/assets/chunk-MISSING1.js')).status).toBe(404);
    await redis.kill();
    expect((await ask()).status, 'a copy is on the disk of the second replica').toBe(200);
  });

  it('build assets are stored again after the store has lost them', async () => {
    const { sites, redis } = await start(['a']);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'assets-'));
    disposals.push(() => rm(folder, { recursive: true }));
    await writeFile(path.join(folder, 'chunk-OTHER123.js'), 'x');
    await sites[0]?.site.earlierBuilds.share(folder);
    await redis.kill();
    await redis.start();
    await eventually(async () => expect(await redis.command('KEYS', '*:asset:*')).toHaveLength(1));
  });
});

describe('/replicas on the ops port', () => {
  const list = async ({ opsUrl }: RunningSite) => {
    const answer = await sendRequest(opsUrl, '/replicas');
    const { replicas } = answer.json<{ replicas: { replica: string; isMissing?: true }[] }>();
    return replicas.map(({ replica, isMissing }) => `${replica}${isMissing ? ' missing' : ''}`).sort();
  };
  /** Removes states, as the store does after 15 s of silence. A replica reports again within 5 s. */
  async function forget(redis: RedisServer, name: string, count: number): Promise<void> {
    const keys = ((await redis.command('KEYS', '*:replica:*')) as string[]).sort();
    const states = await Promise.all(keys.map(async key => String(await redis.command('GET', key))));
    const found = keys.filter((_, at) => states[at]?.includes(`"replica":"${name}"`));
    for (const key of found.slice(0, count)) await redis.command('DEL', key);
  }
  const namesOf = async ({ opsUrl }: RunningSite) => {
    const answer = await sendRequest(opsUrl, '/replicas');
    const { replicas } = answer.json<{ replicas: { replica: string; build: string; state: string }[] }>();
    return replicas.map(({ replica, build, state }) => `${replica} ${build} ${state}`).sort();
  };

  it('/replicas lists each replica until it ends', async () => {
    const { sites } = await start(['a', 'b']);
    const [one, other] = sites as [RunningSite, RunningSite];
    for (const { site } of sites) site.replicas?.begin();
    const { id } = one.site.manifest;
    await eventually(async () => expect(await namesOf(one)).toEqual([`a ${id} ready`, `b ${id} ready`]));
    // The replica leaves the list as soon as it ends, before its entry expires.
    await other.close();
    expect(await namesOf(one)).toEqual([`a ${id} ready`]);
  });

  it('/replicas lists a silent replica as missing, until it reports again or ends', async () => {
    const { sites, redis } = await start(['a', 'b']);
    const [one, other] = sites as [RunningSite, RunningSite];
    for (const { site } of sites) site.replicas?.begin();
    await eventually(async () => expect(await list(one)).toEqual(['a', 'b']));
    const isMissed = () =>
      eventually(async () => {
        await forget(redis, 'b', 1);
        expect(await list(one)).toEqual(['a', 'b missing']);
      });
    await isMissed();
    other.site.replicas?.tell();
    await eventually(async () => expect(await list(one)).toEqual(['a', 'b']));
    await isMissed();
    await other.close();
    expect(await list(one)).toEqual(['a']);
  });

  it('/replicas lists no replica as missing that another one has replaced, or while the store is full', async () => {
    const { sites, redis } = await start(['a', 'b', 'b']);
    const [one] = sites as [RunningSite];
    for (const { site } of sites) site.replicas?.begin();
    await eventually(async () => expect(await list(one)).toEqual(['a', 'b', 'b']));
    // The store forgets one of the two with the name, as if its process were killed.
    await eventually(async () => {
      await forget(redis, 'b', 1);
      expect(await list(one)).toEqual(['a', 'b']);
    });
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    await eventually(async () => {
      one.site.replicas?.tell();
      expect(one.site.shared?.isUp).toBe(false);
    });
    await forget(redis, 'b', 2);
    expect([...new Set(await list(one))]).toEqual(['a', 'b']);
  });

  it('/replicas names the leading replica, and so does /doctor of the others', async () => {
    const { sites } = await start(['a', 'b']);
    await eventually(() => expect(sites.filter(({ site }) => site.purges.isLeading)).toHaveLength(1));
    for (const { site } of sites) site.replicas?.begin();
    const [leader, follower] = sites[0]?.site.purges.isLeading ? sites : sites.toReversed();
    const name = leader?.site.config.replicaId;
    const list = async () => {
      const answer = await sendRequest(follower?.opsUrl ?? '', '/replicas');
      return answer.json<{ replicas: { replica: string; leads: boolean; toldAt: string }[] }>().replicas;
    };
    await eventually(async () => expect(await list()).toHaveLength(2));
    expect((await list()).filter(({ leads }) => leads).map(({ replica }) => replica)).toEqual([name]);
    expect(Date.parse((await list())[0]?.toldAt ?? '')).toBeLessThanOrEqual(Date.now());
    const answer = await sendRequest(follower?.opsUrl ?? '', '/doctor');
    expect([answer.status, answer.json()]).toEqual([
      503,
      {
        error: expect.stringMatching(`^Another replica examines the CMS: ask the ops port of ${name} \\(`),
        leader: { replica: name, host: os.hostname(), ops: expect.stringMatching(/^[\d.:]+:\d+$/) },
      },
    ]);
  });

  it('/replicas is a 503 while the store is down', async () => {
    const { sites, redis } = await start(['a']);
    await redis.kill();
    const answer = await sendRequest(sites[0]?.opsUrl ?? '', '/replicas');
    expect([answer.status, answer.text]).toEqual([
      503,
      expect.stringContaining('The shared store does not work'),
    ]);
    await eventually(async () =>
      expect((await sendRequest(sites[0]?.opsUrl ?? '', '/readyz')).json()).toMatchObject({
        shared: 'down',
        sharedReason: 'there is no connection to the store',
        sharedRemedy: 'look whether the shared store runs, and whether SHARED_URL names its host and port',
      }),
    );
  });
});
