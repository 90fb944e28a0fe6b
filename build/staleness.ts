import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brandDir, distDir, hashOf, listFiles, projectRoot } from './output-files.ts';

// Import only modules of Node here, so that `npm start` with a fresh dist needs no package.

const FOLDERS = ['server', 'client', 'shared', 'site', 'build', brandDir];
const FILES = ['esbuild.config.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** The file in the output folder with the hash of the sources. */
export const BUILT_FROM = '.built-from';

export async function inputsHash(): Promise<string> {
  const files = [...(await Promise.all(FOLDERS.map(listFiles))).flat(), ...FILES];
  return hashOf(
    await Promise.all(files.map(async path => ({ path, contents: await readFile(join(projectRoot, path)) }))),
  );
}

export async function isStale(): Promise<boolean> {
  const builtFrom = await readFile(join(distDir, BUILT_FROM), 'utf8').catch(() => null);
  return builtFrom !== (await inputsHash());
}
