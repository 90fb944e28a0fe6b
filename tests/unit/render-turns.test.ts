import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns, heldTurn, ownTurn } from '../../server/ops/turns.ts';

it('each turn of the event loop has one render, in the order of the calls', async () => {
  const turn = createTurns();
  const seen: string[] = [];
  const renders = ['a', 'b', 'c', 'd'].map(async name => {
    await turn();
    seen.push(name);
  });
  for (let round = 0; round < 4; round += 1) {
    await nextTurn();
    seen.push('other work');
  }
  await Promise.all(renders);
  expect(seen.filter(name => name !== 'other work')).toEqual(['a', 'b', 'c', 'd']);
  // Other work has a turn between any two renders.
  expect(seen.join(' ')).not.toMatch(/\b[a-d] [a-d]\b/);
});

it('a turn after a pause comes as soon as one in a series', async () => {
  const turn = createTurns();
  await turn();
  await nextTurn();
  await Promise.all([turn(), turn()]);
});

it('a held turn is only for its own work', async () => {
  const seen: string[] = [];
  const renders = ['a', 'b'].map(async name => {
    const turn = heldTurn();
    await turn();
    seen.push(`${name} reads`);
    await turn();
    seen.push(`${name} renders`);
  });
  const other = ownTurn().then(() => seen.push('other work'));
  await Promise.all([...renders, other]);
  expect(seen).toEqual(['a reads', 'a renders', 'b reads', 'b renders', 'other work']);
});

it('a held turn that has ended is queued again behind work that already waits', async () => {
  const seen: string[] = [];
  const turn = heldTurn();
  await turn();
  // A call to the backend takes several turns like these.
  await nextTurn();
  await nextTurn();
  const other = ownTurn().then(() => seen.push('other work'));
  await turn();
  seen.push('render');
  await other;
  expect(seen).toEqual(['other work', 'render']);
});
