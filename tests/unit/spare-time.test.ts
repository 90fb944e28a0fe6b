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

/** Spare time that a test gives, one piece of work at a time. */
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
  it('spare time is there at once while the event loop has room, and after a pause while it has none', async () => {
    const isAtOnce = async (busyShare: number) => {
      let isResolved = false;
      const spare = createSpareTime(() => busyShare)().then(() => {
        isResolved = true;
      });
      // A promise that is resolved already is seen before the next turn of the event loop, and a timer is
      // not.
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

  it('records for the disk are written one by one as visitors leave room, the newest of each key', async ({
    dir,
  }) => {
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

  it('records for the disk are written without it, sixteen at a time, while more than a hundred wait', async ({
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
    // The others wait for spare time again.
    expect(tier.waiting()).toBeGreaterThanOrEqual(100 - 16);
    expect(leftAtWrites.slice(0, 32)).toEqual([...Array(16).fill(284), ...Array(16).fill(268)]);
    expect(await Promise.all(['key 0', 'key 99'].map(key => tier.read(key)))).toEqual(['text', 'text']);
    giveAll();
    await tier.settled();
  });

  it('records for the disk are written without it before the process ends', async ({ dir }) => {
    const { spareTime, giveOne } = givenSpareTime();
    const tier = new FolderTier({ dir, version: 'v', maxBytes: 1e6, codec, log, spareTime });
    for (const key of KEYS) tier.write(key, () => key);
    const settled = tier.settled();
    tier.write('d', () => 'd');
    await settled;
    expect(tier.waiting()).toBe(0);
    // A record that waited for its turn before the end began holds up none after it.
    tier.write('e', () => 'e');
    await giveOne();
    await eventually(() => expect(tier.waiting()).toBe(0));
    await tier.settled();
  });
});

it('pages that are stored uncompressed are compressed as visitors leave room', async () => {
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
