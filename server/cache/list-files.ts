import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from './missing-file.ts';

/** A file of a folder, by its name there. */
export interface ListedFile {
  name: string;
  stats: Stats;
}

/** Files that are looked at together. */
const BATCH = 64;

/**
 * Lists what a folder holds, some files at a time: a folder of many thousand files must not hold up the event loop. Files that another process removes
 * meanwhile are left out. Symbolic links are listed as themselves.
 *
 * @throws the system's error, such as ENOENT for a missing folder.
 */
export async function* listFiles(dir: string): AsyncGenerator<ListedFile[], void> {
  let names: string[] = [];
  for await (const { name } of await opendir(dir, { bufferSize: BATCH })) {
    names.push(name);
    if (names.length < BATCH) continue;
    yield await withStats(dir, names);
    names = [];
  }
  yield await withStats(dir, names);
}

async function withStats(dir: string, names: readonly string[]): Promise<ListedFile[]> {
  const files = await Promise.all(
    names.map(async name => {
      const stats = await unlessMissing(lstat(path.join(dir, name)));
      return stats === null ? [] : [{ name, stats }];
    }),
  );
  return files.flat();
}
