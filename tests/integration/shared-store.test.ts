import { afterEach, describe, expect } from 'vitest';
import { parseSharedAddress } from '../../server/config/server-addresses.ts';
import { createLogger } from '../../server/ops/log.ts';
import { createMetrics } from '../../server/ops/metrics/metrics.ts';
import { SharedStore } from '../../server/shared-store/shared-store.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type RedisOptions, type RedisServer, startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';

const ASKED = { op: 'test', limitMs: 5_000 };
const disposals: (() => unknown)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose();
});

interface Stage {
  store: SharedStore;
  log: { level: string; code: string; msg: string; [field: string]: unknown }[];
  metrics(): Promise<string>;
}

function connect(url: string): Stage {
  const metrics = createMetrics({ build: '', replica: '' }, new Set(['SHARED_URL']));
  const log: Stage['log'] = [];
  const store: SharedStore = new SharedStore({
    address: parseSharedAddress(url) ?? expect.fail('no address'),
    prefix: 'test:',
    onCall(op, outcome, ms) {
      metrics.count('site_shared_calls_total', op, outcome);
      if (outcome === 'answered') metrics.note('site_shared_duration_seconds', ms, op);
    },
    log: createLogger('info', { write: line => void log.push(JSON.parse(line)) }),
  });
  metrics.observe({ site_shared_up: () => Number(store.isUp) });
  disposals.push(() => store.stop());
  return { store, log, metrics: () => metrics.registry.metrics() };
}

async function start(options: RedisOptions = {}): Promise<Stage & { redis: RedisServer }> {
  const redis = await startRedis(options);
  disposals.push(() => redis.dispose());
  const stage = connect(redis.url);
  // A busy machine may need longer than a start waits.
  await eventually(() => expect(stage.store.isUp).toBe(true));
  return { ...stage, redis };
}

const failed = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: { kind: string }) => error.kind,
  );

