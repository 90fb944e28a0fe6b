import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type BuiltSite, type BuiltSiteOptions, startBuiltSite } from '../faults/built-site.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');

/** A brand of `tests/brands`, with content in its language. */
export interface BuiltBrand {
  readonly name: string;
  /** @returns the path of a file of the build. */
  inDist(file: string): string;
  /** Starts the built site with the content of the brand. */
  start(options?: Pick<BuiltSiteOptions, 'env' | 'unready'>): Promise<BuiltSite>;
}

/** Builds a brand, unless the last build has the same sources. */
export async function buildBrand(name: string): Promise<BuiltBrand> {
  const folder = path.join(PROJECT, 'tests/brands', name);
  const distDir = path.join(PROJECT, '.cache/brands', name);
  await promisify(execFile)(process.execPath, ['esbuild.config.mjs', '--if-stale'], {
    cwd: PROJECT,
    env: { ...process.env, BRAND_DIR: path.join(folder, 'brand'), DIST_DIR: distDir },
  });
  const inDist = (file: string) => path.join(distDir, file);
  return {
    name,
    inDist,
    start: ({ env, ...options } = {}) =>
      startBuiltSite({
        main: inDist('server/main.js'),
        env: { CONTENT_DIR: path.join(folder, 'content'), ...env },
        ...options,
      }),
  };
}
