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
  it('concurrent readers of a key share one revalidation', async ({ stage }) => {
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

  it('at most four revalidations run at a time, and others wait in order', async ({ stage }) => {
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

  it('a waiting revalidation is dropped when a reader has already revalidated the entry', async ({
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

  it('a reader of a stale entry waits only while the backend answers, and longer after an invalidation', async () => {
    const backend = { isUp: true };
    const { cache, clock, invalidate, store } = startStaleCache({ isBackendUp: () => backend.isUp });
    await store('one');
    clock.ms += 20 * TTL_MS;
    expect(cache.get('a')?.waitMs).toBe(300);
    backend.isUp = false;
    expect(cache.get('a')?.waitMs).toBe(0);
    invalidate('settings');
    expect(cache.get('a')?.waitMs).toBe(0);
    backend.isUp = true;
    expect(cache.get('a')?.waitMs).toBe(1_000);
  });

  it('no revalidation begins, and no reader waits, while the backend may not be called', async () => {
    let isUp = false;
    const stage = startStaleCache({ isBackendUp: () => isUp });
    const { cache, clock, revalidateInBackground, began, store } = stage;
    await store('one');
    clock.ms += 20 * TTL_MS;
    revalidateInBackground();
    expect(began()).toHaveLength(0);
    expect(cache.get('a')).toMatchObject({ waitMs: 0 });
    isUp = true;
    expect(cache.get('a')).toMatchObject({ waitMs: 300 });
    revalidateInBackground();
    expect(began()).toHaveLength(1);
  });
});

describe('a revalidation that fails', () => {
  it('a failed revalidation keeps the good entry, and is not retried within a second', async ({ stage }) => {
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

  it('a failed revalidation backs off even if a reader waited for it', async ({ stage }) => {
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

  it('a failed revalidation is retried at once when its content was invalidated meanwhile', async ({
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

  it('a revalidation refused by an overloaded process causes no back-off', async () => {
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

  it('a failed revalidation does not delay that of another entry', async ({ stage }) => {
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

describe('a revalidation with old or incomplete content', () => {
  it('a revalidation with stale content is stored, and is not repeated within a second', async ({
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

  it('a partial entry replaces nothing, in memory or on disk', async ({ stage }) => {
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
  it('repeated revalidations of an unchanged value renew the age of its record on disk', async ({
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

  it('an unchanged value is written to disk again only after a tenth of its record’s life', async ({
    stage,
  }) => {
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

  it('a value with another version is written to disk at once', async ({ stage }) => {
    const { clock, files, store } = stage;
    await store('one');
    clock.ms += 1;
    await store('two');
    expect(files.get('a')).toMatchObject({ value: { text: 'two' }, generatedAt: START + 1 });
  });
});

describe('an entry whose value no longer exists', () => {
  it('a negative entry replaces the entry of a vanished value, and its record on disk is deleted', async ({
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

  it('an entry whose page has moved is removed from memory and disk', async ({ stage }) => {
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
