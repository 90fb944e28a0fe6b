import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FolderTier } from '../../server/cache/disk/disk-tier.ts';
import { createLogger } from '../../server/ops/log.ts';
import { createSpareTime } from '../../server/ops/spare-time.ts';
import { eventually } from '../support/eventually.ts';
import { startPageCache } from '../support/page-cache-stage.ts';

/** Spare time that the test grants to one piece of work at a time. */
function givenSpareTime() {
  const waiting: (() => void)[] = [];
  let isFree = false;
  return {
    spareTime: () => (isFree ? Promise.resolve() : new Promise<void>(resolve => waiting.push(resolve))),
    giveOne: () => eventually(() => (waiting.shift() ?? expect.fail('no work waits'))()),
    isAskedFor: () => eventually(() => expect(waiting).toHaveLength(1)),
    giveAll() {
      isFree = true;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

const it = test.extend('dir', async ({}, { onCleanup }) => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'spare-time-'));
  onCleanup(() => rm(dir, { recursive: true, force: true }));
  return dir;
});

describe('spare time', () => {
  it('spare time comes at once on an idle event loop, and after a pause on a busy one', async () => {
    const isAtOnce = async (busyShare: number) => {
      let isResolved = false;
      const spare = createSpareTime(() => busyShare)().then(() => {
        isResolved = true;
      });
      // A resolved promise runs its callbacks before the next tick. A timer does not.
      await setImmediate();
      const wasAtOnce = isResolved;
      await spare;
      return wasAtOnce;
    };
    expect([await isAtOnce(0), await isAtOnce(0.7), await isAtOnce(1)]).toEqual([true, true, false]);
  });
});

describe('records for the disk', () => {
  const log = createLogger('silent', { write() {} });
  const codec = { encode: (text: string) => Buffer.from(text), decode: (bytes: Buffer) => bytes.toString() };
  const KEYS = ['a', 'b', 'c'];

  it('records are written to disk one by one in spare time, the newest of each key', async ({ dir }) => {
    const { spareTime, giveOne, giveAll, isAskedFor } = givenSpareTime();
    const tier = new FolderTier({ dir, version: 'v', maxBytes: 1e6, codec, log, spareTime });
    for (const key of KEYS) tier.write(key, () => `old ${key}`);
    await giveOne();
    await isAskedFor();
    expect(tier.waiting()).toBe(2);
    tier.write('b', () => 'new b');
    giveAll();
    await eventually(() => expect(tier.waiting()).toBe(0));
    await tier.settled();
    const next = new FolderTier({ dir, version: 'v', maxBytes: 1e6, codec, log });
    expect(await Promise.all(KEYS.map(key => next.read(key)))).toEqual(['old a', 'new b', 'old c']);
  });

  it('records are written without spare time, many at a time, while more than a hundred wait', async ({
    dir,
  }) => {
    const { spareTime, giveOne, giveAll } = givenSpareTime();
    const tier = new FolderTier({ dir, version: 'v', maxBytes: 1e6, codec, log, spareTime });
    tier.write('first', () => 'first');
    await giveOne();
    await eventually(() => expect(tier.waiting()).toBe(0));
    const leftAtWrites: number[] = [];
    const record = () => {
      leftAtWrites.push(tier.waiting());
      return 'text';
    };
    for (let number = 0; number < 300; number += 1) tier.write(`key ${number}`, record);
    await eventually(() => expect(tier.waiting()).toBeLessThanOrEqual(100));
    // The remaining records wait for spare time again.
    expect(tier.waiting()).toBeGreaterThanOrEqual(100 - 16);
    // The more records wait, the larger the batches are.
    expect(leftAtWrites.slice(0, 200)).toEqual([...Array(128).fill(172), ...Array(72).fill(100)]);
    expect(await Promise.all(['key 0', 'key 99'].map(key => tier.read(key)))).toEqual(['text', 'text']);
    giveAll();
    await tier.settled();
  });

  it('records are written without spare time before the process ends', async ({ dir }) => {
    const { spareTime, giveOne } = givenSpareTime();
    const tier = new FolderTier({ dir, version: 'v', maxBytes: 1e6, codec, log, spareTime });
    for (const key of KEYS) tier.write(key, () => key);
    const settled = tier.settled();
    tier.write('d', () => 'd');
    await settled;
    expect(tier.waiting()).toBe(0);
    // A record that waited before the end began does not block later records.
    tier.write('e', () => 'e');
    await giveOne();
    await eventually(() => expect(tier.waiting()).toBe(0));
    await tier.settled();
  });
});

it('uncompressed pages are compressed in spare time', async () => {
  const { spareTime, giveOne } = givenSpareTime();
  const { cache, store, encodings } = startPageCache({ spareTime });
  await store('a', 'one', 'identity');
  await store('b', 'two', 'identity');
  expect(cache.encodingsWaiting()).toBe(2);
  await giveOne();
  await eventually(() => expect(encodings('a')).toEqual(['br']));
  expect([encodings('b'), cache.encodingsWaiting()]).toEqual([['identity'], 1]);
  await giveOne();
  await eventually(() => expect([encodings('b'), cache.encodingsWaiting()]).toEqual([['br'], 0]));
});

it('an evicted page is no longer queued for compression', async () => {
  const { spareTime } = givenSpareTime();
  const { cache, store } = startPageCache({ spareTime, maxBytes: 12_000 });
  for (const key of ['a', 'b', 'c']) await store(key, key, 'identity');
  expect(cache.peek('a')).toBeNull();
  expect(cache.encodingsWaiting()).toBe(2);
});
