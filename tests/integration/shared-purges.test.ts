import { expect } from 'vitest';
import { currentAnswer } from '../support/current-answer.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { type CmsRow, type GeneratedCms, startGeneratedCms } from '../support/generated-cms.ts';
import { startRedis } from '../support/redis.ts';
import { redisTest } from '../support/redis-test.ts';
import { sameLog, startReplicas } from '../support/replicas.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const OPS_TOKEN = 'a-token-of-the-operators';
const NEW = 'Only after the edit';

const it = redisTest
  .extend('cms', async ({}, { onCleanup }) => {
    const articles = Array.from({ length: 8 }, (_, at) => ({
      ...{ category: at % 2, author: 0, cover: 2, date: at },
    }));
    const cms = await startGeneratedCms({ articles, isDated: true });
    onCleanup(() => cms.close());
    return cms;
  })
  .extend('store', async ({}, { onCleanup }) => {
    const store = await startRedis();
    onCleanup(() => store.dispose());
    return store;
  })
  .extend('start', async ({ cms, store }, { onCleanup }) => {
    const running: RunningSite[] = [];
    onCleanup(async () => {
      for (const site of running) await site.close();
    });
    return async (...names: string[]) => {
      const replicas = await startReplicas(names, store, {
        contentBaseUrl: cms.backend.url,
        env: { WEBHOOK_SECRET: SECRET, OPS_TOKEN, CONTENT_TTL_MS: '3600000' },
      });
      running.push(...replicas);
      return replicas;
    };
  });

async function visitAll(replicas: readonly RunningSite[], cms: GeneratedCms): Promise<void> {
  for (const { url } of replicas) for (const address of cms.addresses()) await currentAnswer(url, address);
}

const article = (cms: GeneratedCms) => cms.rows('article')[3] ?? expect.fail();
const EDITS: readonly ((cms: GeneratedCms) => object)[] = [
  cms => cms.publish('article', article(cms), { h1: NEW }),
  cms => cms.publish('article', article(cms), { title: NEW }),
  cms => cms.publish('category', cms.rows('category')[0] ?? expect.fail(), { name: NEW }),
  cms => cms.change('settings', () => ({ siteName: NEW })),
  cms => cms.add('redirect', { from: '/from-here', to: '/terms' }),
];

it('all replicas together call the CMS about once for an event', async ({ cms, start, store }) => {
  const replicas = await start('a', 'b', 'c');
  const [receiver] = replicas;
  await visitAll(replicas, cms);
  let ownCalls = 0;
  let otherCalls = 0;
  for (const edit of EDITS) {
    const event = edit(cms);
    cms.backend.calls.length = 0;
    expect((await sendWebhook(receiver?.url ?? '', SECRET, event)).status).toBe(200);
    await sameLog(replicas, store);
    await visitAll(replicas.slice(0, 1), cms);
    ownCalls += cms.backend.calls.length;
    cms.backend.calls.length = 0;
    await visitAll(replicas.slice(1), cms);
    otherCalls += cms.backend.calls.length;
  }
  // Two separate replicas would make twice as many. A few extra are allowed for a late store.
  expect(otherCalls).toBeLessThan(ownCalls / 2);
});

it('after an emptied store all replicas together load each content about once', async ({
  cms,
  start,
  store,
}) => {
  const replicas = await start('a', 'b', 'c');
  await visitAll(replicas, cms);
  const event = cms.publish('article', article(cms), { h1: NEW });
  await sendWebhook(replicas[0]?.url ?? '', SECRET, event);
  await sameLog(replicas, store);
  await visitAll(replicas, cms);
  const pieces = Math.max(...replicas.map(({ site }) => site.content.cache.size.entries));
  cms.backend.calls.length = 0;
  await store.command('FLUSHALL');
  await eventually(() => {
    for (const { log } of replicas)
      expect(log.filter(({ code }) => code === 'replicas-log-incomplete')).toHaveLength(1);
  });
  const visit = (address: string) =>
    Promise.all(replicas.map(({ url }) => sendRequest(url, address, { headers: AS_BROWSER })));
  await eventually(async () => {
    for (const address of cms.addresses()) await visit(address);
    for (const { site } of replicas)
      expect([...site.pages.entries()].filter(({ isFresh }) => !isFresh)).toEqual([]);
  });
  // Three separate replicas would make three times as many. A few extra are allowed for a late store.
  expect(cms.backend.calls.length).toBeLessThan(pieces * 1.8);
});

