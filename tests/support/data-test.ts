import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { outboxTest } from './outbox-test.ts';
import { DIST_DIR } from './start-site.ts';

export const COMMAND = path.join(DIST_DIR, 'server/data.js');

/** Runs `npm run data` in a process. @returns all output. */
export async function runData(dataDir: string, ...args: readonly string[]) {
  try {
    const env = { NODE_ENV: 'production', DATA_DIR: dataDir };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [COMMAND, ...args], { env });
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: stdout + stderr };
  }
}

/**
 * @returns the contents of all files in a folder, by name. Links have the contents null. Files of the build
 *   are missing: a process shares them while it runs.
 */
export async function contentsOf(folder: string): Promise<Map<string, string | null>> {
  for (;;) {
    try {
      return await listedContents(folder);
    } catch (error) {
      // A running site renames and removes files between the list and the read.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

async function listedContents(folder: string): Promise<Map<string, string | null>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter(
    one => !one.isDirectory() && path.relative(folder, one.parentPath).split(path.sep)[0] !== 'assets',
  );
  const contents = files.map(async one => {
    const file = path.join(one.parentPath, one.name);
    return [path.relative(folder, file), one.isFile() ? await readFile(file, 'latin1') : null] as const;
  });
  return new Map((await Promise.all(contents)).sort(([a], [b]) => a.localeCompare(b)));
}

/** Gives each test a data folder, a second one, and processes of the built site on either. */
export const dataTest = outboxTest
  .extend('elsewhere', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'elsewhere-'));
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return path.join(folder, 'data');
  })
  .extend('built', async ({ backend }, { onCleanup }) => {
    const sites: BuiltSite[] = [];
    onCleanup(async () => {
      await Promise.all(sites.map(site => site.dispose()));
    });
    return async (dataDir: string): Promise<BuiltSite> => {
      const env = { FORM_RATE_LIMIT: '100000', CONTENT_SWEEP_MS: '0' };
      const site = await startBuiltSite({ contentBaseUrl: backend.url, dataDir, env });
      sites.push(site);
      return site;
    };
  });
