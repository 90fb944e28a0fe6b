import { afterEach, describe, expect } from 'vitest';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { startFakeBackend } from '../support/fake-backend.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';
import { startReplicas } from '../support/replicas.ts';
import { sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const CURRENT = 'the-current-secret';
const FORMER = 'the-former-secret';
const OWN = { op: 'test', limitMs: 5_000 };

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

async function start(): Promise<{ redis: RedisServer; one: RunningSite; other: RunningSite }> {
  const redis = await startRedis();
  const backend = await startFakeBackend();
  disposals.push(redis.dispose, backend.close);
  const env = { WEBHOOK_SECRET: CURRENT, WEBHOOK_SECRET_OLD: FORMER };
  const sites = await startReplicas(['one', 'other'], redis, { contentBaseUrl: backend.url, env });
  const [one = expect.fail(), other = expect.fail()] = sites;
  for (const site of sites) {
    disposals.push(site.close);
    site.site.replicas?.begin();
  }
  await eventually(async () => expect(await one.site.replicas?.list()).toHaveLength(2));
  await eventually(async () => expect(await reasons(one)).toEqual([]));
  return { redis, one, other };
}

/** @returns the reasons of the verdict by their titles. */
async function reasons({ opsUrl }: RunningSite): Promise<string[]> {
  const [page = ''] = (await sendRequest(opsUrl, '/')).text.split('</section>');
  const [verdict, ...blocks] = page.split('class="reason"');
  expect(verdict).toContain(blocks.length > 0 ? 'The site works, but …' : 'The site works.');
  for (const block of blocks)
    expect(block).toMatch(
      /<dt>(?:Since|Last)<\/dt><dd><time .*<dt>Remedy<\/dt><dd>[^<]{20}.*href="\/runbook#/s,
    );
  return blocks.map(block => /<h3>(.+?)<\/h3>/.exec(block)?.[1] ?? block);
}

/** @returns the rows of the replicas by their names. */
async function rowsOf({ opsUrl }: RunningSite): Promise<Record<string, string>> {
  const [, table = ''] = (await sendRequest(opsUrl, '/')).text.split('<section id="replicas"');
  const rows = table.split('</table>')[0]?.matchAll(/<th scope="row">(\w+)[^<]*<\/th>(.*?)<\/tr>/g) ?? [];
  return Object.fromEntries(Array.from(rows, ([, name, row]) => [name, row]));
}

/** Writes the state of a replica as another process of the site does. */
async function report({ site }: RunningSite, kind: 'replica' | 'replica-last', state: object): Promise<void> {
  const { shared } = site;
  if (!shared) throw new Error('The site has no store');
  const key = shared.key(`${kind}:third`);
  const now = new Date().toISOString();
  const text = JSON.stringify({
    host: 'x',
    ops: 'x',
    logPosition: '0-0',
    toldAt: now,
    startedAt: now,
    ...state,
  });
  await shared.command('SET', [key, shared.seal(key, text), 'PX', 60_000], OWN);
  await shared.command('SADD', [shared.key('replicas'), 'third'], OWN);
}

describe('the verdict of the ops page with replicas', () => {
  it('the verdict names a missing replica until it is replaced, unless the store is full', async () => {
    const { redis, one } = await start();
    const build = one.site.manifest.id;
    await report(one, 'replica-last', { replica: 'third', build });
    expect(await reasons(one)).toEqual(['A replica is missing: third']);
    expect((await rowsOf(one)).third).toContain('"state"><strong>missing</strong>');
    const { text } = await sendRequest(one.opsUrl, '/metrics');
    expect(text.match(/^site_replicas\{.*$/gm)).toEqual([
      'site_replicas{state="present"} 2',
      'site_replicas{state="missing"} 1',
    ]);
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    await eventually(async () => {
      one.site.replicas?.tell();
      expect(await reasons(one)).toEqual(
        expect.arrayContaining([expect.stringContaining('The shared store does not work')]),
      );
    });
    expect(await reasons(one)).not.toContain('A replica is missing: third');
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    await eventually(async () => expect(await reasons(one)).toEqual(['A replica is missing: third']));
    await report(one, 'replica', { replica: 'third', build });
    expect(await reasons(one)).toEqual([]);
  });

  it('the verdict names the builds that run at the same time', async () => {
    const { one, other } = await start();
    await report(one, 'replica', { replica: 'third', build: 'another' });
    for (const site of [one, other])
      expect(await reasons(site)).toEqual([
        `Replicas run different builds: ${site.site.manifest.id}, another`,
      ]);
    const rows = await rowsOf(one);
    expect(rows.third).toContain('"build"><strong>another</strong></td>');
    expect(rows.other).toContain(`"build">${other.site.manifest.id}</td>`);
    expect(rows.other).toMatch(/"state">\w+<.*"lag">\d+ ms<.*"memory">[1-9][\d,]* MiB</);
  });

  it('the verdict names forged values in the store', async () => {
    const { redis, one, other } = await start();
    const key = one.site.shared?.key('replica:x') ?? '';
    await redis.command('SET', key, JSON.stringify({ replica: 'x' }));
    await redis.command('SADD', one.site.shared?.key('replicas') ?? '', 'x');
    for (const site of [one, other])
      await eventually(async () =>
        expect(await reasons(site)).toEqual(['The shared store has values of somebody else']),
      );
  });

  it('the verdict of each replica names a former webhook secret in use, until the current one is', async () => {
    const { one, other } = await start();
    const names = ['The CMS does not send the current WEBHOOK_SECRET'];
    const event = { event: 'trigger-test' };
    const both = (expected: readonly string[]) =>
      eventually(async () =>
        expect([await reasons(one), await reasons(other)]).toEqual([expected, expected]),
      );
    expect((await sendWebhook(one.url, FORMER, event)).status).toBe(200);
    await both(names);
    const { text } = await sendRequest(other.opsUrl, '/');
    expect(text).toContain('<dt>Remedy</dt><dd>The last event had WEBHOOK_SECRET_OLD: give the CMS');
    expect((await sendWebhook(other.url, CURRENT, event)).status).toBe(200);
    await both([]);
    expect((await sendWebhook(one.url, 'a-wrong-secret', event)).status).toBe(401);
    await eventually(async () => expect(await reasons(one)).toEqual(names));
  });
});
