import { describe, expect } from 'vitest';
import { revalidateStale } from '../../server/cache/revalidate-stale.ts';
import { ended, it, START, startStaleCache, TTL_MS, textOf } from '../support/stale-cache-stage.ts';

describe('an invalidation', () => {
  it('an invalidation makes an entry stale at once, and the next reader waits up to a second', async ({
    stage,
  }) => {
    const { cache, clock, invalidate, store } = stage;
    await store('one');
    clock.ms += 10;
    invalidate('settings');
    expect(cache.get('a')).toMatchObject({ ttlMs: -1, waitMs: 1_000, entry: { invalidated: true } });
  });

  it('readers of an invalidated entry do not wait while sixteen other generations run, as with a hanging backend', async ({
    stage,
  }) => {
    const { cache, invalidate, revalidate, began, good, store } = stage;
    await store('one');
    invalidate('settings');
    const others = Array.from({ length: 16 }, (_, index) => revalidate(`other-${index}`));
    expect(cache.get('a')).toMatchObject({ ttlMs: -1, waitMs: 0 });
    began()[0]?.finish(good('other'));
    await others[0];
    expect(cache.get('a')).toMatchObject({ ttlMs: -1, waitMs: 1_000 });
  });

  it('an invalidation ends the back-off of a failed revalidation', async ({ stage }) => {
    const { cache, clock, revalidateInBackground, began, invalidate, store } = stage;
    await store('one');
    clock.ms += TTL_MS;
    revalidateInBackground();
    began()[0]?.fail(new Error('down'));
    await ended();
    invalidate('pages:1');
    expect(cache.get('a')).toMatchObject({ waitMs: 1_000 });
    revalidateInBackground();
    expect(began()).toHaveLength(1);
  });

  it('an entry generated from content that could not be revalidated stays invalidated', async ({ stage }) => {
    const { cache, good, revalidateInBackground, began, invalidate, store } = stage;
    await store('one');
    invalidate('pages:1');
    revalidateInBackground();
    const outcome = good('one', { generatedAt: START, invalidated: true });
    began()[0]?.finish({ ...outcome, servedStale: true });
    await ended();
    expect(cache.get('a')?.ttlMs).toBeLessThan(0);
  });

  it('an invalidation of everything makes every entry stale, and removes negative entries', async ({
    stage,
  }) => {
    const { cache, invalidate, store, storeMissing } = stage;
    await store('one');
    await storeMissing({}, 'b');
    invalidate('*');
    expect(cache.get('a')).toMatchObject({ ttlMs: -1 });
    expect(cache.get('b')).toBeNull();
  });
});

describe('the expiry of everything', () => {
  it('the expiry of everything makes every entry stale, and no reader waits', async ({ stage }) => {
    const { cache, clock, expireAll, store, storeMissing } = stage;
    await store('one');
    await storeMissing({}, 'b');
    clock.ms += 10;
    expireAll();
    expect(cache.get('a')).toMatchObject({ ttlMs: 0, waitMs: 0, entry: { invalidated: false } });
    expect(cache.get('b')).toBeNull();
    clock.ms += 5;
    expect(cache.get('a')?.entry.generatedAt).toBe(clock.ms - TTL_MS);
  });

  it('the expiry of everything lasts until a later revalidation, not one already running', async ({
    stage,
  }) => {
    const { cache, clock, good, revalidate, began, expireAll, store } = stage;
    await store('one');
    const before = revalidate();
    clock.ms += 10;
    expireAll();
    began()[0]?.finish(good('old', { generatedAt: START }));
    await before;
    expect(cache.get('a')?.ttlMs).toBe(0);
    clock.ms += 10;
    const after = revalidate();
    began()[0]?.finish(good('new', { generatedAt: clock.ms }));
    await after;
    expect(cache.get('a')).toMatchObject({ ttlMs: TTL_MS, entry: { value: { text: 'new' } } });
  });

  it('after the expiry of everything, readers of an invalidated entry still wait', async ({ stage }) => {
    const { cache, expireAll, invalidate, store } = stage;
    await store('one');
    invalidate('settings');
    expireAll();
    expect(cache.get('a')).toMatchObject({ waitMs: 1_000, entry: { invalidated: true } });
  });
});

