import { writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openProcessFile } from '../../server/cache/disk/process-file.ts';
import { SavedInvalidationLog } from '../../server/cache/tags/saved-invalidations.ts';
import { createLogger } from '../../server/ops/log.ts';
import { processFiles, readProcessFile } from '../support/process-files.ts';

const it = test.extend('stage', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'process-file-'));
  // Removal is retried, because a process that has read the files of others writes its own file at once.
  onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const file = path.join(folder, 'words.json');
  const log = createLogger('silent');
  /** Opens the file as a process that stores words in it does. */
  const open = () => {
    const words = new Set<string>();
    const saved = openProcessFile({
      ...{ name: 'words', file, log },
      decode: value => z.array(z.string()).parse(value),
      restore(found) {
        for (const word of found) words.add(word);
      },
      value: () => [...words],
    });
    return {
      words,
      settled: saved.settled,
      async add(word: string) {
        words.add(word);
        saved.changed();
        await saved.settled();
      },
    };
  };
  return { folder, file, log, open };
});

const sorted = (words: Iterable<string>) => [...words].sort();

describe('the file of a process', () => {
  it('each process writes a separate file, and the next process reads all of them', async ({
    stage: { folder, file, open },
  }) => {
    const [one, other] = [open(), open()];
    await one.add('one');
    await other.add('other');
    expect(await readdir(folder)).toHaveLength(2);
    const next = open();
    expect(sorted(next.words)).toEqual(['one', 'other']);
    await next.settled();
    expect(sorted((await readProcessFile(file)) as string[])).toEqual(['one', 'other']);
    // A running process rewrites everything that it knows.
    await one.add('late');
    expect(sorted(open().words)).toEqual(['late', 'one', 'other']);
  });

  it('the files of earlier processes are read in the order of their age', async ({
    stage: { folder, open },
  }) => {
    for (const [name, second] of [
      ['a', 2],
      ['b', 1],
      ['c', 3],
    ] as const) {
      const file = path.join(folder, `words.${name}.json`);
      await writeFile(file, JSON.stringify([name]));
      await utimes(file, second, second);
    }
    const next = open();
    expect([...next.words]).toEqual(['b', 'a', 'c']);
    await next.settled();
  });

  it('an entry written between the reading and the deletion of a file is kept', async ({
    stage: { file, open },
  }) => {
    await open().add('early');
    const [written = ''] = await processFiles(file);
    const next = open();
    writeFileSync(written, '["early","late"]');
    await next.settled();
    expect(await readProcessFile(file)).toEqual(['early', 'late']);
    expect(sorted(next.words)).toEqual(['early', 'late']);
  });

  it('no entry is lost when a process ends before writing, or when many start at once', async ({
    stage: { folder, open },
  }) => {
    await open().add('word');
    // The first process reads the file, and ends before it writes.
    const started = Array.from({ length: 8 }, open);
    for (const { words } of started) expect([...words]).toEqual(['word']);
    await Promise.all(started.map(one => one.settled()));
    expect([...open().words]).toEqual(['word']);
    expect((await readdir(folder)).length).toBeLessThanOrEqual(8);
  });

  it('a damaged file counts as empty, and the other files are read', async ({ stage: { file, open } }) => {
    await writeFile(file.replace('.json', '.of-one.json'), '["former"]');
    await writeFile(file.replace('.json', '.of-another.json'), '["dam');
    const next = open();
    expect([...next.words]).toEqual(['former']);
    await next.settled();
    expect(await readProcessFile(file)).toEqual(['former']);
  });
});

describe('the invalidation logs of processes that share a folder', () => {
  it('merged invalidation logs of several processes keep the later versions, all removals and the last position', async ({
    stage: { file, log },
  }) => {
    let time = 1_000;
    const open = () => new SavedInvalidationLog({ file, log, now: () => time });
    const [one, other] = [open(), open()];
    one.note(['articles:1'], true, '5-0' as never);
    one.note(['articles:2#old'], false);
    time = 2_000;
    other.note(['articles:1'], false, '7-0' as never);
    other.note(['articles:2#new'], false);
    await Promise.all([one.settled(), other.settled()]);
    // The order of reading must not matter.
    for (const order of [1, -1]) {
      const folder = path.dirname(file);
      for (const [at, name] of (await readdir(folder)).sort().entries())
        await utimes(path.join(folder, name), 1_000 + order * at, 1_000 + order * at);
      const next = open();
      expect(next.last('articles:1')).toMatchObject({ invalidatedAt: 2_000, removedAt: 1_000 });
      expect(next.last('articles:2')).toMatchObject({ version: 'new', invalidatedAt: 2_000 });
      expect(next.position()).toBe('7-0');
      expect(next.removedAfterPosition(['articles:1'], '4-0' as never)).toBe(true);
      expect(next.removedAfterPosition(['articles:1'], '5-0' as never)).toBe(false);
    }
  });
});
