import { mkdir, readdir, readFile, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { DiskHealth } from '../cache/disk-health.ts';
import { listFiles } from '../cache/list-files.ts';
import { unlessMissing } from '../cache/missing-file.ts';
import { writeFileAtomically } from '../cache/write-file-atomically.ts';
import type { Logger } from '../ops/log.ts';

const HOUR_MS = 3_600_000;
/** How often a process has to call `keep`, so that the files of its build count as used. */
export const KEEP_EVERY_MS = HOUR_MS;
/** Files that no process has used for this time are removed, unless stale pages may name them for longer. */
const UNUSED_FOR_MS = 7 * 24 * HOUR_MS;
/** File names that the build gives. Other names are not looked for on the disk. */
const ASSET_NAME = /^[\w-]+(?:\.[\w-]+)*\.(?:js|css|woff2)$/;
const BUILD_ID = /^[0-9a-f]{16}$/;

/**
 * The assets of earlier builds, so that a tab that was opened before a deploy can still load its chunks. All builds share one folder, because a
 * file's name contains the hash of its contents. Several processes may share it, too.
 */
export interface EarlierBuilds {
  /**
   * Copies the running build's assets into the folder, marks them as used now, and removes files that no build has used for long. Logs a
   * failure and never rejects. Copies again whenever the data folder can be written again.
   */
  keep(assetsDir: string): Promise<void>;
  /** @returns an asset of any build, or null. */
  find(name: string): Promise<Buffer | null>;
}

export interface EarlierBuildsOptions {
  /** `DATA_DIR/assets`, or ASSETS_DIR. */
  dir: string;
  /** How long caches may serve a stale page, which names the files of its build, in ms. */
  staleIfErrorMs: number;
  log: Logger;
  health: DiskHealth;
}

export function createEarlierBuilds({
  dir,
  staleIfErrorMs,
  log,
  health,
}: EarlierBuildsOptions): EarlierBuilds {
  const unusedForMs = Math.max(staleIfErrorMs, UNUSED_FOR_MS) + KEEP_EVERY_MS;
  let copied: string | null = null;

  async function copy(assetsDir: string): Promise<void> {
    try {
      await mkdir(dir, { recursive: true });
      await openFolders(dir);
      for (const name of await readdir(assetsDir)) {
        if (ASSET_NAME.test(name)) await keepFile(path.join(assetsDir, name), path.join(dir, name));
      }
      await removeUnused(dir, Date.now() - unusedForMs);
    } catch (error) {
      if (await health.explains(error)) return;
      log.warn({ err: error, folder: dir }, 'the assets of this build could not be kept for open tabs');
    }
  }

  return {
    keep(assetsDir) {
      if (copied === null) health.onRecovery(() => void copy(assetsDir));
      copied = assetsDir;
      return copy(assetsDir);
    },

    async find(name) {
      return ASSET_NAME.test(name) ? readFile(path.join(dir, name)).catch(() => null) : null;
    },
  };
}

/** Marks a file as used now. A missing one is copied. */
async function keepFile(source: string, target: string): Promise<void> {
  if (!(await markAsUsed(target))) await writeFileAtomically(target, await readFile(source));
}

/** @returns false for a missing file. */
async function markAsUsed(file: string): Promise<boolean> {
  const now = new Date();
  return (await unlessMissing(utimes(file, now, now).then(() => true))) ?? false;
}

/** Removes assets that were last used before a time, and drafts that a crash has left. */
async function removeUnused(dir: string, before: number): Promise<void> {
  for await (const files of listFiles(dir)) {
    for (const { name, stats } of files) {
      if (stats.mtimeMs < before && (ASSET_NAME.test(name) || name.endsWith('.part')))
        await rm(path.join(dir, name), { force: true });
    }
  }
}

/** Moves assets up out of the folders, one for each build, in which earlier versions kept them. */
async function openFolders(dir: string): Promise<void> {
  const entries = await readdir(dir, { withFileTypes: true });
  const folders = entries.filter(entry => entry.isDirectory() && BUILD_ID.test(entry.name));
  for (const { name: folder } of folders) {
    for (const name of (await unlessMissing(readdir(path.join(dir, folder)))) ?? []) {
      if (!ASSET_NAME.test(name)) continue;
      await unlessMissing(rename(path.join(dir, folder, name), path.join(dir, name)));
      await markAsUsed(path.join(dir, name));
    }
    await rm(path.join(dir, folder), { recursive: true, force: true });
  }
}
