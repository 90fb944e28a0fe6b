import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, type OutputFile, projectRoot } from './output-files.ts';

/** @returns the files of `client/static`, which the build takes over as they are. */
export async function readStaticFiles(): Promise<OutputFile[]> {
  // `client/static/x` becomes `dist/client/static/x`: the path is the same.
  const files = await listFiles('client/static');
  return Promise.all(files.map(async path => ({ path, contents: await readFile(join(projectRoot, path)) })));
}
