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
  // Never two renders without a turn for other work between them.
  expect(seen.join(' ')).not.toMatch(/\b[a-d] [a-d]\b/);
});

it('a turn after a pause comes as soon as one in a row', async () => {
  const turn = createTurns();
  await turn();
  await nextTurn();
  await Promise.all([turn(), turn()]);
});

it('a held turn serves the work that follows in it, and nobody else', async () => {
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

it('a held turn that has ended is waited for again, behind those who wait already', async () => {
  const seen: string[] = [];
  const turn = heldTurn();
  await turn();
  // As during a call to the backend.
  await nextTurn();
  await nextTurn();
  const other = ownTurn().then(() => seen.push('other work'));
  await turn();
  seen.push('render');
  await other;
  expect(seen).toEqual(['other work', 'render']);
});
