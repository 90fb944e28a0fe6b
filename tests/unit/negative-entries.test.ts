import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NegativeEntry, openNegativeEntries } from '../../server/cache/disk/negative-entries.ts';
import { createLogger } from '../../server/ops/log.ts';
import { readProcessFile } from '../support/process-files.ts';

const REWRITE_AFTER_MS = 1_000;

const it = test.extend('stage', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'absences-'));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'backend', 'absences.json');
  const lines: { level: string; code: string }[] = [];
  const log = createLogger('debug', { write: line => void lines.push(JSON.parse(line)) });
  const open = (inFile = file) =>
    openNegativeEntries({ file: inFile, rewriteAfterMs: REWRITE_AFTER_MS, log });
  return { folder, file, lines, open };
});

const absence = (key: string, generatedAt = 1): NegativeEntry => ({ key, generatedAt, tags: ['pages'] });

describe('negative entries', () => {
  it('negative entries survive a restart, whatever their keys', async ({ stage: { folder, open } }) => {
    const absences = fc.uniqueArray(
      fc.record({ key: fc.string({ unit: 'grapheme' }), generatedAt: fc.nat(), tags: fc.array(fc.string()) }),
      { selector: ({ key }) => key },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(absences, async generated => {
        run += 1;
        const file = path.join(folder, `${run}.json`);
        const first = open(file);
        first.keep(generated);
        await first.settled();
        const next = open(file);
        expect(generated.map(({ key }) => next.get(key))).toEqual(generated);
      }),
      { numRuns: 30 },
    );
  });

  it('at most 10,000 negative entries are stored, and the oldest are evicted first', async ({
    stage: { open, file },
  }) => {
    const first = open();
    first.keep(Array.from({ length: 10_000 }, (_, index) => absence(`k${index}`)));
    first.keep([absence('k0')]);
    first.keep([absence('one more'), absence('and another')]);
    await first.settled();
    expect(await readProcessFile(file)).toHaveLength(10_000);
    const next = open();
    const kept = ['k0', 'k1', 'k2', 'k3', 'one more', 'and another'].map(key => next.get(key) !== null);
    expect(kept).toEqual([true, false, false, true, true, true]);
    next.keep([absence('a third')]);
    expect([next.get('k3'), next.get('k0')], 'the order outlives the process').toEqual([null, absence('k0')]);
  });

  it('a newer negative entry is written again only after a minimum time', async ({ stage: { open } }) => {
    const kept = open();
    kept.keep([absence('a', 1)]);
    kept.keep([absence('a', 1 + REWRITE_AFTER_MS)]);
    expect(kept.get('a')?.generatedAt).toBe(1);
    kept.keep([absence('a', 2 + REWRITE_AFTER_MS)]);
    await kept.settled();
    expect(open().get('a')?.generatedAt).toBe(2 + REWRITE_AFTER_MS);
  });

  it('a removed negative entry stays removed after a restart', async ({ stage: { open } }) => {
    const kept = open();
    kept.keep([absence('a'), absence('b')]);
    await kept.settled();
    kept.remove('a');
    await kept.settled();
    expect([open().get('a'), open().get('b')]).toEqual([null, absence('b')]);
  });

  it.for(['', '{', '{"a":1}', '[["a",1]]', '[[1,2,[]]]'])(
    'a damaged file of negative entries counts as empty, and is logged: %s',
    async (contents, { stage: { open, folder, lines } }) => {
      const file = path.join(folder, 'absences.json');
      await writeFile(file, contents);
      const kept = open(file);
      expect(kept.get('a')).toBeNull();
      expect(lines).toMatchObject([{ level: 'warn', code: 'cache-file-damaged' }]);
      kept.keep([absence('a')]);
      await kept.settled();
      expect(open(file).get('a')).toEqual(absence('a'));
    },
  );
});
