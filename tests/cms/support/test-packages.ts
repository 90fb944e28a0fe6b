import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { installIfStale } from '../../../build/cms/prepare.ts';
import { projectRoot } from '../../../build/output-files.ts';

/**
 * @returns the folder with the packages of `tests/cms/{name}`. It is outside the source folders,
 *   because other tests read every file in those.
 */
export const testPackages = (name: string): string => path.join(projectRoot, '.test-packages', name);

/**
 * Installs the packages of `tests/cms/{name}` if they are missing or stale.
 * @param what the packages and their size, to explain the wait
 */
export function installTestPackages(name: string, what: string): void {
  const folder = testPackages(name);
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(path.resolve(import.meta.dirname, '..', name, file), path.join(folder, file));
  installIfStale(folder, what);
}
