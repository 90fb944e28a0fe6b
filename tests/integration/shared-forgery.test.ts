import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { SEND, words } from '../support/form-test.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';
import { sameLog, startReplicas } from '../support/replicas.ts';
import { AS_BROWSER, postJson, sendRequest } from '../support/send-request.ts';
import { SHARED_SECRET } from '../support/shared-secret.ts';
import type { RunningSite } from '../support/start-site.ts';

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

interface Stage {
  redis: RedisServer;
  backend: FakeBackend;
  start(name: string, env?: Record<string, string>): Promise<RunningSite>;
  /** @returns the only key with this ending, such as `purges`. */
  keyOf(name: string): Promise<string>;
}

/** A store to which a stranger, here the test, can write. */
async function startStage(): Promise<Stage> {
  const redis = await startRedis();
  const backend = await startFakeBackend();
  disposals.push(redis.dispose, backend.close);
  return {
    redis,
    backend,
    async start(name, env = {}) {
      const [site] = await startReplicas([name], redis, { contentBaseUrl: backend.url, env });
      if (!site) throw new Error('No replica has started');
      disposals.push(site.close);
      await eventually(() => expect(site.site.shared?.isUp).toBe(true));
      return site;
    },
    async keyOf(name) {
      const keys = await eventually(async () => {
        const found = (await redis.command('KEYS', `*:${name}`)) as string[];
        expect(found).toHaveLength(1);
        return found;
      });
      return keys[0] ?? '';
    },
  };
}

const home = ({ url }: RunningSite) => sendRequest(url, '/', { headers: AS_BROWSER });
const refusals = ({ log }: RunningSite) => log.filter(({ code }) => code === 'shared-value-forged');
const WITHOUT_SECRET = { SHARED_SECRET: '' };
const ARTICLE = '/blog/guides/accepting-cards-in-spain';

/** Writes an asset of a build to the store. */
async function shareAsset(site: RunningSite, name: string): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'assets-'));
  disposals.push(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, name), `"${name}"`);
  await site.site.earlierBuilds.share(folder);
}

describe('an asset in the store', () => {
  const ask = async ({ url }: RunningSite, name: string) =>
    (await sendRequest(url, `/assets/${name}`)).status;

  it('a forged or renamed asset in the store is not served', async () => {
    const { redis, start, keyOf } = await startStage();
    const [one, other] = [await start('one'), await start('other')];
    await shareAsset(one, 'chunk-ONE.js');
    const key = await keyOf('asset:chunk-ONE.js');
    const own = String(await redis.command('GET', key));
    for (const value of ['alert(1)', own, own.replace('ONE', 'TWO')]) {
      await redis.command('SET', key.replace('ONE', 'TWO'), value);
      expect(await ask(other, 'chunk-TWO.js')).toBe(404);
    }
    expect(await ask(other, 'chunk-ONE.js')).toBe(200);
    expect(refusals(other)).toEqual([expect.objectContaining({ level: 'error', kind: 'asset' })]);
    const metrics = (await sendRequest(other.opsUrl, '/metrics')).text;
    expect(metrics).toMatch(/^site_shared_calls_total\{op="asset",outcome="forged".*\} 3$/m);
  });

  it.for(['..%2f..%2fsecret.js', '%2e%2e/secret.js', 'a.js%00.css', '.js'])(
    'the store is not asked for the asset %s, a name that no build uses',
    async name => {
      const { start } = await startStage();
      const site = await start('one');
      expect(await ask(site, 'chunk-ONE.js')).toBe(404);
      const asked = async () =>
        /op="asset",outcome="answered".*\} (\d+)/.exec(
          (await sendRequest(site.opsUrl, '/metrics')).text,
        )?.[1];
      expect(await asked()).toBe('1');
      expect(await ask(site, name)).toBeGreaterThanOrEqual(400);
      expect(await asked()).toBe('1');
    },
  );

  it('an asset is accepted from a replica with another secret during a rotation', async () => {
    const { start } = await startStage();
    const next = `next-${SHARED_SECRET}`;
    const one = await start('one', { SHARED_SECRET_OLD: next });
    const other = await start('other', { SHARED_SECRET: next, SHARED_SECRET_OLD: SHARED_SECRET });
    await shareAsset(one, 'chunk-ONE.js');
    await shareAsset(other, 'chunk-OTHER.js');
    expect([await ask(other, 'chunk-ONE.js'), await ask(one, 'chunk-OTHER.js')]).toEqual([200, 200]);
  });

  it('a process with only the new secret writes the assets of its build again', async () => {
    const { start } = await startStage();
    const next = { SHARED_SECRET: `next-${SHARED_SECRET}` };
    await shareAsset(await start('former'), 'chunk-ONE.js');
    await shareAsset(await start('one', next), 'chunk-ONE.js');
    expect(await ask(await start('other', next), 'chunk-ONE.js')).toBe(200);
  });

  it('without SHARED_SECRET assets in the store are not accepted, and this is logged', async () => {
    const { redis, start } = await startStage();
    const [one, other] = [await start('one', WITHOUT_SECRET), await start('other', WITHOUT_SECRET)];
    await shareAsset(one, 'chunk-ONE.js');
    const settings = (await redis.command('KEYS', '*:content:*')) as string[];
    await redis.command('SET', `${settings[0]?.split(':content:')[0]}:asset:chunk-ONE.js`, 'alert(1)');
    expect(await ask(other, 'chunk-ONE.js')).toBe(404);
    expect(other.log.filter(({ code }) => code === 'shared-without-secret')).toEqual([
      expect.objectContaining({ level: 'warn', remedy: expect.stringContaining('SHARED_SECRET') }),
    ]);
  });
});

