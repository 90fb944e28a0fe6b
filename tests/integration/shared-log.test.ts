import { afterEach, describe, expect } from 'vitest';
import { notedBy } from '../../server/cache/invalidation.ts';
import { createInvalidationLog, type InvalidationLog } from '../../server/cache/invalidation-log.ts';
import { isLater, timeOfPosition } from '../../server/cache/log-position.ts';
import { createLogger } from '../../server/ops/log.ts';
import { createPurgeSharing, type PurgeSharing } from '../../server/purges/purge-sharing.ts';
import { parseSharedAddress } from '../../server/shared-state/shared-address.ts';
import { openSharedStore } from '../../server/shared-state/shared-store.ts';
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
  /** The tags of the operations of others, in their order. */
  tags: string[];
  /** How often everything was made stale. */
  staleTimes(): number;
  removed: string[];
  lines: string[];
  invalidate(tag: string): void;
  remove(tag: string): void;
}

async function startStore(): Promise<RedisServer> {
  const redis = await startRedis();
  disposals.push(() => redis.dispose());
  return redis;
}

/** @param saved the invalidations of the last process. */
async function startReplica(
  redis: RedisServer,
  { saved, keptMs = DAY_MS }: { saved?: InvalidationLog; keptMs?: number } = {},
): Promise<Replica> {
  const lines: string[] = [];
  const log = createLogger('info', { write: line => void lines.push(JSON.parse(line).msg) });
  const store = openSharedStore({
    ...{ address: parseSharedAddress(redis.url) ?? expect.fail('no address'), prefix: 'test:' },
    ...{ metrics: null, log },
  });
  disposals.push(() => store.stop());
  await store.examined();
  const invalidations = createInvalidationLog();
  if (saved) invalidations.restore(saved.entries());
  const purges = createPurgeSharing({
    ...{ read: store.openReader().command, write: store.openReader().command, key: store.key, seal: store },
    ...{ keptMs, invalidations, log },
  });
  disposals.push(() => purges.stop());
  const tags: string[] = [];
  const removed: string[] = [];
  let staleTimes = 0;
  await purges.begin({
    carryOut(event, position) {
      const noted = event.kind === 'operation' ? notedBy(event.operation) : null;
      if (!noted) return;
      tags.push(...noted.tags);
      invalidations.note(noted.tags, noted.removed, position);
    },
    makeAllStale() {
      staleTimes += 1;
    },
    remove: names => removed.push(...names),
    sweepNow() {},
  });
  const perform = (kind: 'invalidate' | 'remove', tag: string) => {
    invalidations.note([tag], kind === 'remove', 'pending');
    purges.shareOperation({ kind, tags: [tag] });
  };
  return {
    ...{ purges, invalidations, tags, removed, lines, staleTimes: () => staleTimes },
    invalidate: tag => perform('invalidate', tag),
    remove: tag => perform('remove', tag),
  };
}

