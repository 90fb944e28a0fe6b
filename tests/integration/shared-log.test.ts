import { afterEach, describe, expect } from 'vitest';
import { notedBy } from '../../server/cache/tags/invalidation.ts';
import { EVERYTHING, InvalidationLog } from '../../server/cache/tags/invalidation-log.ts';
import { timeOfPosition } from '../../server/cache/tags/log-position.ts';
import { parseSharedAddress } from '../../server/config/server-addresses.ts';
import { createLogger } from '../../server/ops/log.ts';
import { type PurgeSharing, SharedLog } from '../../server/replicas/purge-sharing.ts';
import { SharedStore } from '../../server/shared-store/shared-store.ts';
import { eventually } from '../support/eventually.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { redisTest as it } from '../support/redis-test.ts';

const DAY_MS = 86_400_000;
const disposals: (() => unknown)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

interface Replica {
  purges: PurgeSharing;
  invalidations: InvalidationLog;
  /** Tags of the operations of other replicas, in order. */
  tags: string[];
  /** Number of times that everything became stale. */
  staleTimes(): number;
  removed: string[];
  /** Codes of its log entries. */
  codes: string[];
  /** For each log entry that reports the shared log as working again: whether the store worked. */
  upWith: boolean[];
  /** Sends a value to the store, as the heartbeat of a replica does. */
  beat(): Promise<unknown>;
  invalidate(tag: string): void;
  remove(tag: string): void;
}

async function startStore(): Promise<RedisServer> {
  const redis = await startRedis();
  disposals.push(() => redis.dispose());
  return redis;
}

/** @param saved the invalidations of the last process */
async function startReplica(
  redis: RedisServer,
  { saved, keptMs = DAY_MS }: { saved?: InvalidationLog; keptMs?: number } = {},
): Promise<Replica> {
  const codes: string[] = [];
  const upWith: boolean[] = [];
  const write = (line: string) => {
    const { code } = JSON.parse(line);
    codes.push(code);
    if (code === 'replicas-log-up') upWith.push(store.isUp);
  };
  const log = createLogger('info', { write });
  const store = new SharedStore({
    ...{ address: parseSharedAddress(redis.url) ?? expect.fail('no address'), prefix: 'test:' },
    ...{ onCall: null, log },
  });
  disposals.push(() => store.stop());
  await store.examined();
  const invalidations = new InvalidationLog();
  if (saved) invalidations.restore(saved.entries());
  const purges = new SharedLog({ shared: store, keptMs, invalidations, log });
  disposals.push(() => purges.stop());
  const tags: string[] = [];
  const removed: string[] = [];
  let staleTimes = 0;
  await purges.begin({
    async carryOut(event, position) {
      const noted = event.kind === 'operation' ? notedBy(event.operation) : null;
      if (!noted) return;
      tags.push(...noted.tags);
      invalidations.note(noted.tags, noted.removed, position);
    },
    makeAllStale() {
      staleTimes += 1;
    },
    afterRead() {},
    remove: names => removed.push(...names),
    sweepNow() {},
  });
  const perform = (kind: 'invalidate' | 'remove', tag: string) => {
    invalidations.note([tag], kind === 'remove');
    purges.share({ kind: 'operation', operation: { kind, tags: [tag] } });
  };
  return {
    ...{ purges, invalidations, tags, removed, codes, upWith, staleTimes: () => staleTimes },
    beat: () => store.command('SET', [store.key('beat'), '1', 'PX', 5_000], { op: 'beat', limitMs: 5_000 }),
    invalidate: tag => perform('invalidate', tag),
    remove: tag => perform('remove', tag),
  };
}

