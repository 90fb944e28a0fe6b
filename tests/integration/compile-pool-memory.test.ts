import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createCompilePool } from '../../server/rich-text/compiling/compile-pool.ts';
import { COMPILE_WORKER } from '../support/compile-pool.ts';
import { eventually } from '../support/eventually.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('the rich text threads keep no compiled text in memory', async ({ onTestFinished }) => {
  const pool = createCompilePool({ file: COMPILE_WORKER });
  onTestFinished(() => pool.close());
  const results: WeakRef<object>[] = [];
  const media = { contentBaseUrl: 'http://backend', mediaOrigins: [] };
  for (let number = 0; number < 20; number += 1) {
    const text = { source: `A *text*, number ${number}`, isJson: false, isPlain: false, media };
    const { size } = await pool.compile({ ...text, maxSize: { nodes: 100, characters: 1_000 } });
    results.push(new WeakRef(size));
  }
  await eventually(async () => {
    collectGarbage();
    await nextTurn();
    // The last result may still be on the stack.
    expect(results.slice(0, -1).filter(result => result.deref())).toEqual([]);
  });
});
