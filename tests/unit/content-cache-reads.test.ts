import { describe, expect } from 'vitest';
import type { JsonAnswer } from '../../server/backend/backend-client.ts';
import {
  answerOf,
  it,
  STALE_IF_ERROR_MS,
  startContentCache,
  TTL_MS,
} from '../support/content-cache-stage.ts';

describe('stored content', () => {
  it('stored content is loaded once, and read from memory afterwards', async ({ stage }) => {
    const { read, loads, trace } = stage;
    const first = read('a');
    loads[0]?.resolve({ title: 'News' });
    const value = await first;
    expect(value).toEqual({ title: 'News' });
    expect(await read('a')).toBe(value);
    expect(await read('a')).toBe(value);
    expect(loads).toHaveLength(1);
    expect(trace()).toEqual(['miss a', 'hit a', 'hit a']);
  });

  it('each key has one stored value', async ({ stage: { readNow, trace } }) => {
    await readNow('a', { a: 1 });
    await readNow('b', { b: 1 });
    expect(await readNow('a', { a: 2 })).toEqual({ a: 1 });
    expect(trace()).toEqual(['miss a', 'miss b', 'hit a']);
  });

  it('null is stored too: missing content is not loaded again', async ({ stage }) => {
    const { readNow, trace } = stage;
    expect(await readNow('a', null)).toBeNull();
    expect(await readNow('a', { late: true })).toBeNull();
    expect(trace()).toEqual(['miss a', 'hit a']);
  });

  it('stored content is fresh until the last millisecond of its TTL', async ({ stage }) => {
    const { cache, clock, readNow, trace } = stage;
    await readNow('a', { version: 1 });
    clock.ms += TTL_MS - 1;
    expect(cache.isFresh('a')).toBe(true);
    expect(await readNow('a', { version: 2 })).toEqual({ version: 1 });
    clock.ms += 1;
    expect(cache.isFresh('a')).toBe(false);
    expect(await readNow('a', { version: 3 })).toEqual({ version: 3 });
    expect(trace()).toEqual(['miss a', 'hit a', 'miss a']);
  });

  it('a revalidation restarts the TTL, and a read does not', async ({ stage }) => {
    const { clock, readNow, trace } = stage;
    await readNow('a', { version: 1 });
    clock.ms += TTL_MS - 1;
    await readNow('a', { version: 2 });
    clock.ms += 1;
    await readNow('a', { version: 3 });
    clock.ms += TTL_MS - 1;
    expect(await readNow('a', { version: 4 })).toEqual({ version: 3 });
    expect(trace()).toEqual(['miss a', 'hit a', 'miss a', 'hit a']);
  });

  it('stored content with a TTL of 0 is never fresh', async () => {
    const { readNow, trace } = startContentCache({ ttlMs: 0 });
    await readNow('a', { version: 1 });
    expect(await readNow('a', { version: 2 })).toEqual({ version: 2 });
    expect(trace()).toEqual(['miss a', 'miss a']);
  });

  it('a read with `evenIfFresh` loads again, and a failure keeps the stored content', async ({ stage }) => {
    const { cache, readNow, requestOf, events, trace } = stage;
    await readNow('a', { version: 1 });
    const again = async (ask: () => Promise<JsonAnswer>) => {
      const options = { ask, signal: new AbortController().signal, evenIfFresh: true };
      return (
        await cache.read(requestOf('a'), {
          ...options,
          onEvent: (event, key) => void events.push(`${event} ${key}`),
        })
      ).value;
    };
    const failed = await again(() => Promise.reject(new Error('down')));
    expect(failed.value).toEqual({ version: 1 });
    expect((await again(async () => answerOf({ version: 2 }))).value).toEqual({ version: 2 });
    expect(await readNow('a', { version: 3 })).toEqual({ version: 2 });
    expect(trace()).toEqual(['miss a', 'miss a', 'failed a', 'stale a', 'miss a', 'hit a']);
  });

  it('peek() returns stored content of any age without a call', async ({ stage }) => {
    const { peek, clock, readNow, events } = stage;
    expect(peek('a')).toBeUndefined();
    await readNow('a', { version: 1 });
    clock.ms += 100 * (TTL_MS + STALE_IF_ERROR_MS);
    expect(peek('a')).toEqual({ version: 1 });
    expect(events).toHaveLength(1);
  });
});

describe('readers at the same time', () => {
  it('concurrent readers of one key share one load', async ({ stage: { cache, read, loads, trace } }) => {
    const reads = Array.from({ length: 100 }, () => read('a'));
    expect(loads).toHaveLength(1);
    expect(cache.loading).toBe(1);
    loads[0]?.resolve({});
    const values = await Promise.all(reads);
    expect(new Set(values).size).toBe(1);
    expect(trace()).toEqual(['miss a', ...Array.from({ length: 99 }, () => 'joined a')]);
  });

  it('concurrent readers of different keys load separately', ({ stage: { read, loads } }) => {
    void read('a');
    void read('b');
    expect(loads).toHaveLength(2);
  });

  it('concurrent readers all get the error of their shared load, and each read is reported', async ({
    stage: { read, loads, trace },
  }) => {
    const reads = [read('a'), read('a'), read('a')];
    const error = new Error('down');
    loads[0]?.reject(error);
    for (const result of await Promise.allSettled(reads))
      expect(result).toEqual({ status: 'rejected', reason: error });
    expect(trace()).toEqual(['miss a', 'joined a', 'joined a', 'failed a', 'failed a', 'failed a']);
  });
});

