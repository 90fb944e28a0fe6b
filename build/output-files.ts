import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { unlessMissing } from '../server/cache/disk/missing-file.ts';
import { loadEnvFile } from '../server/config/env-file.ts';

loadEnvFile(process.env);

export const projectRoot = resolve(import.meta.dirname, '..');

/** The folder of the content. `npm run dev` and `npm start` pass the same variable to the server. */
export const contentDir = resolve(process.env.CONTENT_DIR || join(projectRoot, 'content'));

export const brandDir = resolve(projectRoot, process.env.BRAND_DIR || 'site/brand');
export const distDir = resolve(projectRoot, process.env.DIST_DIR || 'dist');

export type BuildMode = 'production' | 'development';

/** A file of the build in memory. `path` is relative to the output folder, with forward slashes. */
export interface OutputFile {
  readonly path: string;
  readonly contents: Uint8Array;
}

/** Hashes names and bytes, but not times, which git changes. */
export function hashOf(files: readonly OutputFile[]): string {
  const hash = createHash('sha256');
  for (const { path, contents } of files) hash.update(`${path}\0${contents.length}\0`).update(contents);
  return hash.digest('hex');
}

/** Lists files, sorted by code units and without hidden ones. A missing folder is empty. */
export async function listFiles(folder: string): Promise<string[]> {
  const listing = readdir(resolve(projectRoot, folder), { recursive: true, withFileTypes: true });
  return ((await unlessMissing(listing)) ?? [])
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
