import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';

/** @returns the folder of the only backend in a data folder. */
export async function backendDirOf(dataDir: string): Promise<string> {
  const folders = await readdir(path.join(dataDir, 'backends'));
  expect(folders).toHaveLength(1);
  return path.join(dataDir, 'backends', folders[0] ?? '');
}
