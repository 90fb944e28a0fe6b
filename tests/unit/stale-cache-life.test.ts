import { describe, expect } from 'vitest';
import {
  ended,
  it,
  STALE_IF_ERROR_MS,
  START,
  startStaleCache,
  TTL_MS,
  textOf,
  weightOf,
} from '../support/stale-cache-stage.ts';

describe('the life of an entry', () => {
  it('an entry is fresh until its TTL ends, then stale until stale-if-error ends', async ({ stage }) => {
    const { cache, clock, store } = stage;
    expect(cache.get('a')).toBeNull();
    await store('one');
    const lives: [number, object | null][] = [
      [0, { ttlMs: TTL_MS, waitMs: 0 }],
      [TTL_MS - 1, { ttlMs: 1, waitMs: 0 }],
      [TTL_MS, { ttlMs: 0, waitMs: 0 }],
      [10 * TTL_MS, { ttlMs: -9 * TTL_MS, waitMs: 0 }],
      [10 * TTL_MS + 1, { ttlMs: -9 * TTL_MS - 1, waitMs: 300 }],
      [TTL_MS + STALE_IF_ERROR_MS - 1, { ttlMs: 1 - STALE_IF_ERROR_MS, waitMs: 300 }],
      [TTL_MS + STALE_IF_ERROR_MS, null],
    ];
    for (const [age, cached] of lives) {
      clock.ms = START + age;
      if (cached === null) expect([age, cache.get('a')]).toEqual([age, null]);
      else expect(cache.get('a')).toMatchObject(cached);
    }
  });

  it('the TTL of an entry begins when its oldest content was loaded, not when it was generated', async ({
    stage,
  }) => {
    await stage.store('one', { generatedAt: START - TTL_MS + 5 });
    expect(stage.cache.get('a')).toMatchObject({ ttlMs: 5 });
  });

  it('a revalidation restarts the TTL of an entry', async ({ stage }) => {
    const { cache, clock, good, revalidateInBackground, began, trace, shown, store } = stage;
    await store('one');
    clock.ms += TTL_MS + 10;
    revalidateInBackground();
    expect(shown()).toBe('one');
    began()[0]?.finish(good('two'));
    await ended();
    expect(shown()).toBe('two');
    expect(cache.get('a')).toMatchObject({ ttlMs: TTL_MS });
    expect(trace()).toEqual(['stored a']);
  });

  it('peek() returns an entry of any age', async ({ stage }) => {
    const { cache, clock, store } = stage;
    expect(cache.peek('a')).toBeNull();
    await store('one');
    clock.ms += 100 * STALE_IF_ERROR_MS;
    expect(cache.peek('a')?.value.text).toBe('one');
  });
});

describe('a miss', () => {
  it('a thousand concurrent readers of a missing key generate one value', async ({ stage }) => {
    const { cache, good, revalidate, began } = stage;
    const waiting = Array.from({ length: 1_000 }, () => revalidate());
    const generations = began();
    expect(generations).toHaveLength(1);
    expect(cache.inFlight).toBe(1);
    expect(cache.isInFlight('a')).toBe(true);
    generations[0]?.finish(good('one'));
    expect(new Set(await Promise.all(waiting)).size).toBe(1);
    expect(cache.inFlight).toBe(0);
  });

  it('the last leaving reader aborts a generation, whose late value is not stored', async ({ stage }) => {
    const { cache, good, revalidate, began, shown, trace } = stage;
    const readers = [new AbortController(), new AbortController()];
    const waiting = readers.map(({ signal }) => revalidate('a', signal));
    const [generation] = began();
    readers[0]?.abort(new Error('gone'));
    await expect(waiting[0]).rejects.toThrow('gone');
    expect(generation?.signal.aborted).toBe(false);
    readers[1]?.abort(new Error('gone'));
    await expect(waiting[1]).rejects.toThrow('gone');
    expect(generation?.signal.aborted).toBe(true);
    expect(cache.inFlight).toBe(0);

    const next = revalidate();
    began()[0]?.finish(good('new'));
    await next;
    generation?.finish(good('late'));
    await ended();
    expect(shown()).toBe('new');
    expect(trace()).toEqual(['stored a']);
  });

  it('a failed generation stores nothing, and does not count as a failed revalidation', async ({ stage }) => {
    const { cache, good, revalidate, began, trace, shown } = stage;
    const waiting = revalidate();
    began()[0]?.fail(new Error('down'));
    await expect(waiting).rejects.toThrow('down');
    expect(cache.size.positive.entries).toBe(0);
    expect(trace()).toEqual([]);
    const next = revalidate();
    began()[0]?.finish(good('one'));
    await next;
    expect(shown()).toBe('one');
  });

  it('a cache of 0 bytes generates the value on a miss, and does not store it', async () => {
    const { cache, files, good, revalidate, began, trace } = startStaleCache({ maxBytes: 0 });
    const waiting = revalidate();
    began()[0]?.finish(good('one'));
    expect(textOf(await waiting)).toBe('one');
    expect([cache.get('a'), files.size, trace()]).toEqual([null, 0, []]);
  });
});

