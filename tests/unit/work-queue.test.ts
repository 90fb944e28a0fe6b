import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../../server/cache/work-queue.ts';

/** Work that ends when the test calls `end()`. */
function heldWork(queue: WorkQueue, isAlone = false) {
  const held = Promise.withResolvers<void>();
  const leaving = new AbortController();
  let hasBegun = false;
  const done = queue.run(
    () => {
      hasBegun = true;
      return held.promise;
    },
    leaving.signal,
    { isAlone },
  );
  return { done, end: held.resolve, leave: () => leaving.abort(), hasBegun: () => hasBegun };
}

describe('a queue of work', () => {
  it('exclusive work begins after all earlier work has ended, and later work waits for its end', async () => {
    const queue = new WorkQueue({ concurrency: 2 });
    const [first, alone, last] = [heldWork(queue), heldWork(queue, true), heldWork(queue)];
    expect(queue.work).toEqual({ running: 1, waiting: 2 });
    first.end();
    await first.done;
    await setImmediate();
    expect([alone.hasBegun(), last.hasBegun()]).toEqual([true, false]);
    alone.end();
    await alone.done;
    await setImmediate();
    expect(last.hasBegun()).toBe(true);
    last.end();
    await last.done;
    expect(queue.work).toEqual({ running: 0, waiting: 0 });
  });

  it('aborted waiting work no longer blocks the work behind it', async () => {
    const queue = new WorkQueue({ concurrency: 2 });
    const [first, alone, last] = [heldWork(queue), heldWork(queue, true), heldWork(queue)];
    alone.leave();
    await expect(alone.done).rejects.toThrow('aborted');
    await setImmediate();
    expect([alone.hasBegun(), last.hasBegun()]).toEqual([false, true]);
    expect(queue.work).toEqual({ running: 2, waiting: 0 });
    first.end();
    last.end();
    await Promise.all([first.done, last.done]);
  });

  it('failed work frees its place', async () => {
    const queue = new WorkQueue({ concurrency: 1, maxWaiting: 0 });
    const signal = new AbortController().signal;
    await expect(queue.run(() => Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
    expect(await queue.run(async () => 'done', signal)).toBe('done');
  });

  it('running work keeps its place when its caller leaves', async () => {
    const queue = new WorkQueue({ concurrency: 1, maxWaiting: 0 });
    const first = heldWork(queue);
    first.leave();
    await expect(heldWork(queue).done).rejects.toMatchObject({ statusCode: 503 });
    first.end();
    await first.done;
  });
});
