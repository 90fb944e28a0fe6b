import { describe, expect, it } from 'vitest';
import type { LastGood } from '../../server/cache/last-good.ts';
import { createPurges } from '../../server/cache/purges.ts';
import { createContentCache, type StoredContent } from '../../server/content/content-cache.ts';

const TTL_MS = 1_000;
const STALE_IF_ERROR_MS = 5_000;
const TAGS = ['pages:1', 'pages'];

interface Load {
  resolve(value: object | null): void;
  reject(error: unknown): void;
}

/** A cache on a clock that stands still, with a disk in memory; loads are ended by the test. */
function startCache() {
  const clock = { ms: 1_000_000 };
  const now = () => clock.ms;
  const purges = createPurges(now);
  const files = new Map<string, StoredContent>();
  const lastGood: LastGood<StoredContent> = {
    write: (key, entry) => void files.set(key, { ...entry }),
    read: async key => files.get(key) ?? null,
    remove: key => void files.delete(key),
    settled: async () => {},
    waiting: 0,
  };
  const cache = createContentCache({
    ...{ maxBytes: 10_000, ttlMs: TTL_MS, staleIfErrorMs: STALE_IF_ERROR_MS },
    ...{ purges, lastGood, now },
  });
  const loads: Load[] = [];
  const events: string[] = [];
  const read: StoredContent[] = [];
  return {
    cache,
    clock,
    files,
    purges,
    /** The entries that reads came from. */
    read,
    ask: (key = 'a') =>
      cache.read<object | null>(
        key,
        () => new Promise((resolve, reject) => loads.push({ resolve, reject })),
        {
          signal: new AbortController().signal,
          onEvent: ({ kind }) => void events.push(kind),
          onRead: entry => void read.push({ ...entry }),
        },
        value => ({ tags: TAGS, about: value === null ? null : 'pages:1' }),
      ),
    purge(tag: string, dropped = false) {
      purges.note([tag], dropped);
      cache.purge(tag, dropped);
    },
    /** The loads that began since this was asked last. */
    began: () => loads.splice(0),
    trace: () => events.splice(0),
  };
}

async function startStored(value: object | null = { version: 1 }) {
  const started = startCache();
  const first = started.ask();
  started.began()[0]?.resolve(value);
  await first;
  started.trace();
  return started;
}

const ended = () => new Promise(resolve => setImmediate(resolve));

describe('a purge', () => {
  it('makes a value be loaded anew, however young it is', async () => {
    const { ask, began, purge, trace, read } = await startStored();
    purge('pages');
    const second = ask();
    began()[0]?.resolve({ version: 2 });
    expect(await second).toEqual({ version: 2 });
    expect(await ask()).toEqual({ version: 2 });
    expect(trace()).toEqual(['miss', 'hit']);
    expect(read.at(-1)).toMatchObject({ tags: TAGS, about: 'pages:1', purged: false });
  });

  it('leaves what does not carry the tag', async () => {
    const { ask, purge, trace } = await startStored();
    purge('pages:2', true);
    expect(await ask()).toEqual({ version: 1 });
    expect(trace()).toEqual(['hit']);
  });

  it('while a value is loaded keeps it from being stored; who began with it gets it', async () => {
    const { cache, ask, began, purge, read, files } = startCache();
    const early = ask();
    purge('pages');
    began()[0]?.resolve({ version: 1 });
    expect(await early).toEqual({ version: 1 });
    expect(read.at(-1)?.purged).toBe(true);
    expect(cache.peek('a')).toBeUndefined();
    expect(files.size).toBe(0);
  });

  it('is not answered with a load that began before it', async () => {
    const { ask, began, purge, trace } = startCache();
    const early = ask();
    purge('pages:1');
    const late = ask();
    const [first, ...others] = began();
    expect(others).toEqual([]);
    first?.resolve({ version: 1 });
    expect(await early).toEqual({ version: 1 });
    await ended();
    began()[0]?.resolve({ version: 2 });
    expect(await late).toEqual({ version: 2 });
    expect(trace()).toEqual(['miss', 'joined', 'miss']);
  });

  it('of what does not concern it leaves a load for those who join it', async () => {
    const { ask, began, purge } = startCache();
    const early = ask();
    purge('pages:2');
    const late = ask();
    began()[0]?.resolve({ version: 1 });
    expect(await Promise.all([early, late])).toEqual([{ version: 1 }, { version: 1 }]);
    expect(began()).toEqual([]);
  });

  it('is known to who gets the old value because the backend fails', async () => {
    const { ask, began, purge, trace, read } = await startStored();
    purge('pages');
    const second = ask();
    began()[0]?.reject(new Error('down'));
    expect(await second).toEqual({ version: 1 });
    expect(read.at(-1)?.purged).toBe(true);
    expect(trace()).toEqual(['miss', 'failed', 'stale']);
  });

  it('of what has gone leaves nothing to stand in, in memory or on the disk', async () => {
    const { ask, began, purge, files } = await startStored();
    expect(files.size).toBe(1);
    purge('pages:1', true);
    expect(files.size).toBe(0);
    const second = ask();
    began()[0]?.reject(new Error('down'));
    await expect(second).rejects.toThrow('down');
  });

  it('that comes while a load fails is respected', async () => {
    const { clock, ask, began, purge } = await startStored();
    clock.ms += TTL_MS;
    const second = ask();
    purge('pages:1', true);
    began()[0]?.reject(new Error('down'));
    await expect(second).rejects.toThrow('down');
  });

  it('makes what was not there be asked for', async () => {
    const { ask, began, purge } = await startStored(null);
    expect(await ask()).toBeNull();
    purge('pages');
    const second = ask();
    began()[0]?.resolve({ version: 1 });
    expect(await second).toEqual({ version: 1 });
  });

  it('of everything makes everything be loaded anew', async () => {
    const { cache, ask, began } = await startStored();
    cache.purgeAll();
    void ask();
    expect(began()).toHaveLength(1);
  });
});

