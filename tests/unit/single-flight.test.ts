import { describe, expect, it } from 'vitest';
import { SingleFlight } from '../../server/cache/single-flight.ts';

/** Work whose promise the test settles. */
interface Work {
  signal: AbortSignal;
  resolve(value: string): void;
  reject(error: unknown): void;
}

function startFlights() {
  const flights = new SingleFlight();
  const works: Work[] = [];
  const run = (key: string, signal?: AbortSignal) =>
    flights.run(
      key,
      own => new Promise<string>((resolve, reject) => works.push({ signal: own, resolve, reject })),
      signal,
    );
  return { flights, works, run };
}

describe('shared work', () => {
  it('shared work runs once, and each caller gets its result', async () => {
    const { flights, works, run } = startFlights();
    const waiting = Array.from({ length: 1_000 }, () => run('a'));
    expect(works).toHaveLength(1);
    expect(flights.size).toBe(1);
    expect(flights.has('a')).toBe(true);
    works[0]?.resolve('done');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']));
    expect(flights.size).toBe(0);
    expect(works[0]?.signal.aborted).toBe(false);
  });

  it('shared work runs once for each key', async () => {
    const { works, run } = startFlights();
    const both = [run('a'), run('b')];
    works[0]?.resolve('A');
    works[1]?.resolve('B');
    expect(await Promise.all(both)).toEqual(['A', 'B']);
  });

  it('shared work runs again for a request after its end', async () => {
    const { works, run } = startFlights();
    const first = run('a');
    works[0]?.resolve('one');
    await first;
    const second = run('a');
    works[1]?.resolve('two');
    expect(await second).toBe('two');
  });

  it('shared work that fails rejects for each caller, and the next caller starts it again', async () => {
    const { works, run } = startFlights();
    const all = [run('a'), run('a')];
    works[0]?.reject(new Error('broken'));
    for (const outcome of await Promise.allSettled(all))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'broken' } });
    const next = run('a');
    works[1]?.resolve('well');
    expect(await next).toBe('well');
  });

  it('shared work that throws synchronously rejects', async () => {
    const flights = new SingleFlight();
    const thrown = flights.run('a', () => {
      throw new Error('at once');
    });
    await expect(thrown).rejects.toThrow('at once');
    expect(flights.size).toBe(0);
  });
});

describe('a caller that leaves', () => {
  it('a leaving caller gets the reason of its signal at once, and the others get the result', async () => {
    const { works, run } = startFlights();
    const leaver = new AbortController();
    const [left, stays] = [run('a', leaver.signal), run('a')];
    leaver.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(works[0]?.signal.aborted).toBe(false);
    works[0]?.resolve('done');
    expect(await stays).toBe('done');
  });

  it('the last leaving caller aborts the work, and the next caller starts it again', async () => {
    const { flights, works, run } = startFlights();
    const leavers = Array.from({ length: 3 }, () => new AbortController());
    const left = leavers.map(({ signal }) => run('a', signal));
    for (const [index, leaver] of leavers.entries()) {
      expect(works[0]?.signal.aborted).toBe(false);
      leaver.abort(new Error('gone'));
      await expect(left[index]).rejects.toThrow('gone');
    }
    expect(works[0]?.signal.aborted).toBe(true);
    expect(flights.size).toBe(0);

    const next = run('a');
    expect(works).toHaveLength(2);
    // The aborted work ends late. The new work continues.
    works[0]?.reject(new Error('late'));
    await Promise.resolve();
    expect(flights.has('a')).toBe(true);
    works[1]?.resolve('fresh');
    expect(await next).toBe('fresh');
  });

  it('a caller with an aborted signal starts nothing', async () => {
    const { works, run } = startFlights();
    await expect(run('a', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(works).toHaveLength(0);
  });

  it('a caller that leaves after the end of the work changes nothing', async () => {
    const { works, run } = startFlights();
    const visitor = new AbortController();
    const done = run('a', visitor.signal);
    works[0]?.resolve('done');
    expect(await done).toBe('done');
    visitor.abort();
    expect(works[0]?.signal.aborted).toBe(false);
  });
});

describe('idle', () => {
  it('idle() resolves at once when nothing is in flight', async () => {
    await startFlights().flights.idle();
  });

  it('idle() resolves when the last work has ended, even if its callers have left', async () => {
    const { flights, works, run } = startFlights();
    const leaver = new AbortController();
    const [a, b] = [run('a'), run('b', leaver.signal)];
    let isIdle = false;
    const idle = flights.idle().then(() => {
      isIdle = true;
    });
    works[0]?.resolve('done');
    await a;
    await new Promise(resolve => setImmediate(resolve));
    expect(isIdle).toBe(false);
    leaver.abort(new Error('gone'));
    await expect(b).rejects.toThrow('gone');
    await idle;
    expect(flights.size).toBe(0);
  });
});