describe('the shared log of invalidations', () => {
  it('the shared log loses nothing and keeps the order while connections are cut', async () => {
    const redis = await startStore();
    const [one, other] = [await startReplica(redis), await startReplica(redis)];
    const sent = Array.from({ length: 600 }, (_, number) => `articles:${number}`);
    for (const [number, tag] of sent.entries()) {
      one.invalidate(tag);
      if (number % 60 === 0) await redis.cutConnections();
      if (number % 10 === 0) await new Promise(resolve => setImmediate(resolve));
    }
    await eventually(() => expect(other.tags.at(-1)).toBe(sent.at(-1)));
    // An entry is sent again when its acknowledgment is lost.
    expect([...new Set(other.tags)]).toEqual(sent);
    expect([one.staleTimes(), other.staleTimes()]).toEqual([0, 0]);
    await eventually(() => expect(one.purges.position).toBe(one.invalidations.position()));
  });

  it('positions of the shared log say whether content was loaded before another replica’s invalidation', async () => {
    const redis = await startStore();
    const [one, other] = [await startReplica(redis), await startReplica(redis)];
    one.invalidate('settings');
    await one.purges.settled();
    const between = one.invalidations.position();
    other.invalidate('articles:1');
    await eventually(() => expect(one.tags).toEqual(['articles:1']));
    expect(one.invalidations.afterPosition(['settings'], between)).toBe(false);
    expect(one.invalidations.afterPosition(['articles:1'], between)).toBe(true);
    expect(one.invalidations.afterPosition(['articles:1'], one.invalidations.position())).toBe(false);
  });

  it('the shared log is read from the last position, or from its beginning without one', async () => {
    const redis = await startStore();
    const one = await startReplica(redis);
    const last = await startReplica(redis);
    one.invalidate('settings');
    one.remove('articles:1');
    await eventually(() => expect(last.tags).toEqual(['settings', 'articles:1']));
    await last.purges.stop();
    one.invalidate('landing');
    await one.purges.settled();
    const next = await startReplica(redis, { saved: last.invalidations });
    expect([next.tags, next.removed, next.staleTimes()]).toEqual([['landing'], [], 0]);
    const empty = await startReplica(redis);
    expect([empty.tags, empty.staleTimes()]).toEqual([['settings', 'articles:1', 'landing'], 0]);
    expect(empty.invalidations.afterPosition(['settings'], last.purges.position)).toBe(false);
    expect(empty.invalidations.afterPosition(['landing'], last.purges.position)).toBe(true);
  });

  it('an emptied log makes everything stale once on each replica, and the removals are remembered', async () => {
    const redis = await startStore();
    const [one, other] = [await startReplica(redis), await startReplica(redis)];
    one.remove('articles:1');
    await eventually(() => expect(other.tags).toEqual(['articles:1']));
    const before = one.purges.position;
    await redis.command('FLUSHALL');
    await eventually(() => expect([one.staleTimes(), other.staleTimes()]).toEqual([1, 1]));
    expect(one.codes).toContain('replicas-log-incomplete');
    other.invalidate('settings');
    await eventually(() => expect(one.tags).toEqual(['settings']));
    expect(one.purges.position).toBe(other.invalidations.position());
    const next = await startReplica(redis);
    expect(next.invalidations.afterPosition(['whatever'], before)).toBe(true);
    expect(next.removed).toEqual(['articles:1']);
    expect([one.staleTimes(), other.staleTimes()]).toEqual([1, 1]);
  });

  it('after the log was restored to an earlier state, later removals are still known', async () => {
    const redis = await startStore();
    const [one, other] = [await startReplica(redis), await startReplica(redis)];
    one.invalidate('settings');
    await eventually(() => expect(other.tags).toEqual(['settings']));
    const saved = one.purges.position;
    await redis.command('SAVE');
    one.remove('articles:1');
    await eventually(() => expect(other.tags).toEqual(['settings', 'articles:1']));
    await redis.kill();
    await redis.start();
    await eventually(() => expect([one.staleTimes(), other.staleTimes()]).toEqual([1, 1]));
    const next = await startReplica(redis);
    expect(next.removed).toEqual(['articles:1']);
    expect(next.invalidations.afterPosition(['settings'], saved)).toBe(true);
  });

  it('a replica that missed a lost log entry marks everything as stale', async () => {
    const redis = await startStore();
    const one = await startReplica(redis);
    const away = await startReplica(redis);
    one.invalidate('settings');
    await eventually(() => expect(away.tags).toEqual(['settings']));
    await away.purges.stop();
    one.invalidate('landing');
    await one.purges.settled();
    await redis.command('XDEL', 'test:purges', one.invalidations.position());
    await eventually(() => expect(one.staleTimes()).toBe(1));
    const back = await startReplica(redis, { saved: away.invalidations });
    expect([back.tags, back.staleTimes()]).toEqual([[EVERYTHING], 0]);
  });

  it('trimming the log makes everything stale only in a replica that was disconnected', async () => {
    const redis = await startStore();
    const keptMs = 50;
    const one = await startReplica(redis, { keptMs });
    const away = await startReplica(redis, { keptMs });
    one.invalidate('settings');
    await eventually(() => expect(away.tags).toEqual(['settings']));
    await away.purges.stop();
    one.remove('articles:1');
    await one.purges.settled();
    await eventually(async () => {
      const [seconds] = (await redis.command('TIME')) as readonly string[];
      const ageMs = Number(seconds) * 1_000 - timeOfPosition(one.invalidations.position());
      expect(ageMs).toBeGreaterThan(keptMs);
    });
    one.invalidate('landing');
    await one.purges.settled();
    // The replica must first read its own entry. Otherwise the trimmed log would lack an entry unknown to it.
    await eventually(() => expect(one.purges.position).toBe(one.invalidations.position()));
    await redis.command('XTRIM', 'test:purges', 'MAXLEN', '1');
    const back = await startReplica(redis, { keptMs, saved: away.invalidations });
    expect([back.staleTimes(), one.staleTimes()]).toEqual([1, 0]);
    expect(back.invalidations.isDoubted(away.purges.position)).toBe(true);
    expect(back.codes).toContain('replicas-log-incomplete');
  });

  it('a replica distrusts a shared log with entries that it cannot read, such as those of another build', async () => {
    const redis = await startStore();
    const one = await startReplica(redis);
    await redis.command('XADD', 'test:purges', '*', 'by', 'x', 'number', '1', 'events', '[{"kind":"new"}]');
    await eventually(() => expect(one.staleTimes()).toBe(1));
  });

  it('a shared log that works again delivers what was recorded meanwhile', async () => {
    const redis = await startStore();
    const [one, other] = [await startReplica(redis), await startReplica(redis)];
    redis.pause();
    one.invalidate('settings');
    await eventually(() => expect([one.purges.isUp, other.purges.isUp]).toEqual([false, false]));
    expect([one.purges.mayRun, other.purges.mayRun]).toEqual([true, true]);
    expect(one.purges.reason).toMatch(/^it cannot be (?:read|written)/);
    redis.resume();
    // The store may already have executed the command, but a replica without its response repeats it.
    await eventually(() =>
      expect([one.purges.isUp, other.purges.isUp, [...new Set(other.tags)]]).toEqual([
        true,
        true,
        ['settings'],
      ]),
    );
    expect(other.codes.filter(code => code.startsWith('replicas-log'))).toEqual([
      'replicas-log-down',
      'replicas-log-up',
    ]);
  });

  it('the shared log of a full store counts as down until all writes succeed again', async () => {
    const redis = await startStore();
    const replica = await startReplica(redis);
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(replica.beat()).rejects.toThrow('OOM');
    await eventually(() => expect(replica.purges.isUp).toBe(false));
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    await eventually(() => expect(replica.purges.isUp).toBe(true), 20_000);
    expect(replica.upWith).toEqual([true]);
  });
});
