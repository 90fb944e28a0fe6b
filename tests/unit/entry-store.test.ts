import { describe, expect, it } from 'vitest';
import {
  type CacheEntry,
  ENTRY_OVERHEAD_BYTES,
  EntryStore,
  textBytes,
} from '../../server/cache/entry-store.ts';
import { deepFreeze } from '../support/deep-freeze.ts';

/** Counted size of an entry without tags whose key and value take 100 bytes in total. */
const UNIT = ENTRY_OVERHEAD_BYTES + 100;
const MAX_BYTES = 10 * UNIT;

interface Sized {
  readonly bytes: number;
}

function startStore(maxBytes = MAX_BYTES) {
  const evicted: string[] = [];
  const store = new EntryStore<Sized>({
    maxBytes,
    sizeOf: ({ bytes }) => bytes,
    onEvict: key => void evicted.push(key),
  });
  /** @param bytes the size of value and key together */
  const set = (key: string, tags: readonly string[] = [], about: string | null = null, bytes = 100) =>
    store.set(key, entry(tags, about, bytes - key.length), null);
  const invalidated = (...keys: string[]) => keys.map(key => store.peek(key)?.isInvalidated);
  return { store, set, evicted, invalidated };
}

function entry(tags: readonly string[], about: string | null = null, bytes = 99): CacheEntry<Sized> {
  return deepFreeze({ value: { bytes }, tags: [...tags], about, generatedAt: 0, invalidated: false });
}

const keysOf = (store: EntryStore<Sized>) => [...store.slots()].map(([key]) => key);

describe('the bound in bytes', () => {
  it('a full store evicts the least recently used entry, and reports it', () => {
    const { store, set, evicted } = startStore();
    for (const key of '0123456789') set(key);
    expect(store.size).toEqual({ bytes: MAX_BYTES, entries: 10 });
    store.get('0');
    store.peek('1');
    set('a');
    expect(evicted).toEqual(['1']);
    expect(store.size).toEqual({ bytes: MAX_BYTES, entries: 10 });
    expect(keysOf(store)).toEqual([...'a0', ...'98765432']);
  });

  it('a store never exceeds its bound in bytes, whatever the sizes', () => {
    const { store, set } = startStore();
    for (let round = 0; round < 500; round++) {
      set(`key-${round % 40}`, ['t'], null, 10 + ((round * 37) % 2_000));
      expect(store.size.bytes).toBeLessThanOrEqual(MAX_BYTES);
    }
    expect(store.size.entries).toBeGreaterThan(1);
  });

  it('an entry larger than the whole store is not stored, nor are its tags', () => {
    const { store, set, evicted } = startStore();
    set('a', ['t']);
    set('b', ['t'], 't', MAX_BYTES);
    expect(keysOf(store)).toEqual(['a']);
    expect(store.keysAbout('t')).toEqual([]);
    expect(evicted).toEqual([]);
  });

  it('a replaced entry is counted once', () => {
    const { store, set, evicted } = startStore();
    set('a', [], null, 500);
    set('a', [], null, 200);
    expect(store.size).toEqual({ bytes: 200 + ENTRY_OVERHEAD_BYTES, entries: 1 });
    expect(evicted).toEqual([]);
  });

  it('the size of an entry includes value, key, tags and overhead', () => {
    const { store } = startStore();
    const tags = ['articles', 'articles:1'];
    store.set('a key', entry(tags, null, 1_000), null);
    expect(store.size.bytes).toBe(1_000 + 'a key'.length + textBytes(tags) + ENTRY_OVERHEAD_BYTES);
    expect(textBytes(tags)).toBeGreaterThan(tags.join('').length);
  });

  it('a growing value evicts another entry and its tags to keep the bound in bytes', () => {
    const { store, set, evicted } = startStore(2 * UNIT + 2 * textBytes(['t']));
    set('a', ['t']);
    set('b', ['t'], 't');
    const value = store.peek('b')?.entry.value ?? expect.fail('nothing is stored');
    store.replaceValue('b', value, { bytes: value.bytes + 1 });
    expect(evicted).toEqual(['a']);
    expect(store.keysAbout('t')).toEqual(['b']);
    store.invalidate('t');
    expect(store.peek('b')?.isInvalidated).toBe(true);
  });
});

