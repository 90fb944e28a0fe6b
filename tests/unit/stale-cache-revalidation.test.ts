import { describe, expect } from 'vitest';
import {
  ended,
  it,
  STALE_IF_ERROR_MS,
  START,
  startStaleCache,
  TTL_MS,
  textOf,
} from '../support/stale-cache-stage.ts';

describe('a revalidation', () => {
  it('a revalidation runs once at a time for a key, however many readers ask for it', async ({ stage }) => {
    const { clock, good, revalidateInBackground, revalidate, began, trace, store } = stage;
    await store('one');
    clock.ms += TTL_MS;
    for (let index = 0; index < 100; index++) revalidateInBackground();
    const waiting = revalidate();
    const generations = began();
    expect(generations).toHaveLength(1);
    generations[0]?.finish(good('two'));
    expect(textOf(await waiting)).toBe('two');
    expect(trace()).toEqual(['stored a']);
  });

  it('a revalidation waits for its turn behind four others, first come, first served', async ({ stage }) => {
    const { cache, clock, store, good, revalidateInBackground, began, shown } = stage;
    const keys = Array.from({ length: 9 }, (_, index) => `page-${index}`);
    for (const key of keys) await store('old', {}, key);
    clock.ms += TTL_MS;
    for (const key of [...keys, ...keys]) revalidateInBackground(key);
    await ended();
    const first = began();
    expect(first).toHaveLength(4);
    expect(cache.inFlight).toBe(4);
    first[0]?.fail(new Error('refused'));
    first[1]?.finish(good('new'));
    await ended();
    expect(began()).toHaveLength(2);
    expect(cache.inFlight).toBe(4);
    expect(keys.map(key => shown(key))).toEqual(['old', 'new', ...Array(7).fill('old')]);
  });

  it('a revalidation does not begin when a reader has revalidated the entry while it waited for its turn', async ({
    stage,
  }) => {
    const { clock, store, good, revalidate, revalidateInBackground, began } = stage;
    for (const key of ['a', 'b', 'c', 'd', 'e']) await store('old', {}, key);
    clock.ms += TTL_MS;
    for (const key of ['a', 'b', 'c', 'd', 'e']) revalidateInBackground(key);
    await ended();
    const first = began();
    const waiting = revalidate('e');
    await ended();
    began()[0]?.finish(good('new'));
    await waiting;
    for (const generation of first) generation.finish(good('new'));
    await ended();
    expect(began()).toEqual([]);
  });

  it('a revalidation is awaited by readers of an old entry only while the backend answers, but after an invalidation in any case', async () => {
    const backend = { isUp: true };
    const { cache, clock, invalidate, store } = startStaleCache({ isBackendUp: () => backend.isUp });
    await store('one');
    clock.ms += 20 * TTL_MS;
    expect(cache.get('a')?.waitMs).toBe(300);
    backend.isUp = false;
    expect(cache.get('a')?.waitMs).toBe(0);
    invalidate('settings');
    expect(cache.get('a')?.waitMs).toBe(1_000);
  });

  it('a revalidation does not begin, and is not awaited, while the backend may not be called', async () => {
    let mayRevalidate = false;
    const stage = startStaleCache({ mayRevalidate: () => mayRevalidate });
    const { cache, clock, revalidateInBackground, began, store } = stage;
    await store('one');
    clock.ms += 20 * TTL_MS;
    revalidateInBackground();
    expect(began()).toHaveLength(0);
    expect(cache.get('a')).toMatchObject({ waitMs: 0 });
    mayRevalidate = true;
    expect(cache.get('a')).toMatchObject({ waitMs: 300 });
    revalidateInBackground();
    expect(began()).toHaveLength(1);
  });
});

describe('a revalidation that fails', () => {
  it('a revalidation that fails leaves the good entry, and is not tried again within a second', async ({
    stage,
  }) => {
    const { cache, clock, revalidateInBackground, began, trace, shown, store, good } = stage;
    await store('one');
    clock.ms += 20 * TTL_MS;
    expect(cache.get('a')?.waitMs).toBe(300);
    revalidateInBackground();
    began()[0]?.fail(new Error('down'));
    await ended();
    expect(trace()).toEqual(['revalidation-failed a']);
    expect(shown()).toBe('one');

    clock.ms += 999;
    revalidateInBackground();
    expect(began()).toHaveLength(0);
    expect(cache.get('a')?.waitMs, 'no reader waits for a revalidation that has just failed').toBe(0);
    clock.ms += 1;
    expect(cache.get('a')?.waitMs).toBe(300);
    revalidateInBackground();
    began()[0]?.finish(good('two'));
    await ended();
    expect(shown()).toBe('two');
    expect(trace()).toEqual(['stored a']);
  });

  it('backs off as well when a reader waited for it', async ({ stage }) => {
    const { cache, clock, revalidate, revalidateInBackground, began, trace, store } = stage;
    await store('one');
    clock.ms += 20 * TTL_MS;
    const waiting = revalidate();
    began()[0]?.fail(new Error('down'));
    await expect(waiting).rejects.toThrow('down');
    expect(cache.get('a')?.waitMs).toBe(0);
    revalidateInBackground();
    expect(began()).toHaveLength(0);
    expect(trace()).toEqual(['revalidation-failed a']);
  });

  it('a revalidation that fails does not back off when its content was invalidated meanwhile', async ({
    stage,
  }) => {
    const { cache, clock, invalidate, revalidate, began, store } = stage;
    await store('one');
    clock.ms += 20 * TTL_MS;
    const waiting = revalidate();
    invalidate('settings');
    began()[0]?.fail(new Error('down'));
    await expect(waiting).rejects.toThrow('down');
    expect(cache.get('a')?.waitMs).toBe(1_000);
  });

  it('a revalidation that fails does not back off when this process is overloaded', async () => {
    const stage = startStaleCache({ isOverload: error => error instanceof RangeError });
    const { clock, revalidateInBackground, began, trace, store } = stage;
    await store('one');
    clock.ms += TTL_MS;
    revalidateInBackground();
    began()[0]?.fail(new RangeError('busy'));
    await ended();
    expect(trace()).toEqual([]);
    revalidateInBackground();
    expect(began()).toHaveLength(1);
  });

  it('a revalidation that fails does not hold back the revalidation of another entry', async ({ stage }) => {
    const { clock, revalidateInBackground, began, store } = stage;
    await store('one', {}, 'a');
    await store('one', {}, 'b');
    clock.ms += TTL_MS;
    revalidateInBackground('a');
    began()[0]?.fail(new Error('broken'));
    await ended();
    revalidateInBackground('b');
    expect(began()).toHaveLength(1);
  });
});

