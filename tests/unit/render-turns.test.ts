import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns } from '../../server/ops/turns.ts';

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
