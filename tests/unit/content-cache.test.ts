import { describe, expect, it } from 'vitest';
import {
  type CacheEvent,
  type ContentCacheOptions,
  createContentCache,
} from '../../server/content/content-cache.ts';

const TTL_MS = 1_000;
const STALE_IF_ERROR_MS = 5_000;

/** A load that the test ends by hand. */
interface Load {
  signal: AbortSignal;
  resolve(value: object | null): void;
  reject(error: unknown): void;
}

/** A cache on a clock that stands still until it is moved, and everything that happens to it. */
function startCache(options: Partial<ContentCacheOptions> = {}) {
  const clock = { ms: 1_000_000 };
  const cache = createContentCache({
    maxBytes: 10_000,
    ttlMs: TTL_MS,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    now: () => clock.ms,
    ...options,
  });
  const events: CacheEvent[] = [];
  const loads: Load[] = [];

  /** A read whose load is ended by hand. */
  function read(key: string, signal = new AbortController().signal) {
    const load = (loadSignal: AbortSignal) =>
      new Promise<object | null>((resolve, reject) => {
        loads.push({ signal: loadSignal, resolve, reject });
      });
    return cache.read(key, load, { signal, onEvent: event => void events.push(event) });
  }

  /** A read whose load succeeds, or fails, at once. */
  function readNow(key: string, outcome: object | null, fails = false) {
    return cache.read(key, async () => (fails ? Promise.reject(outcome) : outcome), {
      signal: new AbortController().signal,
      onEvent: event => void events.push(event),
    });
  }

  return {
    cache,
    clock,
    loads,
    events,
    read,
    readNow,
    trace: () => events.splice(0).map(({ kind, key }) => `${kind} ${key}`),
  };
}

describe('a value that is there', () => {
  it('is a miss at first and a hit from then on, without another load', async () => {
    const { read, loads, trace } = startCache();
    const value = { title: 'News' };
    const first = read('a');
    loads[0]?.resolve(value);
    expect(await first).toBe(value);
    expect(await read('a')).toBe(value);
    expect(await read('a')).toBe(value);
    expect(loads).toHaveLength(1);
    expect(trace()).toEqual(['miss a', 'hit a', 'hit a']);
  });

  it('is one value a key', async () => {
    const { readNow, trace } = startCache();
    await readNow('a', { a: 1 });
    await readNow('b', { b: 1 });
    expect(await readNow('a', { a: 2 })).toEqual({ a: 1 });
    expect(trace()).toEqual(['miss a', 'miss b', 'hit a']);
  });

  it('may be null: that nothing is there is worth remembering', async () => {
    const { readNow, trace } = startCache();
    expect(await readNow('a', null)).toBeNull();
    expect(await readNow('a', { late: true })).toBeNull();
    expect(trace()).toEqual(['miss a', 'hit a']);
  });

  it('is fresh until its time is up, to the millisecond', async () => {
    const { clock, readNow, trace } = startCache();
    await readNow('a', { version: 1 });
    clock.ms += TTL_MS - 1;
    expect(await readNow('a', { version: 2 })).toEqual({ version: 1 });
    clock.ms += 1;
    expect(await readNow('a', { version: 3 })).toEqual({ version: 3 });
    expect(trace()).toEqual(['miss a', 'hit a', 'miss a']);
  });

  it('lives a whole time again after it was renewed, and not after it was read', async () => {
    const { clock, readNow, trace } = startCache();
    await readNow('a', { version: 1 });
    clock.ms += TTL_MS - 1;
    await readNow('a', { version: 2 });
    clock.ms += 1;
    await readNow('a', { version: 3 });
    clock.ms += TTL_MS - 1;
    expect(await readNow('a', { version: 4 })).toEqual({ version: 3 });
    expect(trace()).toEqual(['miss a', 'hit a', 'miss a', 'hit a']);
  });

  it('is never fresh with a time of 0', async () => {
    const { readNow, trace } = startCache({ ttlMs: 0 });
    await readNow('a', { version: 1 });
    expect(await readNow('a', { version: 2 })).toEqual({ version: 2 });
    expect(trace()).toEqual(['miss a', 'miss a']);
  });

  it('can be looked at, however old, without a load', async () => {
    const { cache, clock, readNow, events } = startCache();
    expect(cache.peek('a')).toBeUndefined();
    await readNow('a', { version: 1 });
    clock.ms += 100 * (TTL_MS + STALE_IF_ERROR_MS);
    expect(cache.peek('a')).toEqual({ version: 1 });
    expect(events).toHaveLength(1);
  });
});