describe('an invalidated tag', () => {
  it('invalidating a content type’s tag affects its child tags, but no type with a similar name', () => {
    const { store, set, invalidated } = startStore();
    set('a', ['articles']);
    set('b', ['authors:1', 'articles:7.card#x']);
    set('c', ['articles#x']);
    set('d', ['articlesOfOthers:7', 'pages=articles']);
    store.invalidate('articles');
    expect(invalidated('a', 'b', 'c', 'd')).toEqual([true, true, true, false]);
  });

  it('an invalidated tag makes each entry with the tag stale, and no other', () => {
    const { store, set, invalidated } = startStore();
    set('list', ['articles', 'articles:1']);
    set('one', ['articles:1'], 'articles:1');
    set('other', ['articles:12'], 'articles:12');
    store.invalidate('articles:1');
    expect(invalidated('list', 'one', 'other')).toEqual([true, true, false]);
  });

  it('an invalidated tag also invalidates its child tags, but no tag with the same prefix', () => {
    const { store, set, invalidated } = startStore();
    set('card', ['articles:1.card#a']);
    set('list', ['articles@guides.1#b']);
    set('other', ['articles:12.card#a', 'articles-of-old']);
    store.invalidate('articles:1');
    expect(invalidated('card', 'list', 'other')).toEqual([true, false, false]);
    store.invalidate('articles');
    expect(invalidated('list', 'other')).toEqual([true, true]);
  });

  it('an invalidated tag with a version makes only entries of other versions stale', () => {
    const { store, set, invalidated } = startStore();
    set('new', ['articles:1#b']);
    set('old', ['articles:1#a']);
    set('unversioned', ['articles:1']);
    set('part', ['articles:1.card#a']);
    expect([...store.index.versionsOf('articles:1')].toSorted()).toEqual(['a', 'b', null]);
    store.invalidate('articles:1#b');
    expect(invalidated('new', 'old', 'unversioned', 'part')).toEqual([false, true, true, false]);
    store.delete('old');
    store.delete('unversioned');
    expect([...store.index.versionsOf('articles:1')]).toEqual(['b']);
  });

  it('keysAbout() finds the entries about a tag, and none that only have the tag', () => {
    const { store, set } = startStore();
    set('list', ['articles', 'articles:1']);
    set('page', ['articles:1#a', 'settings'], 'articles:1');
    set('payload', ['articles:1#b'], 'articles:1');
    expect(store.keysAbout('articles:1').toSorted()).toEqual(['page', 'payload']);
  });

  it('an invalidated tag does not affect an entry that was replaced, removed or evicted', () => {
    const { store, set } = startStore();
    set('a', ['old']);
    set('a', ['new']);
    set('b', ['old']);
    store.delete('b');
    set('c', ['old'], null, MAX_BYTES - UNIT);
    set('d', ['other'], null, MAX_BYTES - UNIT);
    set('a', ['new']);
    store.invalidate('old');
    expect([...store.slots()].map(([key, { isInvalidated }]) => [key, isInvalidated])).toContainEqual([
      'a',
      false,
    ]);
    expect([...store.slots()].some(([, { isInvalidated }]) => isInvalidated)).toBe(false);
    store.invalidate('new');
    expect(store.get('a')?.isInvalidated).toBe(true);
  });

  it('the invalidation of a content type affects stored entries, but no entry that is stored later', () => {
    const { store, set, invalidated } = startStore();
    set('before', ['articles:1#a']);
    set('replaced', ['articles:1#a']);
    set('other', ['pages:1#a']);
    set('none');
    store.invalidate('articles');
    set('replaced', ['articles:1#b']);
    set('after', ['articles:1#b']);
    expect(invalidated('before', 'replaced', 'after', 'other', 'none')).toEqual([
      true,
      ...[false, false, false, false],
    ]);
    store.invalidate('pages');
    expect(invalidated('before', 'replaced', 'after', 'other', 'none')).toEqual([
      true,
      ...[false, false],
      true,
      false,
    ]);
    store.invalidateAll();
    expect(invalidated('replaced', 'after', 'none')).toEqual([true, true, true]);
  });

  it('an entry stays invalidated when its value is replaced after the invalidation of its type', () => {
    const { store, set, invalidated } = startStore();
    set('page', ['articles:1#a']);
    const before = store.peek('page')?.entry.value ?? expect.fail('nothing is stored');
    store.invalidate('articles');
    store.replaceValue('page', before, { bytes: 50 });
    expect(invalidated('page')).toEqual([true]);
  });

  it('invalidatedByReads() lists recently read entries of each invalidated content type', () => {
    const { store, set } = startStore();
    const readOf = () => {
      const steps = store.invalidatedByReads(0, 10);
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
      }
    };
    set('article', ['articles:1#a']);
    set('page', ['pages:1#a']);
    for (const key of ['article', 'page']) store.noteRead(store.peek(key) ?? expect.fail(key), 0);
    expect(readOf()).toEqual([]);
    store.invalidate('articles');
    expect(readOf()).toEqual(['article']);
    store.invalidate('pages');
    expect(readOf().toSorted()).toEqual(['article', 'page']);
    set('late', ['articles:2#a']);
    expect(store.peek('late')?.isInvalidated).toBe(false);
  });

  it('an invalidated tag makes an entry stale even if it was stored twice', () => {
    const { store, invalidated } = startStore();
    const same = entry(['t']);
    store.set('a', same, null);
    store.set('a', same, null);
    store.invalidate('t');
    expect(invalidated('a')).toEqual([true]);
    expect(same.invalidated, 'the entry itself never changes').toBe(false);
  });

  it('an invalidation visits only the entries with its tag, however many are stored', () => {
    const { store, set } = startStore(100_000_000);
    const looks: string[] = [];
    for (let index = 0; index < 10_000; index++) {
      const key = `page-${index}`;
      set(key, [`articles:${index}`]);
      const slot = store.peek(key) ?? expect.fail('nothing is stored');
      Object.defineProperty(slot, 'isInvalidated', { set: () => void looks.push(key) });
    }
    store.invalidate('articles:77');
    expect(looks).toEqual(['page-77']);
  });
});

describe('an invalidation of everything', () => {
  it('an invalidation of everything makes every entry stale', () => {
    const { store, set, invalidated } = startStore();
    set('a', ['x']);
    set('b');
    store.invalidateAll();
    expect(invalidated('a', 'b')).toEqual([true, true]);
  });
});

describe('the oldest entry', () => {
  it('the time of the oldest entry is exact after any stores, evictions and removals', () => {
    const { store } = startStore();
    for (let round = 0; round < 2_000; round += 1) {
      const key = `key-${(round * 7) % 23}`;
      const generatedAt = ((round * 7_919) % 50) * 400;
      if (round % 5 === 0) store.delete(key);
      else store.set(key, { ...entry([], null, 10 + ((round * 37) % 1_500)), generatedAt }, null);
      const oldest = Math.min(...[...store.slots()].map(([, slot]) => slot.entry.generatedAt));
      expect(store.oldestGeneratedAt).toBe(oldest === Number.POSITIVE_INFINITY ? null : oldest);
    }
  });
});
