import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import { readConfig } from '../../server/config/config.ts';
import { createLogger } from '../../server/ops/log.ts';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { openQueueLink } from '../../server/outbox/queue/queue-link.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, failing } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { message, SEND } from '../support/outbox-test.ts';
import { queueTest as it, type Replica } from '../support/queue-test.ts';
import type { RedisServer } from '../support/redis.ts';
import { postForm, postJson } from '../support/send-request.ts';
import { startTcpRelay } from '../support/tcp-relay.ts';

const keysOf = (backend: FakeBackend) =>
  backend.callsTo(SEND).map(({ headers }) => String(headers['idempotency-key']));

const settled = (...replicas: Replica[]) =>
  eventually(() =>
    expect(replicas.map(({ site }) => site.outbox.state.waiting)).toEqual(replicas.map(() => 0)),
  );

const ready = async ({ opsUrl }: Replica) => {
  const answer = await fetch(`${opsUrl}/readyz`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

/** The whole content of the Redis server, as one text. */
async function contentOf(redis: RedisServer): Promise<string> {
  const keys = (await redis.command('KEYS', '*')) as string[];
  const reads = { hash: ['HGETALL'], zset: ['ZRANGE', '0', '-1'], list: ['LRANGE', '0', '-1'] } as const;
  const values = keys.map(async key => {
    const type = (await redis.command('TYPE', key)) as string;
    const [command, ...range] = reads[type as keyof typeof reads] ?? ['XRANGE', '-', '+'];
    return redis.command(...(type === 'string' ? ['GET', key] : [command, key, ...range]));
  });
  return JSON.stringify([keys, await Promise.all(values)]);
}

describe('replicas with a queue', () => {
  it('a message that was posted to two replicas with one idempotency key is delivered once', async ({
    backend,
    start,
  }) => {
    const replicas = [await start(), await start()] as const;
    const posts = Array.from({ length: 10 }, () => ({ ...message(), idempotencyKey: randomUUID() }));
    const answers = await Promise.all(
      posts.flatMap(post => replicas.map(({ url }) => postJson(url, SEND, post))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    await settled(...replicas);
    expect(keysOf(backend).sort()).toEqual(posts.map(({ idempotencyKey }) => idempotencyKey).sort());
    // A request after the first delivery causes no second one.
    const [first] = posts;
    for (const { url } of replicas) expect((await postJson(url, SEND, { ...first })).status).toBe(202);
    await settled(...replicas);
    expect(keysOf(backend)).toHaveLength(posts.length);
  });

  it('a message that was posted to two replicas without an idempotency key is delivered once', async ({
    backend,
    start,
  }) => {
    const replicas = [await start(), await start()] as const;
    const post = { ...message(), page: '/', elapsedMs: '5000' };
    for (const { url } of replicas) expect((await postForm(url, SEND, post)).status).toBe(303);
    await settled(...replicas);
    expect(keysOf(backend)).toHaveLength(1);
  });

  it('a message stays on disk until its job is completed, and its text then leaves the queue', async ({
    backend,
    redis,
    start,
  }) => {
    const slow = heldAnswer({});
    backend.on(SEND, slow.behaviour);
    const replica = await start();
    const post = { ...message(), idempotencyKey: randomUUID() };
    expect((await postJson(replica.url, SEND, post)).status).toBe(202);
    // The response comes only when the queue has the message, too.
    expect(await contentOf(redis)).toContain(post.email);
    await eventually(() => expect(slow.waiting()).toBe(1));
    expect(await replica.names('waiting')).toEqual([`${messageId(post.idempotencyKey)}.json`]);
    slow.release();
    await settled(replica);
    expect(await replica.names('waiting')).toEqual([]);
    await eventually(async () => expect(await contentOf(redis)).not.toContain(post.email));
    expect(await contentOf(redis)).toContain(messageId(post.idempotencyKey));
  });

  it('replicas add messages again that the queue has lost', async ({ backend, redis, start }) => {
    backend.on(SEND, failing(503));
    const replicas = [await start(), await start()] as const;
    const posts = Array.from({ length: 6 }, () => ({ ...message(), idempotencyKey: randomUUID() }));
    for (const [index, post] of posts.entries())
      expect((await postJson(replicas[index % 2 ? 1 : 0].url, SEND, post)).status).toBe(202);
    await eventually(() => expect(new Set(keysOf(backend)).size).toBe(posts.length));
    await redis.command('FLUSHALL');
    const lost = () =>
      replicas.flatMap(({ log }) =>
        log.filter(({ code }) => code === 'outbox-queue-lost').map(({ id }) => id),
      );
    const ids = posts.map(({ idempotencyKey }) => messageId(idempotencyKey));
    await eventually(() => expect(lost().sort()).toEqual(ids.sort()));
    backend.on(SEND, {});
    await settled(...replicas);
    for (const { names } of replicas) expect(await names('dead')).toEqual([]);
  });

  it('other replicas at once take over the deliveries of a replica that stops', async ({
    backend,
    redis,
    start,
  }) => {
    const stuck = heldAnswer({});
    backend.on(SEND, stuck.behaviour);
    const first = await start();
    const post = { ...message(), idempotencyKey: randomUUID() };
    expect((await postJson(first.url, SEND, post)).status).toBe(202);
    await eventually(() => expect(stuck.waiting()).toBe(1));
    const second = await start();
    // The stop does not wait for the delivery, which never ends.
    await first.site.outbox.stop();
    const again = heldAnswer({});
    backend.on(SEND, again.behaviour);
    await eventually(() => expect(again.waiting()).toBe(1));
    // The replica gave the delivery back. BullMQ counts one whose lock expired, after 15 s, as stalled
    // (`stc`).
    expect(await contentOf(redis)).not.toContain('"stc"');
    again.release();
    expect(new Set(keysOf(backend)).size).toBe(1);
    await settled(second);
  });

  it('a message that the CMS refuses becomes a dead letter at once, on disk and in the queue', async ({
    backend,
    redis,
    start,
  }) => {
    backend.on(SEND, failing(400));
    const replica = await start();
    expect((await postJson(replica.url, SEND, message())).status).toBe(202);
    await eventually(() => expect(replica.site.outbox.state).toMatchObject({ waiting: 0, dead: 1 }));
    await eventually(() => expect(replica.site.outbox.queue?.jobs.failed).toBe(1));
    expect(backend.callsTo(SEND)).toHaveLength(1);
    const metrics = await (await fetch(`${replica.opsUrl}/metrics`)).text();
    expect(metrics).toContain('site_queue_jobs{state="failed"} 1');
    expect(metrics).toMatch(/^site_queue_up 1$/m);
    // The reason quotes no response of the CMS, which may repeat the visitor's text.
    expect(await contentOf(redis)).toContain('The CMS has answered 400');
  });

  it('a replica with a queue logs one outage while the CMS accepts no messages, and delivers the messages later', async ({
    backend,
    start,
  }) => {
    backend.on(SEND, failing(403));
    const replica = await start();
    await postJson(replica.url, SEND, message());
    await postJson(replica.url, SEND, message());
    await eventually(() => expect(keysOf(backend).length).toBeGreaterThanOrEqual(4));
    backend.on(SEND, {});
    await settled(replica);
    const lines = replica.log.filter(
      ({ level, code }) => (level === 'error' || level === 'warn') && code.startsWith('outbox-'),
    );
    expect(lines.map(({ code }) => code)).toEqual(['outbox-cms-down', 'outbox-cms-up']);
  });
});

describe('a site with a queue', () => {
  it.for([
    [
      'is down',
      /^connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
      (redis: RedisServer) => redis.kill(),
      (redis: RedisServer) => redis.start(),
    ],
    [
      'hangs',
      /^the queue has not answered within \d+ ms$|127\.0\.0\.1:\d+/,
      async (redis: RedisServer) => redis.pause(),
      async (redis: RedisServer) => redis.resume(),
    ],
  ] as const)(
    'a site accepts messages while its queue %s',
    async ([, reason, fail, recover], { backend, redis, start }) => {
      const replica = await start();
      await fail(redis);
      const post = message();
      // A response shows that the site does not wait for the queue, which never responds.
      expect((await postJson(replica.url, SEND, post)).status).toBe(202);
      expect(await replica.names('waiting')).toHaveLength(1);
      await eventually(async () =>
        expect(await ready(replica)).toMatchObject({
          status: 200,
          body: {
            status: 'degraded',
            queue: 'down',
            queueReason: expect.stringMatching(reason),
            queueRemedy: expect.stringContaining('look'),
          },
        }),
      );
      const metrics = await (await fetch(`${replica.opsUrl}/metrics`)).text();
      expect(metrics).not.toContain('site_queue_jobs{');
      expect(metrics).toMatch(/^site_queue_up 0$/m);
      expect(keysOf(backend)).toEqual([]);
      await recover(redis);
      await settled(replica);
      expect(keysOf(backend)).toHaveLength(1);
      await eventually(async () => expect((await ready(replica)).body).toMatchObject({ queue: 'up' }));
      const lines = replica.log.filter(({ code }) => /^outbox-queue-(?:up|down)$/.test(code));
      expect(lines.map(({ level }) => level)).toEqual(['error', 'warn']);
      // A call that fails before the next attempt to connect reports only the address.
      expect(lines[0]?.reason).toMatch(/ (?:redis:\/\/)?127\.0\.0\.1:\d+| has not answered within /);
      expect(JSON.stringify(replica.log)).not.toContain(post.email);
    },
  );

  it('a site reports its queue and the remedy while connections to it are reset', async ({
    backend,
    redis,
    start,
  }) => {
    const relay = await startTcpRelay(Number(new URL(redis.url).port));
    onTestFinished(relay.close);
    const address = `redis://127.0.0.1:${relay.port}`;
    const replica = await start({ env: { OUTBOX_URL: address } });
    relay.cut();
    expect((await postJson(replica.url, SEND, message())).status).toBe(202);
    await eventually(async () =>
      expect((await ready(replica)).body).toMatchObject({
        queue: 'down',
        queueReason: `the connection to ${address} broke: read ECONNRESET`,
        queueRemedy: expect.stringContaining('OUTBOX_URL names its host and port'),
      }),
    );
    relay.mend();
    await settled(replica);
    expect(keysOf(backend)).toHaveLength(1);
  });

  it('a site uses its queue again after an outage, even after one during the start', async ({
    backend,
    redis,
    start,
  }) => {
    await redis.kill();
    const replica = await start();
    expect((await postJson(replica.url, SEND, message())).status).toBe(202);
    await redis.start();
    await settled(replica);
    expect(keysOf(backend)).toHaveLength(1);
  });

  it('calls to the queue are counted, and calls refused for a wrong password separately', async ({
    redis,
    start,
  }) => {
    await redis.kill();
    await redis.start(['requirepass secret']);
    const callsOf = async (replica: Replica) => {
      const metrics = await (await fetch(`${replica.opsUrl}/metrics`)).text();
      const lines = metrics.matchAll(/^site_queue_calls_total\{outcome="(\w+)"\} (\d+)$/gm);
      return Object.fromEntries(Array.from(lines, ([, outcome, count]) => [outcome, Number(count)]));
    };
    const [wrong, right] = ['wrong-one', 'secret'].map(password =>
      start({ env: { OUTBOX_URL: redis.url.replace('//', `//:${password}@`) } }),
    );
    const refused = await wrong;
    await eventually(async () =>
      expect(await callsOf(refused ?? expect.fail())).toEqual({
        answered: 0,
        refused: expect.toSatisfy(count => count > 0),
        failed: 0,
      }),
    );
    const used = await right;
    await eventually(async () =>
      expect(await callsOf(used ?? expect.fail())).toEqual({
        answered: expect.toSatisfy(count => count > 0),
        refused: 0,
        failed: 0,
      }),
    );
  });

  it('a site does not start with a queue that may evict messages, and names the setting to change', async ({
    redis,
    start,
  }) => {
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await expect(start()).rejects.toThrow(
      /OUTBOX_URL: this Redis may evict messages: its maxmemory-policy is allkeys-lru\. Set maxmemory-policy noeviction/,
    );
    await expect(start({ env: { OUTBOX_TRUST: 'on' } })).rejects.toThrow(/may evict/);
    // No other entry claims that messages are accepted, because the site does not start.
    const { outboxQueue } = readConfig({ OUTBOX_URL: redis.url });
    const lines: string[] = [];
    const log = createLogger('info', { write: line => void lines.push(line) });
    await expect(openQueueLink({ ...(outboxQueue ?? expect.fail()), log })).rejects.toThrow(/may evict/);
    expect(lines).toEqual([]);
  });

  it('a site leaves messages on disk while its queue is full', async ({ backend, redis, start }) => {
    const replica = await start();
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    expect((await postJson(replica.url, SEND, message())).status).toBe(202);
    await eventually(async () =>
      expect((await ready(replica)).body).toMatchObject({
        queue: 'down',
        queueRemedy: expect.stringContaining('maxmemory'),
      }),
    );
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    await settled(replica);
    expect(keysOf(backend)).toHaveLength(1);
    // Responses to reads do not count as a recovery while the queue is full.
    const lines = replica.log.filter(({ code }) => /^outbox-queue-(?:up|down)$/.test(code));
    expect(lines.map(({ level }) => level)).toEqual(['error', 'warn']);
  });
});
