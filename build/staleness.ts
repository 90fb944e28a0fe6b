import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brandDir, distDir, listFiles, projectRoot } from './output-files.ts';

// Import only modules of Node here, so that `npm start` with a fresh dist needs no package.

const FOLDERS = ['server', 'client', 'shared', 'site', 'build', brandDir];
const FILES = ['esbuild.config.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** The file in the output folder with the hash of the sources. */
export const BUILT_FROM = '.built-from';

/** Hashes names and bytes of all sources, but not times, which git changes. */
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

export async function isStale(): Promise<boolean> {
  const builtFrom = await readFile(join(distDir, BUILT_FROM), 'utf8').catch(() => null);
  return builtFrom !== (await inputsHash());
}
