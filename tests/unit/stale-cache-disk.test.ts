import { describe, expect } from 'vitest';
import type { DiskTier } from '../../server/cache/disk/disk-tier.ts';
import {
  type Entry,
  it,
  memoryDisk,
  STALE_IF_ERROR_MS,
  startStaleCache,
  TTL_MS,
} from '../support/stale-cache-stage.ts';

describe('an entry on the disk', () => {
  it('an entry on the disk is loaded only once when memory does not have it', async ({ stage }) => {
    const first = startStaleCache();
    await first.store('one');
    const { cache, files, load, shown, trace } = stage;
    files.set('a', first.files.get('a') ?? expect.fail('nothing on the disk'));
    expect(cache.get('a')).toBeNull();
    expect((await load())?.entry.value.text).toBe('one');
    await load();
    expect(trace()).toEqual(['loaded-from-disk a']);
    expect(shown()).toBe('one');
  });

  it('an entry on the disk is read once for all readers at the same time', async () => {
    const { files, disk } = memoryDisk<Entry>();
    let reads = 0;
    const counting: DiskTier<Entry> = {
      ...disk,
      async read(key) {
        reads += 1;
        return disk.read(key);
      },
    };
    const { load, entry, trace } = startStaleCache({ disk: counting });
    files.set('a', entry('one'));
    const found = await Promise.all(Array.from({ length: 50 }, () => load()));
    expect(new Set(found.map(cached => cached?.entry.value.text))).toEqual(new Set(['one']));
    expect([reads, trace()]).toEqual([1, ['loaded-from-disk a']]);
  });

  it('an entry on the disk does not replace a value that was generated while the disk was read', async () => {
    const { files, disk } = memoryDisk<Entry>();
    const reads: (() => void)[] = [];
    const slow: DiskTier<Entry> = {
      ...disk,
      read: key => new Promise(resolve => reads.push(() => resolve(files.get(key) ?? null))),
    };
    const { load, entry, store, trace } = startStaleCache({ disk: slow });
    files.set('a', entry('old'));
    const loaded = load();
    await store('new');
    files.set('a', entry('old'));
    for (const read of reads) read();
    expect((await loaded)?.entry.value.text).toBe('new');
    expect(trace()).toEqual([]);
  });

  it('an entry on the disk is a miss when it is absent or too old', async ({ stage }) => {
    const { clock, files, entry, load } = stage;
    expect(await load()).toBeNull();
    files.set('a', entry('one'));
    clock.ms += TTL_MS + STALE_IF_ERROR_MS;
    expect(await load()).toBeNull();
  });

  it('an entry on the disk is a miss if its content was removed, and stale if it was invalidated', async ({
    stage,
  }) => {
    const { clock, files, entry, load, invalidate, remove } = stage;
    files.set('removed', entry('one'));
    files.set('invalidated', entry('two', { about: 'pages:2', tags: ['pages:2', 'settings'] }));
    files.set('other', entry('three', { about: 'pages:3', tags: ['pages:3'] }));
    clock.ms += 10;
    remove('pages:1');
    invalidate('settings');
    expect(await load('removed')).toBeNull();
    expect(await load('invalidated')).toMatchObject({ ttlMs: -1 });
    expect((await load('other'))?.ttlMs).toBe(TTL_MS - 10);
  });

  it('an entry on the disk is not read while memory has an entry', async ({ stage }) => {
    const { files, entry, load, store, trace } = stage;
    await store('new');
    files.set('a', entry('old'));
    expect((await load())?.entry.value.text).toBe('new');
    expect(trace()).toEqual([]);
  });

  it('an entry on the disk counts as absent when its record cannot be used', async ({ stage }) => {
    const { cache, files, entry, trace } = stage;
    files.set('a', entry('one'));
    expect(await cache.load('a', async () => null)).toBeNull();
    expect(trace()).toEqual([]);
  });

  it('an entry on the disk is not written again when the first revalidation after a restart changes nothing', async ({
    stage,
  }) => {
    const { clock, files, entry, load, store } = stage;
    files.set('a', entry('one'));
    const record = files.get('a');
    clock.ms += TTL_MS;
    await load();
    await store('one');
    expect(files.get('a')).toBe(record);
  });
});
