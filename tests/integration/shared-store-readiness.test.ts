import { afterEach, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startFakeBackend } from '../support/fake-backend.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';
import { startReplicas } from '../support/replicas.ts';
import { sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

const readyz = async ({ opsUrl }: RunningSite) =>
  (await sendRequest(opsUrl, '/readyz')).json<Record<string, string>>();

it.for([
  ['ended', (redis: RedisServer) => redis.kill(), 'there is no connection to the store', /ECONNREFUSED/],
  [
    'hung',
    (redis: RedisServer) => redis.pause(),
    'the store gives no answer in time',
    /^(?:GET|INFO): no answer/,
  ],
] as const)(
  '/readyz reports within a second that the store has %s, with meaning and remedy',
  async ([, stop, reason, ofClient]) => {
    const redis = await startRedis();
    const backend = await startFakeBackend();
    disposals.push(redis.dispose, backend.close);
    const [site = expect.fail()] = await startReplicas(['one'], redis, { contentBaseUrl: backend.url });
    disposals.push(site.close);
    const isUp = () => eventually(async () => expect(await readyz(site)).toMatchObject({ shared: 'up' }));
    async function backAgain(): Promise<void> {
      redis.resume();
      await redis.kill();
      await redis.start();
      await isUp();
    }
    await isUp();

    // One measurement may be late on a busy machine.
    const times: number[] = [];
    for (let attempt = 0; attempt < 4 && !times.some(ms => ms < 1_000); attempt += 1) {
      if (attempt > 0) await backAgain();
      const from = performance.now();
      await stop(redis);
      await eventually(async () => expect((await readyz(site)).shared).toBe('down'));
      times.push(performance.now() - from);
    }
    expect(Math.min(...times), String(times)).toBeLessThan(1_000);
    expect(await readyz(site)).toMatchObject({
      status: 'degraded',
      sharedReason: reason,
      sharedEffect: expect.stringContaining('pages are answered'),
      sharedRemedy: expect.stringContaining('the shared store'),
      sharedRunbook: expect.stringContaining('docs/runbook.md'),
    });
    expect((await sendRequest(site.url, '/readyz')).text).toBe('degraded');
    // The log contains the message of the client.
    await eventually(() =>
      expect(site.log.filter(({ code }) => code === 'shared-store-down')).toEqual([
        expect.objectContaining({ reason: expect.stringMatching(ofClient) }),
      ]),
    );
    await backAgain();
  },
);
