import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { loadEnvFile } from '../server/config/env-file.ts';

loadEnvFile(process.env);

export const projectRoot = resolve(import.meta.dirname, '..');

/** The folder of the content. `npm run dev` and `npm start` pass the same variable to the server. */
export const contentDir = resolve(process.env.CONTENT_DIR || join(projectRoot, 'content'));

/** The folder of the brand, and that of the build. */
export const brandDir = resolve(projectRoot, process.env.BRAND_DIR || 'site/brand');
export const distDir = resolve(projectRoot, process.env.DIST_DIR || 'dist');

export type BuildMode = 'production' | 'development';

/** A file of the build in memory. `path` is relative to the output folder, with forward slashes. */
export interface OutputFile {
  readonly path: string;
  readonly contents: Uint8Array;
}

export function sha256(contents: Uint8Array | string): string {
  return createHash('sha256').update(contents).digest('hex');
}

/** Lists files by code units, without hidden ones. A missing folder is empty. */
export async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(resolve(projectRoot, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return names
    .filter(entry => entry.isFile() && !entry.name.startsWith('.'))
    .map(entry => toProjectPath(join(entry.parentPath, entry.name)))
    .sort();
}

/** @returns a path relative to the project, with forward slashes on every system. */
export function toProjectPath(absolutePath: string): string {
  return relative(projectRoot, absolutePath).replaceAll('\\', '/');
}

export async function writeFiles(folder: string, files: readonly OutputFile[]): Promise<void> {
  const folders = new Set(files.map(file => dirname(join(folder, file.path))));
  await Promise.all([...folders].map(path => mkdir(path, { recursive: true })));
  await Promise.all(files.map(file => writeFile(join(folder, file.path), file.contents)));
}
