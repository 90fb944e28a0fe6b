import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from './missing-file.ts';

const BATCH = 64;

/**
 * Lists a folder in batches, so that a large folder does not block the event loop. Leaves out files that are
 * removed during the listing.
 * @throws the system's error, such as ENOENT.
 */
export async function* listFiles(dir: string) {
  let names: string[] = [];
  for await (const { name } of await opendir(dir, { bufferSize: BATCH })) {
    names.push(name);
    if (names.length < BATCH) continue;
    yield await withStats(dir, names);
    names = [];
  }
  yield await withStats(dir, names);
}

async function withStats(dir: string, names: readonly string[]) {
  const files = await Promise.all(
    names.map(async name => {
      const stats = await unlessMissing(lstat(path.join(dir, name)));
      return stats === null ? [] : [{ name, stats }];
    }),
  );
  return files.flat();
}