describe('content in the store', () => {
  /** Rewrites all content with another title. */
  async function forge(redis: RedisServer): Promise<void> {
    const keys = (await redis.command('KEYS', '*:content:*')) as string[];
    for (const key of keys) {
      const value = String(await redis.command('GET', key));
      await redis.command('SET', key, value.replaceAll('Payments for business', 'Forged'));
    }
  }

  it('forged content in the store counts as absent', async () => {
    const { redis, start } = await startStage();
    await home(await start('one'));
    await forge(redis);
    const other = await start('other');
    const page = await home(other);
    expect([page.status, page.text.includes('Forged')]).toEqual([200, false]);
    expect(refusals(other)).toEqual([expect.objectContaining({ kind: 'content' })]);
  });

  it('content moved to another key of the store counts as absent', async () => {
    const { redis, start } = await startStage();
    await home(await start('one'));
    const keys = (await redis.command('KEYS', '*:content:*')) as string[];
    const first = String(await redis.command('GET', keys[0] ?? ''));
    for (const key of keys) await redis.command('SET', key, first);
    const other = await start('other');
    expect((await home(other)).status).toBe(200);
    expect(refusals(other)).toHaveLength(1);
  });

  it('without SHARED_SECRET replicas accept content of any program', async () => {
    const { redis, start } = await startStage();
    await home(await start('one', WITHOUT_SECRET));
    await forge(redis);
    expect((await home(await start('other', WITHOUT_SECRET))).text).toContain('Forged');
  });
});