describe('the disk', () => {
  it('stands in for a backend that fails, with its age and its provenance', async () => {
    const before = await startStored();
    const { clock, ask, began, files, trace, read } = startCache();
    files.set('a', before.files.get('a') ?? expect.fail('nothing on the disk'));
    clock.ms += TTL_MS;
    const first = ask();
    began()[0]?.reject(new Error('down'));
    expect(await first).toEqual({ version: 1 });
    expect(read.at(-1)).toMatchObject({ madeAt: clock.ms - TTL_MS, tags: TAGS, about: 'pages:1' });
    expect(trace()).toEqual(['miss', 'failed', 'stale']);
  });

  it('is not asked while the backend answers', async () => {
    const { ask, began, files } = startCache();
    files.set('a', { value: { version: 0 }, tags: TAGS, about: null, madeAt: 0, bytes: 1, purged: false });
    const first = ask();
    began()[0]?.resolve({ version: 1 });
    expect(await first).toEqual({ version: 1 });
  });

  it('has nothing that is too old, and nothing that has gone', async () => {
    for (const spoil of [
      ({ clock }: ReturnType<typeof startCache>) => {
        clock.ms += TTL_MS + STALE_IF_ERROR_MS;
      },
      ({ purges }: ReturnType<typeof startCache>) => purges.note(['pages:1'], true),
    ]) {
      const before = await startStored();
      const started = startCache();
      started.files.set('a', before.files.get('a') ?? expect.fail('nothing on the disk'));
      spoil(started);
      const first = started.ask();
      started.began()[0]?.reject(new Error('down'));
      await expect(first).rejects.toThrow('down');
      expect(await started.cache.restore(['a'])).toBe(false);
    }
  });

  it('forgets what the backend says is not there', async () => {
    const { clock, ask, began, files } = await startStored();
    clock.ms += TTL_MS;
    const second = ask();
    began()[0]?.resolve(null);
    expect(await second).toBeNull();
    expect(files.size).toBe(0);
  });

  it('brings back what a process needs to start, and says whether it is all there', async () => {
    const before = await startStored();
    const { cache, files, purges, ask, began } = startCache();
    files.set('a', before.files.get('a') ?? expect.fail('nothing on the disk'));
    expect(await cache.restore(['a', 'b'])).toBe(false);
    expect(await cache.restore(['a'])).toBe(true);
    expect(cache.peek('a')).toEqual({ version: 1 });
    purges.note(['pages'], false);
    cache.purge('pages', false);
    void ask();
    expect(began(), 'it is purged like the others').toHaveLength(1);
  });
});