it('an operator’s purge, and a removal, reach each replica', async ({ cms, start, store }) => {
  const replicas = await start('a', 'b');
  await visitAll(replicas, cms);
  const [one, other] = replicas;
  const gone = pathOf(article(cms));
  const event = cms.withdraw('article', article(cms), 'entry.unpublish');
  await sendWebhook(one?.url ?? '', SECRET, event);
  await sameLog(replicas, store);
  // No copy is left to show while the CMS is down.
  cms.backend.on('/api/articles', failing(500));
  expect((await sendRequest(other?.url ?? '', gone, { headers: AS_BROWSER })).status).toBe(503);
  const asOperator = { method: 'DELETE', headers: { authorization: `Bearer ${OPS_TOKEN}` } };
  expect((await sendRequest(one?.opsUrl ?? '', '/cache?tag=*', asOperator)).json()).toEqual({
    purged: ['*'],
    others: 'sent',
  });
  await sameLog(replicas, store);
  const line = { level: 'info', code: 'cache-invalidated-elsewhere', tag: '*', by: 'a' };
  expect(other?.log).toContainEqual(expect.objectContaining(line));
  for (const { site } of replicas)
    expect([...site.pages.entries()].filter(({ isFresh }) => isFresh)).toEqual([]);
});

it('an event received by another replica is logged, and counts as the last event', async ({
  cms,
  start,
  store,
}) => {
  const replicas = await start('a', 'b');
  const [one, other] = replicas;
  const event = cms.publish('article', article(cms), { h1: NEW });
  await sendWebhook(one?.url ?? '', SECRET, event);
  await sameLog(replicas, store);
  const told = (site: RunningSite | undefined) =>
    site?.log.filter(({ code }) => code === 'webhook-accepted-elsewhere');
  expect(told(other)).toEqual([
    expect.objectContaining({ event: 'entry.publish', type: 'articles', by: 'a', ids: expect.any(Array) }),
  ]);
  expect(told(other)?.[0]?.ids).toContain(String(article(cms).documentId));
  expect(told(one)).toEqual([]);
  const heard = async (site: RunningSite | undefined) => {
    const state = (await sendRequest(site?.opsUrl ?? '', '/readyz')).json<{ webhook: object }>();
    return state.webhook;
  };
  const host = new URL(one?.url ?? '').host;
  expect(await heard(other)).toMatchObject({ lastEventAt: expect.any(String), lastEventHost: host });
});

it('while the store is down, the response to a purge and the sweep’s log entry name the missing replicas', async ({
  cms,
  start,
  store,
}) => {
  const [one] = await start('a');
  await store.kill();
  const asOperator = { method: 'DELETE', headers: { authorization: `Bearer ${OPS_TOKEN}` } };
  expect((await sendRequest(one?.opsUrl ?? '', '/cache?tag=settings', asOperator)).json()).toEqual({
    purged: ['settings'],
    others: 'not sent',
  });
  await sendRequest(one?.opsUrl ?? '', '/act', {
    ...{ method: 'POST', body: 'action=purge&target=settings&confirmed=yes' },
    headers: { ...asOperator.headers, 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(one?.log.find(({ code }) => code === 'ops-action')).toMatchObject({
    outcome: expect.stringContaining('not sent to the other replicas'),
  });
  await eventually(() => expect(one?.site.purges.isUp).toBe(false));
  await one?.site.contentSweep.sweep();
  cms.publish('article', article(cms), { h1: NEW });
  await one?.site.contentSweep.sweep();
  expect(one?.log.filter(({ code }) => code === 'content-change-without-event')).toEqual([
    expect.objectContaining({
      type: 'articles',
      code: 'content-change-without-event',
    }),
  ]);
});

it('one replica sweeps for all, and another takes over when it stops', async ({ start }) => {
  const replicas = await start('a', 'b', 'c');
  const namesOf = (such: (site: RunningSite['site']) => boolean) =>
    replicas.flatMap(({ site }) => (such(site) ? [site.config.replicaId] : []));
  const leading = () => namesOf(({ purges }) => purges.isLeading);
  await eventually(() => expect(leading()).toHaveLength(1));
  await eventually(() => expect(namesOf(({ purges }) => purges.isUp)).toEqual(['a', 'b', 'c']));
  expect(namesOf(({ purges }) => purges.mayRun)).toEqual(leading());
  const [first] = leading();
  await replicas.find(({ site }) => site.config.replicaId === first)?.site.purges.stop();
  await eventually(() => {
    expect(leading()).toHaveLength(1);
    expect(leading()).not.toEqual([first]);
  });
});

function pathOf({ slug, category }: CmsRow): string {
  return `/blog/${(category as CmsRow).slug}/${slug}`;
}
