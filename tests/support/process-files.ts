import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * @returns the files that processes have written under a name with their ids added, such as
 *   `…/absences.json`.
 */
export async function processFiles(file: string): Promise<string[]> {
  const { dir, name } = path.parse(file);
  const found: string[] = [];
  for await (const other of glob(`${name}.*.json`, { cwd: dir })) found.push(path.join(dir, other));
  return found;
}

/**
 * @returns the content of the only file that `processFiles` finds. @throws Error for no file, or more than
 *   one.
 */
export async function readProcessFile(file: string): Promise<unknown> {
  const [own, ...others] = await processFiles(file);
  if (own === undefined || others.length > 0)
    throw new Error(`There are ${others.length + (own ? 1 : 0)} files of processes for ${file}`);
  return JSON.parse(await readFile(own, 'utf8'));
}
