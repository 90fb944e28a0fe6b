// node tests/support/draw-prose.ts [SEED]
//
// Prints 60 randomly drawn comments, test titles and log messages, for readers who judge them. Equal seeds
// draw equal texts.

import { commentsIn, messagesOfLog, type Prose, titlesOfTests } from './read-prose.ts';

const GROUPS: readonly (readonly [kind: string, count: number, texts: () => Prose[]])[] = [
  ['comment', 30, () => commentsIn(['server', 'client', 'shared', 'build', 'site'])],
  ['comment of a test', 5, () => commentsIn(['tests'])],
  ['title of a test', 17, titlesOfTests],
  ['log message', 8, () => messagesOfLog('server')],
];

/** @returns a generator of numbers from 0 to 1 by mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(Number(process.argv[2] ?? 1));
const drawn = GROUPS.flatMap(([kind, count, texts]) => {
  const pool = texts();
  return Array.from({ length: Math.min(count, pool.length) }, () => ({
    kind,
    texts: pool.splice(Math.floor(random() * pool.length), 1),
  }));
});
const lines = drawn.flatMap(({ kind, texts }) =>
  texts.map(({ file, line, text }) => `(${kind}) ${text}\n   ${file}:${line}`),
);
process.stdout.write(`${lines.map((line, index) => `${index + 1}. ${line}`).join('\n')}\n`);