describe('a removal', () => {
  it('a removal leaves entries without its tag fresh', async ({ stage }) => {
    const { cache, remove, store } = stage;
    await store('one');
    remove('pages:2');
    expect(cache.get('a')).toMatchObject({ ttlMs: TTL_MS });
  });

  it('a removal deletes the entry about the tag from memory and disk', async ({ stage }) => {
    const { cache, files, remove, store, trace } = stage;
    await store('one');
    remove('pages:1');
    expect(cache.get('a')).toBeNull();
    expect(files.size).toBe(0);
    expect(trace()).toEqual(['removed a']);
  });

  it('a removal makes an entry stale that only shows the removed content', async ({ stage }) => {
    const { cache, remove, store } = stage;
    await store('list', { about: null });
    remove('pages:1');
    expect(cache.get('a')).toMatchObject({ ttlMs: -1, waitMs: 1_000 });
  });
});

describe('a generation that began before an invalidation', () => {
  it('a generation that began before an invalidation serves its reader, and is stored as stale', async ({
    stage,
  }) => {
    const { cache, files, good, revalidate, began, invalidate, trace } = stage;
    const waiting = revalidate();
    invalidate('settings');
    began()[0]?.finish(good('old'));
    expect(await waiting).toMatchObject({ entry: { value: { text: 'old' }, invalidated: true } });
    expect(cache.get('a')).toMatchObject({ ttlMs: -1, waitMs: 1_000, entry: { value: { text: 'old' } } });
    expect(files.get('a')).toMatchObject({ value: { text: 'old' }, invalidated: true });
    expect(trace()).toEqual(['stored a']);
  });

  it('a value generated before an invalidation is fresh on disk after an equal value was generated', async ({
    stage,
  }) => {
    const { files, good, revalidate, began, invalidate, store } = stage;
    const waiting = revalidate();
    invalidate('settings');
    began()[0]?.finish(good('same'));
    await waiting;
    await store('same');
    expect(files.get('a')?.invalidated).toBe(false);
  });

  it.for([
    ['the entry that it is about', 'pages:1'],
    ['its type', 'pages'],
    ['an entry of which it shows a part', 'articles:7'],
    ['a list that it shows', 'articles@guides'],
    ['an entry of the list that it is', 'commerces:3'],
  ] as const)('a generation is not stored when %s was removed meanwhile', async ([, removed], { stage }) => {
    const { cache, files, good, revalidate, began, invalidate, remove, trace } = stage;
    const waiting = revalidate();
    remove(removed);
    invalidate('commerces.any');
    const tags = ['pages:1#Xa', 'articles:7.card#Xb', 'articles@guides.1#Xc', 'commerces.any'];
    const parts = new Map([['commerces:3.card', 'commerces:3.card#Xd']]);
    began()[0]?.finish({ ...good('old', { tags }), parts });
    await waiting;
    expect([cache.get('a'), files.size, trace()]).toEqual([null, 0, ['outdated a']]);
  });

  it('a generation is stored if its entry was removed before the generation, and only edited during it', async ({
    stage,
  }) => {
    const { good, revalidate, began, invalidate, remove, shown } = stage;
    remove('pages:1');
    const waiting = revalidate();
    invalidate('pages:1');
    began()[0]?.finish(good('back'));
    await waiting;
    expect(shown()).toBe('back');
  });

  it('a generation that began before an invalidation replaces no value, and stores no negative entry', async ({
    stage,
  }) => {
    const { cache, good, missing, revalidate, began, invalidate, shown, store } = stage;
    await store('first');
    const outcomes = { a: good('second'), b: missing() };
    for (const [key, outcome] of Object.entries(outcomes)) {
      const waiting = revalidate(key);
      invalidate('settings');
      began()[0]?.finish(outcome);
      await waiting;
    }
    expect([shown(), cache.get('b')]).toEqual(['first', null]);
  });

  it('a generation without the invalidated tag is stored', async ({ stage }) => {
    const { good, revalidate, began, invalidate, shown } = stage;
    const waiting = revalidate();
    invalidate('pages:2');
    began()[0]?.finish(good('good'));
    await waiting;
    expect(shown()).toBe('good');
  });

  it('a generation that began before an invalidation serves no reader who came after the invalidation', async ({
    stage,
  }) => {
    const { good, revalidate, began, invalidate, shown, trace } = stage;
    const early = revalidate();
    invalidate('pages:1');
    const late = revalidate();
    const generations = began();
    expect(generations).toHaveLength(1);
    generations[0]?.finish(good('old'));
    expect(textOf(await early)).toBe('old');
    await ended();
    began()[0]?.finish(good('new'));
    expect(textOf(await late)).toBe('new');
    expect(shown()).toBe('new');
    expect(trace()).toEqual(['stored a', 'stored a']);
  });

  it('an invalidation does not change an outcome that a reader already has', async ({ stage }) => {
    const { good, revalidate, began, invalidate } = stage;
    const waiting = revalidate();
    invalidate('settings');
    const given = good('old');
    began()[0]?.finish(given);
    await waiting;
    expect(given.entry.invalidated).toBe(false);
  });
});