describe('the bound in bytes', () => {
  it('a full cache evicts the least recently read entry, and emits an event', async () => {
    const weight = weightOf('x', startStaleCache().entry('page'));
    const { cache, good, store, trace } = startStaleCache({ maxBytes: 10 * weight });
    for (const key of '0123456789') await store('page', {}, key);
    cache.get('0');
    await cache.revalidate('x', async () => good('page'));
    expect(trace()).toEqual(['evicted 1', 'stored x']);
    expect(cache.size.positive).toEqual({ bytes: 10 * weight, entries: 10 });
  });

  it('an eviction leaves the record on disk, which has a separate bound', async () => {
    const weight = weightOf('x', startStaleCache().entry('page'));
    const { cache, files, store } = startStaleCache({ maxBytes: 2.5 * weight });
    for (const key of 'abcd') await store('page', {}, key);
    expect(cache.size.positive.entries).toBe(2);
    expect([...files.keys()]).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('the time to the first expiry', () => {
  it('timeToFirstExpiryMs() is the time until the oldest entry may no longer be served', async ({
    stage,
  }) => {
    const { cache, clock, store } = stage;
    expect(cache.timeToFirstExpiryMs()).toBeNull();
    await store('one', {}, 'a');
    clock.ms += 5_000;
    await store('two', {}, 'b');
    expect(cache.timeToFirstExpiryMs()).toBe(TTL_MS + STALE_IF_ERROR_MS - 5_000);
    await store('one', {}, 'a');
    expect(cache.timeToFirstExpiryMs()).toBe(TTL_MS + STALE_IF_ERROR_MS);
    clock.ms += TTL_MS + STALE_IF_ERROR_MS + 1;
    expect(cache.timeToFirstExpiryMs()).toBe(-1);
  });
});

describe('the list of entries', () => {
  it('entries() lists key, entry and freshness, most recently used first', async ({ stage }) => {
    const { cache, clock, entry, store, invalidate } = stage;
    const [one, two] = [entry('one', { tags: ['x'] }), entry('two', { tags: ['y'] })];
    await store('one', { tags: ['x'] }, 'a');
    await store('two', { tags: ['y'] }, 'b');
    invalidate('x');
    expect([...cache.entries()]).toEqual([
      { key: 'b', entry: two, isFresh: true },
      { key: 'a', entry: one, isFresh: false },
    ]);
    clock.ms += TTL_MS;
    expect([...cache.entries()].map(({ isFresh }) => isFresh)).toEqual([false, false]);
  });
});

describe('an entry that was handed out', () => {
  it('an entry that a reader already has does not change with the stored one', async ({ stage }) => {
    const { cache, clock, store, invalidate, remove, revalidate, began, good } = stage;
    await store('one');
    const handedOut = [cache.get('a')?.entry, cache.peek('a'), [...cache.entries()][0]?.entry];
    const before = structuredClone(handedOut);
    const unchanged = () => {
      expect(handedOut).toEqual(before);
      expect(handedOut.every(entry => entry && !entry.invalidated)).toBe(true);
    };
    invalidate('settings');
    expect(cache.get('a')?.entry.invalidated).toBe(true);
    unchanged();
    invalidate('*');
    unchanged();
    clock.ms += TTL_MS;
    const waiting = revalidate();
    began()[0]?.finish(good('two'));
    await waiting;
    unchanged();
    const value = cache.peek('a')?.value ?? expect.fail('nothing is stored');
    cache.replaceValue('a', value, { ...value, bytes: 400 });
    expect(cache.peek('a')?.value).toEqual({ text: 'two', bytes: 400 });
    expect(value.bytes).toBe(100);
    remove('pages:1');
    expect(cache.get('a')).toBeNull();
    unchanged();
  });

  it('a replaced value keeps the age, tags and invalidation of its entry, and its size is updated', async ({
    stage,
  }) => {
    const { cache, entry, store, invalidate } = stage;
    await store('one');
    invalidate('settings');
    const before = cache.peek('a') ?? expect.fail('nothing is stored');
    cache.replaceValue('a', before.value, { text: 'one', bytes: 700 });
    expect(cache.get('a')).toMatchObject({ ttlMs: -1, waitMs: 1_000 });
    expect(cache.peek('a')).toMatchObject({ tags: before.tags, generatedAt: before.generatedAt });
    expect(cache.size.positive.bytes).toBe(weightOf('a', entry('one', { bytes: 700 })));
    cache.replaceValue('a', before.value, { text: 'late', bytes: 1 });
    expect(cache.peek('a')?.value, 'the value was replaced meanwhile').toEqual({ text: 'one', bytes: 700 });
    invalidate('pages:1');
    expect([...cache.entries()]).toHaveLength(1);
  });
});