describe('a revalidation whose content is old or incomplete', () => {
  it('a revalidation whose content is old or incomplete stores an entry that served stale content, and is not repeated within a second', async ({
    stage,
  }) => {
    const { cache, clock, good, revalidateInBackground, began, shown, store } = stage;
    await store('one');
    clock.ms += 20 * TTL_MS;
    revalidateInBackground();
    began()[0]?.finish({ ...good('one, half new', { generatedAt: START }), servedStale: true });
    await ended();
    expect(shown()).toBe('one, half new');
    expect(cache.get('a')).toMatchObject({ ttlMs: -19 * TTL_MS, waitMs: 0 });
    revalidateInBackground();
    expect(began()).toHaveLength(0);
    clock.ms += 1_000;
    revalidateInBackground();
    expect(began()).toHaveLength(1);
  });

  it('a revalidation whose content is old or incomplete replaces nothing with a partial entry, in memory or on the disk', async ({
    stage,
  }) => {
    const { clock, files, entry, revalidateInBackground, began, shown, store, trace } = stage;
    await store('one');
    clock.ms += TTL_MS;
    revalidateInBackground();
    began()[0]?.finish({ kind: 'partial', entry: entry('partial') });
    await ended();
    expect(shown()).toBe('one');
    expect(files.get('a')?.value.text).toBe('one');
    expect(trace()).toEqual([]);
    revalidateInBackground();
    expect(began()).toHaveLength(0);
  });
});

describe('a revalidation that changes nothing', () => {
  it('a revalidation that changes nothing does not let the file grow old, however often it is repeated', async ({
    stage,
  }) => {
    const { clock, files, store } = stage;
    const ages: number[] = [];
    for (let time = 0; time < 40; time += 1) {
      await store('same');
      ages.push(clock.ms - (files.get('a')?.generatedAt ?? 0));
      clock.ms += STALE_IF_ERROR_MS / 100;
    }
    expect(Math.max(...ages)).toBeLessThanOrEqual(STALE_IF_ERROR_MS / 10);
    expect(
      ages.filter(age => age === 0),
      'written four times, not forty',
    ).toHaveLength(4);
  });

  it('spares the disk until a tenth of the record’s life is over', async ({ stage }) => {
    const { clock, files, good, revalidateInBackground, began, store } = stage;
    await store('one');
    clock.ms += TTL_MS;
    revalidateInBackground();
    began()[0]?.finish(good('one'));
    await ended();
    expect(files.get('a')?.generatedAt).toBe(START);
    clock.ms += STALE_IF_ERROR_MS / 5;
    revalidateInBackground();
    began()[0]?.finish(good('one'));
    await ended();
    expect(files.get('a')?.generatedAt).toBe(clock.ms);
  });

  it('a revalidation that changes nothing writes another version at once', async ({ stage }) => {
    const { clock, files, store } = stage;
    await store('one');
    clock.ms += 1;
    await store('two');
    expect(files.get('a')).toMatchObject({ value: { text: 'two' }, generatedAt: START + 1 });
  });
});

describe('an entry whose key has no value any more', () => {
  it('an entry whose key has no value any more gives way to a negative entry, and its record is removed from the disk', async ({
    stage,
  }) => {
    const { cache, clock, files, missing, revalidateInBackground, began, store, trace, shown } = stage;
    await store('one');
    clock.ms += TTL_MS;
    revalidateInBackground();
    began()[0]?.finish(missing());
    await ended();
    expect(shown()).toBe('missing');
    expect(cache.size.positive.entries).toBe(0);
    expect(files.size).toBe(0);
    expect(trace()).toEqual(['removed a']);
  });

  it('an entry whose key has no value any more is removed from memory and disk when the key has moved', async ({
    stage,
  }) => {
    const { cache, clock, files, revalidateInBackground, began, store, trace } = stage;
    await store('one');
    clock.ms += TTL_MS;
    revalidateInBackground();
    began()[0]?.finish({ kind: 'moved' });
    await ended();
    expect(cache.get('a')).toBeNull();
    expect(files.size).toBe(0);
    expect(trace()).toEqual(['removed a']);
  });
});
