import path from 'node:path';
import { describe, expect } from 'vitest';
import { getPage } from '../support/content-answers.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import {
  isStatus,
  KNOWN_PAGES,
  noticed,
  pageOf,
  post,
  STALE_ENV,
  setArticles,
  emptiedTest as withCms,
} from '../support/emptied-test.ts';
import { engineFor } from '../support/engines.ts';
import { SECRET } from '../support/invalidation-test.ts';
import { startRedis } from '../support/redis.ts';

const it = withCms.extend('startTwo', async ({ dataDir, startKnowing, skip }, { onCleanup }) => {
  engineFor('redis-server', { skip });
  const redis = await startRedis();
  onCleanup(() => redis.dispose());
  /** Starts two replicas with separate disks. */
  return async () => {
    const start = (name: string) =>
      startKnowing(
        {
          dataDir: path.join(dataDir, name),
          env: { ...STALE_ENV, SHARED_URL: redis.url, REPLICA_ID: name },
        },
        [...KNOWN_PAGES, pageOf(4), pageOf(5)],
      );
    return [await start('one'), await start('other')] as const;
  };
});

describe('an operator’s command to one replica', () => {
  it('an operator’s command to one replica restores removed content on each replica, from its own disk', async ({
    cms,
    startTwo,
  }) => {
    const replicas = await startTwo();
    const [one] = replicas;
    setArticles(cms, 0);
    await noticed(one, 'articles', '/blog');
    expect((await post(one, 'accept=articles')).status).toBe(200);
    for (const site of replicas) await isStatus(site, pageOf(1), 404);
    for (const site of replicas) await site.site.settled();

    expect((await post(one, 'restore=articles')).status).toBe(200);
    for (const site of replicas) {
      await isStatus(site, pageOf(1), 200);
      expect((await getPage(site, pageOf(1))).text).toContain('Copy 1');
    }
    for (const { log } of replicas)
      expect(log.filter(({ code }) => code === 'content-restored')).toHaveLength(1);
  });
});

describe('wrong webhook secrets', () => {
  it('all replicas together limit wrong webhook secrets of one address', async ({ startTwo }) => {
    const [one, other] = await startTwo();
    const guess = async (site: typeof one) => (await sendWebhook(site.url, 'a guess', {})).status;
    for (const site of [one, other])
      for (let time = 0; time < 5; time += 1) expect(await guess(site)).toBe(401);
    const event = { event: 'trigger-test' };
    for (const site of [one, other]) {
      expect(await guess(site)).toBe(429);
      expect((await sendWebhook(site.url, SECRET, event)).status).toBe(200);
    }
  });
});