describe('the connection to the shared store', () => {
  it('commands to the shared store use its prefix, and are counted and timed', async () => {
    const { store, redis, log, metrics } = await start({
      config: ['maxmemory 64mb', 'maxmemory-policy volatile-lru'],
    });
    await store.command('SET', [store.key('a'), Buffer.from([0, 255])], ASKED);
    expect(await store.command('GET', [store.key('a')], { ...ASKED, asBytes: true })).toEqual(
      Buffer.from([0, 255]),
    );
    expect(await redis.command('KEYS', '*')).toEqual(['test:a']);
    expect(store.state).toEqual({ isUp: true, reason: null });
    expect(log.filter(({ level }) => level === 'info')).toEqual([
      expect.objectContaining({
        level: 'info',
        code: 'shared-store-connected',
        address: `redis://127.0.0.1:${redis.port}`,
        server: expect.stringMatching(/^(?:redis|valkey) \d/),
        policy: 'volatile-lru',
        latencyMs: expect.any(Number),
      }),
    ]);
    const text = await metrics();
    expect(text).toContain('site_shared_up 1');
    expect(text).toContain('site_shared_calls_total{op="test",outcome="answered"} 2');
    expect(text).toContain('site_shared_duration_seconds_count{op="test"} 2');
  });

  it('an eviction policy that could evict the invalidation log is logged as a warning', async () => {
    const { log } = await start({ config: ['maxmemory-policy allkeys-lru'] });
    expect(log.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({
        level: 'warn',
        code: 'shared-store-connected',
        effect: expect.stringContaining('may evict the log'),
        remedy: 'set maxmemory-policy volatile-lru and a maxmemory',
      }),
    ]);
  });

  it('a late command to the store is abandoned, and after five the store is skipped until it recovers', async () => {
    const { store, redis, log } = await start();
    redis.pause();
    for (let time = 0; time < 5; time += 1)
      expect(await failed(store.command('GET', ['a'], { op: 'test', limitMs: 20 }))).toBe('late');
    expect(await failed(store.command('GET', ['a'], ASKED))).toBe('skipped');
    expect(store.isUp).toBe(false);
    await eventually(() => expect(log.at(-1)?.code).toBe('shared-store-down'));
    expect(log.at(-1)?.reason).toMatch(/^(?:GET|INFO): no answer within \d+ ms$/);
    expect(log.at(-1)?.remedy).toMatch(/^look at the load of the shared store/);
    redis.resume();
    await eventually(() => expect(store.isUp).toBe(true));
    await eventually(() => expect(log.at(-1)?.code).toBe('shared-store-up'));
    expect(await store.command('SET', ['a', '1'], ASKED)).toBe('OK');
  });

  it('a store connection is restored automatically, and listeners are called at the first response', async () => {
    const { store, redis } = await start();
    let connections = 0;
    store.onConnected(() => {
      connections += 1;
    });
    expect(connections).toBe(1);
    await redis.kill();
    await eventually(async () =>
      expect(await failed(store.command('GET', ['a'], ASKED))).not.toBe('answered'),
    );
    await eventually(() => expect(store.isUp).toBe(false));
    await redis.start();
    await eventually(() => expect([connections, store.isUp]).toEqual([2, true]));
  });

  it('a full store stays down until it accepts a write, although it answers reads and removals', async () => {
    const { store, redis, log } = await start({ config: ['maxmemory-policy noeviction'] });
    await store.command('SET', ['a', '1'], ASKED);
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    expect(await failed(store.command('SADD', ['b', '1'], ASKED))).toBe('refused');
    const full = { isUp: false, reason: expect.stringMatching(/^OOM/) };
    const isLogged = (code: string) => eventually(() => expect(log.at(-1)?.code).toBe(code));
    await eventually(async () => {
      expect(await store.command('GET', ['a'], ASKED)).toBe('1');
      for (const [name, args] of [
        ['PEXPIRE', ['a', 60_000]],
        ['SREM', ['b', '1']],
        ['EVAL', [`return redis.call('DEL', KEYS[1])`, 1, 'c']],
      ] as const) {
        await store.command(name, args, ASKED);
        expect(store.state).toEqual(full);
      }
      expect(log.at(-1)?.code).toBe('shared-store-down');
    });
    // As when a key expires: single writes have room, but the store still counts as full.
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    await store.command('SET', ['b', '1'], ASKED);
    expect(store.state).toEqual(full);
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    expect(await failed(store.command('SET', ['b', '1'], ASKED))).toBe('refused');
    // The replica retries the store by itself.
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    await isLogged('shared-store-up');
    expect(store.state).toEqual({ isUp: true, reason: null });
    expect(log.filter(({ code }) => code === 'shared-store-down')).toHaveLength(1);
  });

  it('a missing permission for one command keeps the store down until that command passes', async () => {
    const { store, redis } = await start();
    await redis.command('ACL', 'SETUSER', 'default', '-sadd');
    expect(await failed(store.command('SADD', ['b', '1'], ASKED))).toBe('refused');
    await store.command('SET', ['a', '1'], ASKED);
    expect(store.state).toEqual({ isUp: false, reason: expect.stringMatching(/^NOPERM/) });
    await redis.command('ACL', 'SETUSER', 'default', '+sadd');
    await eventually(async () => {
      await store.command('SADD', ['b', '1'], ASKED);
      expect(store.isUp).toBe(true);
    });
  });

  it('a store that returns with another password is logged with that reason, too', async () => {
    const { redis, log } = await start();
    await redis.kill();
    await eventually(() => expect(log.at(-1)?.code).toBe('shared-store-down'));
    await redis.start(['requirepass another']);
    await eventually(() => expect(log.at(-1)?.reason).toMatch(/NOAUTH/));
    const remedies = log.filter(({ code }) => code === 'shared-store-down').map(({ remedy }) => remedy);
    expect(remedies).toEqual([
      expect.stringMatching(/^look whether the shared store runs/),
      'give SHARED_URL a valid user and password',
    ]);
  });

  it('a wrong password is logged with a remedy, and the store recovers with the right one', async () => {
    const redis = await startRedis({ config: ['requirepass secret'] });
    disposals.push(() => redis.dispose());
    const { store, log } = connect(redis.url);
    await eventually(() => expect(log.at(-1)?.reason).toMatch(/NOAUTH/));
    expect(log.at(-1)?.remedy).toBe('give SHARED_URL a valid user and password');
    expect(store.isUp).toBe(false);
    const right = connect(redis.url.replace('//', '//:secret@'));
    await eventually(() => expect(right.store.isUp).toBe(true));
    const wrong = connect(redis.url.replace('//', '//:wrong-one@'));
    await eventually(() => expect(wrong.log.at(-1)?.reason).toMatch(/WRONGPASS/));
    expect(JSON.stringify([...right.log, ...wrong.log])).not.toMatch(/secret@|wrong-one/);
  });
});

describe('a start', () => {
  it('a start does not wait for a missing store', async () => {
    const { store } = connect(`redis://127.0.0.1:${await freePort()}`);
    await store.examined();
    expect(store.isUp).toBe(false);
    expect(await failed(store.command('GET', ['a'], ASKED))).toBe('unreachable');
  });

  it('a node of a Redis cluster is refused as the shared store', async () => {
    const redis = await startRedis({ config: ['cluster-enabled yes', `cluster-port ${await freePort()}`] });
    disposals.push(() => redis.dispose());
    await expect(connect(redis.url).store.examined()).rejects.toThrow(
      /^The configuration cannot be used:\n +SHARED_URL: .* node of a cluster/,
    );
  });
});

describe('a reader', () => {
  it('a blocking reader delays no other command, and continues after its connection was cut', async () => {
    const { store, redis } = await start();
    const reader = store.openReader();
    const read = (from: string) =>
      reader.command('XREAD', ['BLOCK', 60_000, 'STREAMS', 'log', from], 120_000);
    await eventually(async () => expect(await reader.command('PING', [], 5_000)).toBe('PONG'));
    const waiting = read('0');
    await eventually(async () => expect(await redis.command('INFO', 'clients')).toMatch(/blocked_clients:1/));
    expect(await store.command('XADD', ['log', '1-1', 'tag', 'a'], ASKED)).toBe('1-1');
    expect(await waiting).toEqual([['log', [['1-1', ['tag', 'a']]]]]);
    const cut = failed(read('1-1'));
    await eventually(async () => expect(await redis.command('INFO', 'clients')).toMatch(/blocked_clients:1/));
    await redis.cutConnections();
    expect(await cut).toBe('unreachable');
    await eventually(async () => expect(await reader.command('PING', [], 5_000)).toBe('PONG'));
  });
});
