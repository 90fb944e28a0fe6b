import { describe, expect, it } from 'vitest';
import { type Tagged, TaggedStore } from '../../server/cache/tagged-store.ts';

const MAX_BYTES = 1_000;

function startStore() {
  const evicted: string[] = [];
  const store = new TaggedStore<Tagged>({ maxBytes: MAX_BYTES, onEvict: key => void evicted.push(key) });
  return { store, evicted };
}

function thing(tags: readonly string[], about: string | null = null, bytes = 99): Tagged {
  return { tags, about, bytes, madeAt: 0, purged: false };
}

const keysOf = (store: TaggedStore<Tagged>) => [...store.entries()].map(([key]) => key);

describe('the bound in bytes', () => {
  it('drops what was used longest ago, and tells of it', () => {
    const { store, evicted } = startStore();
    for (const key of '0123456789') store.set(key, thing([]));
    expect(store.size).toEqual({ bytes: MAX_BYTES, entries: 10 });
    store.get('0');
    store.peek('1');
    store.set('a', thing([]));
    expect(evicted).toEqual(['1']);
    expect(store.size).toEqual({ bytes: MAX_BYTES, entries: 10 });
    expect(keysOf(store)).toEqual([...'a0', ...'98765432']);
  });

  it('is never passed, whatever the sizes', () => {
    const { store } = startStore();
    for (let round = 0; round < 500; round++) {
      store.set(`key-${round % 40}`, thing(['t'], null, (round * 37) % 400));
      expect(store.size.bytes).toBeLessThanOrEqual(MAX_BYTES);
    }
  });

  it('leaves out what is larger than all of it, with its tags', () => {
    const { store, evicted } = startStore();
    store.set('a', thing(['t']));
    store.set('b', thing(['t'], 't', MAX_BYTES));
    expect(keysOf(store)).toEqual(['a']);
    expect(store.purge('t', true)).toEqual([]);
    expect(evicted).toEqual([]);
  });

  it('counts a value that is replaced once', () => {
    const { store, evicted } = startStore();
    store.set('a', thing([], null, 500));
    store.set('a', thing([], null, 200));
    expect(store.size).toEqual({ bytes: 201, entries: 1 });
    expect(evicted).toEqual([]);
  });
});

describe('a purge', () => {
  it('makes stale what carries the tag, and nothing else', () => {
    const { store } = startStore();
    store.set('list', thing(['articles', 'articles:1']));
    store.set('one', thing(['articles:1'], 'articles:1'));
    store.set('other', thing(['articles:12'], 'articles:12'));
    expect(store.purge('articles:1', false)).toEqual([]);
    expect(['list', 'one', 'other'].map(key => store.get(key)?.purged)).toEqual([true, true, false]);
  });

  it('of what has gone removes what is about it, and makes stale what only shows it', () => {
    const { store } = startStore();
    store.set('list', thing(['articles', 'articles:1']));
    store.set('page', thing(['articles:1', 'settings'], 'articles:1'));
    store.set('payload', thing(['articles:1'], 'articles:1'));
    expect(store.purge('articles:1', true).toSorted()).toEqual(['page', 'payload']);
    expect(keysOf(store)).toEqual(['list']);
    expect(store.get('list')?.purged).toBe(true);
  });

  it('knows the tags of today: not those of a value that was replaced, removed or evicted', () => {
    const { store } = startStore();
    store.set('a', thing(['old']));
    store.set('a', thing(['new']));
    store.set('b', thing(['old']));
    store.delete('b');
    store.set('c', thing(['old'], null, 900));
    store.set('d', thing(['other'], null, 900));
    store.set('a', thing(['new']));
    store.purge('old', false);
    expect([...store.entries()].map(([key, { purged }]) => [key, purged])).toEqual([['a', false]]);
    store.purge('new', false);
    expect(store.get('a')?.purged).toBe(true);
  });

  it('finds a value that replaced itself', () => {
    const { store } = startStore();
    const value = thing(['t']);
    store.set('a', value);
    store.set('a', value);
    store.purge('t', false);
    expect(value.purged).toBe(true);
  });

  it('of everything makes everything stale', () => {
    const { store } = startStore();
    store.set('a', thing(['x']));
    store.set('b', thing([]));
    store.purgeAll();
    expect([...store.entries()].every(([, { purged }]) => purged)).toBe(true);
  });

  it('of one tag touches only what carries it, however much is stored', () => {
    const store = new TaggedStore<Tagged>({ maxBytes: 100_000_000 });
    const looks: string[] = [];
    for (let index = 0; index < 10_000; index++) {
      const value = thing([`articles:${index}`]);
      store.set(
        `page-${index}`,
        Object.defineProperty({ ...value }, 'purged', {
          set: () => void looks.push(`page-${index}`),
        }),
      );
    }
    store.purge('articles:77', false);
    expect(looks).toEqual(['page-77']);
  });
});