describe('invalidated entries in the order of their reads', () => {
  const PERIOD_MS = 300_000;

  it('invalidatedByReads() lists recently read entries, the most read first', async () => {
    const { cache, clock, invalidate, store } = startStaleCache({ ttlMs: 10 * PERIOD_MS });
    for (const key of ['a', 'b', 'c', 'unread']) await store('one', {}, key);
    for (const key of ['a', 'b', 'b', 'b', 'b', 'c', 'c']) cache.get(key);
    expect(await cache.invalidatedByReads(10), 'none is invalidated').toEqual([]);
    invalidate('settings');
    expect(await cache.invalidatedByReads(10)).toEqual(['b', 'c', 'a']);
    expect(await cache.invalidatedByReads(2)).toEqual(['b', 'c']);
    clock.ms += PERIOD_MS;
    for (const key of ['a', 'a']) cache.get(key);
    expect(await cache.invalidatedByReads(10)).toEqual(['b', 'a', 'c']);
    clock.ms += PERIOD_MS;
    expect(await cache.invalidatedByReads(10), 'the reads of ten minutes ago are forgotten').toEqual(['a']);
  });

  it('reads are still counted after an entry is replaced, and revalidations are not reads', async () => {
    const { cache, invalidate, revalidateInBackground, began, good, store } = startStaleCache();
    for (const key of ['a', 'b']) await store('one', {}, key);
    cache.get('a');
    for (let time = 0; time < 2; time += 1) {
      invalidate('settings');
      for (const key of ['a', 'b']) revalidateInBackground(key);
      for (const generation of began()) generation.finish(good('two'));
      await ended();
    }
    invalidate('settings');
    expect(await cache.invalidatedByReads(10)).toEqual(['a']);
  });

  it('a reader who waits for a fresh entry is counted once', async () => {
    const { cache, invalidate, good, store } = startStaleCache();
    for (const key of ['waited for', 'read']) await store('one', {}, key);
    for (let time = 0; time < 2; time += 1) {
      invalidate('settings');
      const found = cache.get('waited for') ?? expect.fail('the entry is stored');
      await revalidateStale(cache, 'waited for', found, async () => good('two'));
    }
    for (let time = 0; time < 3; time += 1) cache.get('read');
    invalidate('settings');
    expect(await cache.invalidatedByReads(10)).toEqual(['read', 'waited for']);
  });
});