describe('a reader that leaves', () => {
  it('a reader that leaves gets its abort reason, and the others keep their load', async ({ stage }) => {
    const { read, loads, trace, peek } = stage;
    const visitor = new AbortController();
    const leaving = read('a', visitor.signal);
    const staying = read('a');
    const reason = new Error('gone');
    visitor.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    expect(loads[0]?.signal.aborted).toBe(false);
    loads[0]?.resolve({ version: 1 });
    expect(await staying).toEqual({ version: 1 });
    expect(peek('a')).toEqual({ version: 1 });
    // An abort is not a backend failure, so no older content is served.
    expect(trace()).toEqual(['miss a', 'joined a']);
  });

  it('a reader that leaves does not end the load of the others even if it started the load', async ({
    stage,
  }) => {
    const { read, loads } = stage;
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

  it('the last reader that leaves aborts the load', async ({ stage: { read, loads } }) => {
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

  it('a new reader does not join a load that was aborted', async ({ stage }) => {
    const { read, loads, trace } = stage;
    const visitor = new AbortController();
    const leaving = read('a', visitor.signal);
    visitor.abort();
    await Promise.allSettled([leaving]);
    const next = read('a');
    expect(loads).toHaveLength(2);
    expect(loads[1]?.signal.aborted).toBe(false);
    // The aborted load fails later. No reader gets its error.
    loads[0]?.reject(loads[0].signal.reason);
    loads[1]?.resolve({ version: 2 });
    expect(await next).toEqual({ version: 2 });
    expect(trace()).toEqual(['miss a', 'miss a']);
  });

  it('the late value of an aborted load does not replace a newer value', async ({ stage }) => {
    const { peek, read, loads } = stage;
    const visitor = new AbortController();
    const leaving = read('a', visitor.signal);
    visitor.abort();
    await Promise.allSettled([leaving]);
    const next = read('a');
    loads[1]?.resolve({ version: 2 });
    await next;
    loads[0]?.resolve({ version: 1 });
    await new Promise(resolve => setImmediate(resolve));
    expect(peek('a')).toEqual({ version: 2 });
  });

  it('a reader that leaves before its read begins causes no call', async ({
    stage: { read, loads, events },
  }) => {
    await expect(read('a', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(loads).toEqual([]);
    expect(events).toEqual([]);
  });

  it('a reader that leaves gets no stale content', async ({ stage }) => {
    const { clock, read, readNow, loads, trace } = stage;
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
  it('a failed load rejects when no older content exists, and the next reader loads again', async ({
    stage,
  }) => {
    const { readNow, readFailing, trace } = stage;
    const error = new Error('down');
    await expect(readFailing('a', error)).rejects.toBe(error);
    await expect(readFailing('a', error)).rejects.toBe(error);
    expect(await readNow('a', { version: 1 })).toEqual({ version: 1 });
    expect(trace()).toEqual(['miss a', 'failed a', 'miss a', 'failed a', 'miss a']);
  });

  it('a failed load returns the older content until stale-if-error ends', async ({ stage }) => {
    const { clock, readNow, readFailing, trace } = stage;
    const old = await readNow('a', { version: 1 });
    clock.ms += TTL_MS;
    expect(await readFailing('a', new Error('down'))).toBe(old);
    clock.ms += STALE_IF_ERROR_MS - 1;
    expect(await readFailing('a', new Error('down'))).toBe(old);
    clock.ms += 1;
    await expect(readFailing('a', new Error('down'))).rejects.toThrow('down');
    expect(trace()).toEqual([
      'miss a',
      ...['miss a', 'failed a', 'stale a'],
      ...['miss a', 'failed a', 'stale a'],
      ...['miss a', 'failed a'],
    ]);
  });

  it('the next reader retries a failed load, and the old content stays stale', async ({ stage }) => {
    const { clock, readNow, readFailing, trace } = stage;
    await readNow('a', { version: 1 });
    clock.ms += TTL_MS;
    await readFailing('a', new Error('down'));
    expect(await readNow('a', { version: 2 })).toEqual({ version: 2 });
    expect(trace()).toEqual(['miss a', 'miss a', 'failed a', 'stale a', 'miss a']);
  });

  it('every reader who joined a failed load gets the older content', async ({ stage }) => {
    const { clock, read, readNow, began, trace } = stage;
    await readNow('a', { version: 1 });
    clock.ms += TTL_MS;
    const reads = [read('a'), read('a')];
    began()[0]?.reject(new Error('down'));
    expect(await Promise.all(reads)).toEqual([{ version: 1 }, { version: 1 }]);
    expect(trace()).toEqual([
      ...['miss a', 'miss a', 'joined a'],
      ...['failed a', 'stale a'],
      ...['failed a', 'stale a'],
    ]);
  });

  it('a load that throws synchronously counts as a failed load', async ({ stage }) => {
    const { readEntry, readNow, requestOf, events } = stage;
    const fetch = () => {
      throw new Error('at once');
    };
    const request = { ...requestOf('a'), fetch };
    await expect(readEntry('a', undefined, request)).rejects.toThrow('at once');
    expect(events).toEqual(['miss a', 'failed a']);
    expect(await readNow('a', { version: 1 })).toEqual({ version: 1 });
  });
});