describe('readers at the same time', () => {
  it('share one load', async () => {
    const { read, loads, trace } = startCache();
    const reads = Array.from({ length: 100 }, () => read('a'));
    expect(loads).toHaveLength(1);
    const value = {};
    loads[0]?.resolve(value);
    const values = await Promise.all(reads);
    expect(values.every(got => got === value)).toBe(true);
    expect(trace()).toEqual(['miss a', ...Array.from({ length: 99 }, () => 'joined a')]);
  });

  it('do not share the loads of different keys', () => {
    const { read, loads } = startCache();
    void read('a');
    void read('b');
    expect(loads).toHaveLength(2);
  });

  it('all learn of the failure, each with its own trace', async () => {
    const { read, loads, trace } = startCache();
    const reads = [read('a'), read('a'), read('a')];
    const error = new Error('down');
    loads[0]?.reject(error);
    for (const result of await Promise.allSettled(reads)) {
      expect(result).toEqual({ status: 'rejected', reason: error });
    }
    expect(trace()).toEqual(['miss a', 'joined a', 'joined a', 'failed a', 'failed a', 'failed a']);
  });
});

describe('a reader that leaves', () => {
  it('gets its own reason and does not end the load of the others', async () => {
    const { read, loads, trace, cache } = startCache();
    const visitor = new AbortController();
    const leaving = read('a', visitor.signal);
    const staying = read('a');
    const reason = new Error('gone');
    visitor.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    expect(loads[0]?.signal.aborted).toBe(false);
    loads[0]?.resolve({ version: 1 });
    expect(await staying).toEqual({ version: 1 });
    expect(cache.peek('a')).toEqual({ version: 1 });
    // Leaving is neither a failure of the backend nor a reason to answer with something old.
    expect(trace()).toEqual(['miss a', 'joined a']);
  });

  it('does not end it either when it is the one who started it', async () => {
    const { read, loads } = startCache();
    const first = new AbortController();
    const second = new AbortController();
    const reads = [read('a', first.signal), read('a', second.signal), read('a')];
    first.abort();
    second.abort();
    await Promise.allSettled(reads.slice(0, 2));
    expect(loads[0]?.signal.aborted).toBe(false);
    loads[0]?.resolve({});
    await expect(reads[2]).resolves.toEqual({});
  });

  it('ends the load when it is the last', async () => {
    const { read, loads } = startCache();
    const visitors = [new AbortController(), new AbortController()];
    const reads = visitors.map(({ signal }) => read('a', signal));
    visitors[0]?.abort();
    await Promise.allSettled(reads.slice(0, 1));
    expect(loads[0]?.signal.aborted).toBe(false);
    visitors[1]?.abort();
    await Promise.allSettled(reads);
    expect(loads[0]?.signal.aborted).toBe(true);
    expect(loads[0]?.signal.reason).toMatchObject({ name: 'AbortError' });
  });

  it('leaves nothing behind that the next one would join', async () => {
    const { read, loads, trace } = startCache();
    const visitor = new AbortController();
    const leaving = read('a', visitor.signal);
    visitor.abort();
    await Promise.allSettled([leaving]);
    const next = read('a');
    expect(loads).toHaveLength(2);
    expect(loads[1]?.signal.aborted).toBe(false);
    // The abandoned load ends late, and badly: that is nobody's business any more.
    loads[0]?.reject(loads[0].signal.reason);
    loads[1]?.resolve({ version: 2 });
    expect(await next).toEqual({ version: 2 });
    expect(trace()).toEqual(['miss a', 'miss a']);
  });

  it('last leaves a load that, should it end well all the same, does not replace what is newer', async () => {
    const { cache, read, loads } = startCache();
    const visitor = new AbortController();
    const leaving = read('a', visitor.signal);
    visitor.abort();
    await Promise.allSettled([leaving]);
    const next = read('a');
    loads[1]?.resolve({ version: 2 });
    await next;
    loads[0]?.resolve({ version: 1 });
    await Promise.resolve();
    await Promise.resolve();
    expect(cache.peek('a')).toEqual({ version: 2 });
  });

  it('before it has begun loads nothing at all', async () => {
    const { read, loads, events } = startCache();
    await expect(read('a', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(loads).toEqual([]);
    expect(events).toEqual([]);
  });

  it('is not answered with something old', async () => {
    const { clock, read, readNow, loads, trace } = startCache();
    await readNow('a', { version: 1 });
    clock.ms += TTL_MS;
    const visitor = new AbortController();
    const leaving = read('a', visitor.signal);
    visitor.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    expect(loads[0]?.signal.aborted).toBe(true);
    expect(trace()).toEqual(['miss a', 'miss a']);
  });
});

describe('a load that fails', () => {
  it('rejects where there is nothing older, and is not remembered', async () => {
    const { readNow, trace } = startCache();
    const error = new Error('down');
    await expect(readNow('a', error, true)).rejects.toBe(error);
    await expect(readNow('a', error, true)).rejects.toBe(error);
    expect(await readNow('a', { version: 1 })).toEqual({ version: 1 });
    expect(trace()).toEqual(['miss a', 'failed a', 'miss a', 'failed a', 'miss a']);
  });

  it('is reported with its error', async () => {
    const { readNow, events } = startCache();
    const error = new Error('down');
    await readNow('a', error, true).catch(() => {});
    expect(events[1]).toEqual({ kind: 'failed', key: 'a', error });
  });

  it('is covered by what is older, for a while', async () => {
    const { clock, readNow, trace } = startCache();
    const old = { version: 1 };
    await readNow('a', old);
    clock.ms += TTL_MS;
    expect(await readNow('a', new Error('down'), true)).toBe(old);
    clock.ms += STALE_IF_ERROR_MS - 1;
    expect(await readNow('a', new Error('down'), true)).toBe(old);
    clock.ms += 1;
    await expect(readNow('a', new Error('down'), true)).rejects.toThrow('down');
    expect(trace()).toEqual([
      'miss a',
      ...['miss a', 'failed a', 'stale a'],
      ...['miss a', 'failed a', 'stale a'],
      ...['miss a', 'failed a'],
    ]);
  });

  it('is tried again by the next reader, and what is old does not become fresh by being used', async () => {
    const { clock, readNow, trace } = startCache();
    await readNow('a', { version: 1 });
    clock.ms += TTL_MS;
    await readNow('a', new Error('down'), true);
    expect(await readNow('a', { version: 2 })).toEqual({ version: 2 });
    expect(trace()).toEqual(['miss a', 'miss a', 'failed a', 'stale a', 'miss a']);
  });

  it('covers those who joined as well', async () => {
    const { clock, read, readNow, loads, trace } = startCache();
    await readNow('a', { version: 1 });
    clock.ms += TTL_MS;
    const reads = [read('a'), read('a')];
    loads[0]?.reject(new Error('down'));
    expect(await Promise.all(reads)).toEqual([{ version: 1 }, { version: 1 }]);
    expect(trace()).toEqual([
      ...['miss a', 'miss a', 'joined a'],
      ...['failed a', 'stale a'],
      ...['failed a', 'stale a'],
    ]);
  });

  it('by throwing before it has begun is a failure like any other', async () => {
    const { cache, events } = startCache();
    const onEvent = (event: CacheEvent) => void events.push(event);
    const { signal } = new AbortController();
    const load = () => {
      throw new Error('at once');
    };
    await expect(cache.read('a', load, { signal, onEvent })).rejects.toThrow('at once');
    expect(events.map(({ kind }) => kind)).toEqual(['miss', 'failed']);
    expect(await cache.read('a', async () => ({ version: 1 }), { signal, onEvent })).toEqual({ version: 1 });
  });
});

describe('the bound', () => {
  /** What a value of this many characters weighs: its JSON (two braces, the name, the quotes) and its key. */
  const weighing = (bytes: number, key: string) => ({
    t: 'x'.repeat(bytes - key.length - '{"t":""}'.length),
  });

  it('is in bytes, of the value as JSON and of its key', async () => {
    const { cache, readNow } = startCache();
    await readNow('key', { t: 'x' });
    expect(cache.size).toEqual({ bytes: 3 + '{"t":"x"}'.length, entries: 1 });
    await readNow('é', { t: 'é' });
    expect(cache.size).toEqual({ bytes: 12 + 1 + '{"t":"é"}'.length + 1, entries: 2 });
  });

  it('is kept by dropping what was read longest ago', async () => {
    const { cache, readNow, trace } = startCache({ maxBytes: 300 });
    await readNow('a', weighing(100, 'a'));
    await readNow('b', weighing(100, 'b'));
    await readNow('c', weighing(100, 'c'));
    expect(cache.size).toEqual({ bytes: 300, entries: 3 });
    await readNow('a', {});
    trace();
    await readNow('d', weighing(100, 'd'));
    expect(cache.size).toEqual({ bytes: 300, entries: 3 });
    expect(['a', 'b', 'c', 'd'].filter(key => cache.peek(key) !== undefined)).toEqual(['a', 'c', 'd']);
    await readNow('b', {});
    expect(trace()).toEqual(['miss d', 'miss b']);
  });

  it('makes room for one large value by dropping several small ones', async () => {
    const { cache, readNow } = startCache({ maxBytes: 300 });
    for (const key of ['a', 'b', 'c']) await readNow(key, weighing(100, key));
    await readNow('d', weighing(250, 'd'));
    expect(cache.size).toEqual({ bytes: 250, entries: 1 });
  });

  it('does not keep, but does return, a value larger than itself', async () => {
    const { cache, readNow, trace } = startCache({ maxBytes: 300 });
    await readNow('small', weighing(100, 'small'));
    const large = weighing(301, 'large');
    expect(await readNow('large', large)).toBe(large);
    expect(cache.peek('large')).toBeUndefined();
    expect(cache.size).toEqual({ bytes: 100, entries: 1 });
    await readNow('large', large);
    expect(await readNow('exact', weighing(300, 'exact'))).toBe(cache.peek('exact'));
    expect(trace()).toEqual(['miss small', 'miss large', 'miss large', 'miss exact']);
  });

  it('counts a renewed value once', async () => {
    const { cache, clock, readNow } = startCache();
    for (let version = 0; version < 10; version += 1) {
      await readNow('a', { version });
      clock.ms += TTL_MS;
    }
    expect(cache.size).toEqual({ bytes: 'a{"version":9}'.length, entries: 1 });
  });
});