describe('the shared log of invalidations', () => {
  it('loses nothing and keeps the order while connections are cut', async () => {
    const redis = await startStore();
    const [one, other] = [await startReplica(redis), await startReplica(redis)];
    const sent = Array.from({ length: 600 }, (_, number) => `articles:${number}`);
    for (const [number, tag] of sent.entries()) {
      one.invalidate(tag);
      if (number % 60 === 0) await redis.cutConnections();
      if (number % 10 === 0) await new Promise(resolve => setImmediate(resolve));
    }
    await eventually(() => expect(other.tags.at(-1)).toBe(sent.at(-1)));
    // An entry is sent twice when its acknowledgment was lost.
    expect([...new Set(other.tags)]).toEqual(sent);
    expect([one.staleTimes(), other.staleTimes()]).toEqual([0, 0]);
    await eventually(() => expect(one.invalidations.afterPosition(sent, one.purges.position)).toBe(false));
  });

  it('gives content its place: loaded before an invalidation of another replica, or after it', async () => {
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

  it('is read at the start: entries that the last process has applied change nothing, later ones are applied', async () => {
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
    expect(next.tags).toEqual(['landing']);
    const empty = await startReplica(redis);
    expect(empty.tags).toEqual(['settings', 'articles:1', 'landing']);
  });

  it('an emptied log makes everything stale on each replica, and knows what was removed', async () => {
    const redis = await startStore();
    const [one, other] = [await startReplica(redis), await startReplica(redis)];
    one.remove('articles:1');
    await eventually(() => expect(other.tags).toEqual(['articles:1']));
    const before = one.invalidations.position();
    await redis.command('FLUSHALL');
    await eventually(() => expect([one.staleTimes(), other.staleTimes()]).toEqual([1, 1]));
    expect(one.lines).toContain(
      'shared log of invalidations: it was emptied or restored, so everything in memory is checked again',
    );
    await one.purges.settled();
    await other.purges.settled();
    const next = await startReplica(redis);
    expect(next.invalidations.afterPosition(['whatever'], before)).toBe(true);
    expect(next.invalidations.removedAfterPosition(['articles:1'], before)).toBe(true);
  });

  it('a log from an earlier time knows what was removed since', async () => {
    const redis = await startStore();
    const [one, other] = [await startReplica(redis), await startReplica(redis)];
    one.invalidate('settings');
    await eventually(() => expect(other.tags).toEqual(['settings']));
    const saved = one.invalidations.position();
    await redis.command('SAVE');
    one.remove('articles:1');
    await eventually(() => expect(other.tags).toEqual(['settings', 'articles:1']));
    await redis.kill();
    await redis.start();
    await eventually(() => expect([one.staleTimes(), other.staleTimes()]).toEqual([1, 1]));
    await one.purges.settled();
    const next = await startReplica(redis);
    expect(next.invalidations.removedAfterPosition(['articles:1'], saved)).toBe(true);
    expect(next.invalidations.afterPosition(['settings'], saved)).toBe(true);
  });

  it('a log that was trimmed meanwhile makes everything stale in the replica that was away, and in no other one', async () => {
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
    const before = one.purges.position;
    one.invalidate('landing');
    await one.purges.settled();
    // The replica must have read its own entry: otherwise the trimmed log lacks one that it has not read either.
    await eventually(() => expect(isLater(one.purges.position, before)).toBe(true));
    await redis.command('XTRIM', 'test:purges', 'MAXLEN', '1');
    const back = await startReplica(redis, { keptMs, saved: away.invalidations });
    expect([back.staleTimes(), one.staleTimes()]).toEqual([1, 0]);
    expect(back.invalidations.afterPosition(['whatever'], away.invalidations.position())).toBe(true);
    expect(back.lines).toContain(
      'shared log of invalidations: this replica was away for too long, so everything in memory is checked again',
    );
  });

  it('is not believed when another build has written what this one cannot read', async () => {
    const redis = await startStore();
    const one = await startReplica(redis);
    await redis.command('XADD', 'test:purges', '*', 'by', 'x', 'number', '1', 'events', '[{"kind":"new"}]');
    await eventually(() => expect(one.staleTimes()).toBe(1));
  });

  it('a log that works again after a pause delivers what was noted meanwhile', async () => {
    const redis = await startStore();
    const [one, other] = [await startReplica(redis), await startReplica(redis)];
    redis.pause();
    one.invalidate('settings');
    await eventually(() => expect([one.purges.isUp, other.purges.isUp]).toEqual([false, false]));
    expect([one.purges.mayRun, other.purges.mayRun]).toEqual([true, true]);
    expect(one.purges.reason).toMatch(/^it cannot be (?:read|written)/);
    redis.resume();
    // The store may carry out what was sent before the pause, and the replica sends it again if that comes before the answer.
    await eventually(() =>
      expect([one.purges.isUp, other.purges.isUp, [...new Set(other.tags)]]).toEqual([
        true,
        true,
        ['settings'],
      ]),
    );
    const words = (lines: readonly string[]) => lines.filter(line => line.startsWith('shared log'));
    expect(words(other.lines)).toEqual([
      'shared log of invalidations: it does not work, so this replica looks for changes in the CMS by itself',
      'shared log of invalidations: it is back, and replicas tell one another of changes',
    ]);
  });
});
