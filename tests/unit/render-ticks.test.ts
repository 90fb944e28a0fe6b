import { setImmediate as nextTick } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { beforeTicks, createTicks, heldTick, ownTick } from '../../server/ops/slices.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('each tick runs one render, in the order of the calls', async () => {
  const tick = createTicks();
  const seen: string[] = [];
  const renders = ['a', 'b', 'c', 'd'].map(async name => {
    await tick();
    seen.push(name);
  });
  for (let round = 0; round < 4; round += 1) {
    await nextTick();
    seen.push('other work');
  }
  await Promise.all(renders);
  expect(seen.filter(name => name !== 'other work')).toEqual(['a', 'b', 'c', 'd']);
  // Other work runs between any two renders.
  expect(seen.join(' ')).not.toMatch(/\b[a-d] [a-d]\b/);
});

it('tick() also resolves after a pause, and for two callers at once', async () => {
  const tick = createTicks();
  await tick();
  await nextTick();
  await Promise.all([tick(), tick()]);
});

it('during a held tick, only the work of its holder runs', async () => {
  const seen: string[] = [];
  const renders = ['a', 'b'].map(async name => {
    const tick = heldTick();
    await tick();
    seen.push(`${name} reads`);
    await tick();
    seen.push(`${name} renders`);
  });
  const other = ownTick().then(() => seen.push('other work'));
  await Promise.all([...renders, other]);
  expect(seen).toEqual(['a reads', 'a renders', 'b reads', 'b renders', 'other work']);
});

it('work whose held tick has ended waits for work that was queued earlier', async () => {
  const seen: string[] = [];
  const tick = heldTick();
  await tick();
  // The held tick ends. A call to the backend takes several such ticks.
  await nextTick();
  await nextTick();
  const other = ownTick().then(() => seen.push('other work'));
  await tick();
  seen.push('render');
  await other;
  expect(seen).toEqual(['other work', 'render']);
});

it('a tick waits for urgent work, and for 10 ms at most', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  const tick = createTicks();
  const seen: string[] = [];
  const work = Promise.withResolvers<void>();
  const urgent = beforeTicks(() => work.promise);
  const renders = Promise.all(['a', 'b'].map(name => tick().then(() => seen.push(name))));
  await nextTick();
  await vi.advanceTimersByTimeAsync(9);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual(['a']);
  await nextTick();
  await vi.advanceTimersByTimeAsync(9);
  expect(seen).toEqual(['a']);
  work.resolve();
  await urgent;
  await vi.advanceTimersByTimeAsync(1);
  await renders;
  expect(seen).toEqual(['a', 'b']);
});