describe('the log of changes', () => {
  const visit = ({ url }: RunningSite) => sendRequest(url, '/blog', { headers: AS_BROWSER });
  const freshPages = ({ site }: RunningSite) =>
    [...site.pages.entries()].filter(({ isFresh }) => isFresh).length;
  const store = (site: RunningSite) =>
    eventually(async () => {
      await visit(site);
      expect(freshPages(site)).toBe(1);
    });
  const isStale = (site: RunningSite) => eventually(() => expect(freshPages(site)).toBe(0));

  it('a forged entry of the shared log has no effect, and a copied entry has no second effect', async () => {
    const { redis, start, keyOf } = await startStage();
    const sites = [await start('one'), await start('other')] as const;
    const [one, other] = sites;
    await store(other);
    one.site.invalidation.invalidate(['articles']);
    await isStale(other);
    await store(other);
    const key = await keyOf('purges');
    const events = JSON.stringify([{ kind: 'operation', operation: { kind: 'remove', tags: ['*'] } }]);
    await redis.command('XADD', key, '*', 'by', 'x', 'number', '1', 'events', events);
    await sameLog(sites, redis);
    expect(freshPages(other)).toBe(1);
    // The copied entry makes the site ask the CMS once more, and the page stays until the response.
    const [[, fields] = ['', []]] = (await redis.command('XRANGE', key, '-', '+')) as [string, string[]][];
    await redis.command('XADD', key, '*', ...fields);
    await isStale(other);
    expect((await visit(other)).status).toBe(200);
  });

  it('forged removals remove nothing when the shared log is lost', async () => {
    const { redis, backend, start, keyOf } = await startStage();
    const site = await start('one');
    const article = () => sendRequest(site.url, ARTICLE, { headers: AS_BROWSER });
    expect((await article()).status).toBe(200);
    const about = site.site.content.cache.peek('articles/accepting-cards-in-spain')?.about ?? expect.fail();
    site.site.invalidation.remove(['authors:none']);
    const removed = await keyOf('removed');
    for (const name of [about, 'x'.repeat(43) + about])
      await redis.command('ZADD', removed, String(Date.now() + 60_000), name);
    await backend.close();
    await redis.command('DEL', await keyOf('purges'));
    await eventually(() =>
      expect(site.log.filter(({ code }) => code === 'replicas-log-incomplete')).toHaveLength(1),
    );
    expect((await article()).status).toBe(200);
  });
});

describe('a count in the store', () => {
  const post = async ({ url }: RunningSite) => (await postJson(url, SEND, words())).status;

  it('forged counts in the store refuse nobody', async () => {
    const { redis, start, keyOf } = await startStage();
    const site = await start('one', { FORM_RATE_LIMIT: '3' });
    expect(await post(site)).toBe(202);
    const key = await keyOf('hits:forms:127.0.0.1');
    const [own = ''] = (await redis.command('SMEMBERS', key)) as string[];
    const [, , until] = own.split(' ');
    await redis.command('SADD', key, `x 99 ${until}`, `${own.slice(0, 43)}x 99 ${until}`);
    expect([await post(site), await post(site), await post(site)]).toEqual([202, 202, 429]);
    // Forged values do not stay in the store.
    await eventually(async () => expect(await redis.command('SMEMBERS', key)).toHaveLength(1));
  });
});

describe('/replicas', () => {
  it('/replicas omits a forged replica', async () => {
    const { redis, start, keyOf } = await startStage();
    const site = await start('one');
    site.site.replicas?.begin();
    const names = await keyOf('replicas');
    const forged = JSON.stringify({ replica: 'x', host: 'x', ops: 'x', leads: true, logPosition: '0-0' });
    await redis.command('SADD', names, 'x');
    await redis.command('SET', names.replace('replicas', 'replica:x'), forged);
    const answer = await sendRequest(site.opsUrl, '/replicas');
    const { replicas } = answer.json<{ replicas: { replica: string }[] }>();
    expect(replicas.map(({ replica }) => replica)).toEqual(['one']);
  });

  it('/replicas lists the replicas with the same secret and no others', async () => {
    const { start } = await startStage();
    const [site, stranger] = [await start('one'), await start('other', { SHARED_SECRET: 'x'.repeat(32) })];
    const listed = async ({ opsUrl }: RunningSite) => {
      const { replicas } = (await sendRequest(opsUrl, '/replicas')).json<{
        replicas: { replica: string }[];
      }>();
      return replicas.map(({ replica }) => replica);
    };
    for (const one of [site, stranger]) one.site.replicas?.begin();
    await eventually(async () => expect(await listed(site)).toEqual(['one']));
    await eventually(async () => expect(await listed(stranger)).toEqual(['other']));
    expect([await listed(site), await listed(stranger)]).toEqual([['one'], ['other']]);
  });
});
