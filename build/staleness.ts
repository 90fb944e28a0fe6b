import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, projectRoot } from './output-files.ts';

// Imports nothing but Node's own modules: with a fresh dist, `npm start` needs no other package.

const FOLDERS = ['server', 'client', 'shared', 'build'];
const FILES = ['esbuild.config.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** Where a build notes the sources it was made from, below the output folder. */
export const BUILT_FROM = '.built-from';

/** @returns a hash over the names and bytes of everything a build is made from. Contents, not times: git sets those anew. */
export async function inputsHash(): Promise<string> {
  const files = [...(await Promise.all(FOLDERS.map(listFiles))).flat(), ...FILES];
  const contents = await Promise.all(files.map(file => readFile(join(projectRoot, file))));
  const hash = createHash('sha256');
  files.forEach((file, index) => {
    const bytes = contents[index] ?? Buffer.alloc(0);
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  });
  return hash.digest('hex');
}

/** @returns whether `dist` is missing or was made from other sources. */
export async function isStale(): Promise<boolean> {
  const builtFrom = await readFile(join(projectRoot, 'dist', BUILT_FROM), 'utf8').catch(() => null);
  return builtFrom !== (await inputsHash());
}
