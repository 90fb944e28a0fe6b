import { mkdir, readdir, readFile, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { DiskHealth } from '../cache/disk-health.ts';
import { listFiles } from '../cache/list-files.ts';
import { unlessMissing } from '../cache/missing-file.ts';
import { writeFileAtomically } from '../cache/write-file-atomically.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../ops/log.ts';
import { createSharedAssets, type SharedAssets } from '../shared-state/shared-assets.ts';
import type { SharedStore } from '../shared-state/shared-store.ts';
import { SharedStoreError } from '../shared-state/shared-store-error.ts';

const HOUR_MS = 3_600_000;
/** How often a process has to call `keep`, so that the files of its build count as used. */
export const KEEP_EVERY_MS = HOUR_MS;
/** How often the assets are given to the shared store, which may have lost them, in ms. */
const SHARE_EVERY_MS = 60_000;
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
  /**
   * Gives the running build's assets to the other replicas, which may be asked for them as soon as this one answers pages. Resolves without having
   * done so where the shared store does not work. Does so again every minute, and whenever the store is back: it may have lost them.
   */
  share(assetsDir: string): Promise<void>;
  /** @returns an asset of any build, of this replica or of another one, or null. */
  find(name: string): Promise<Buffer | null>;
}

export interface EarlierBuildsOptions {
  /** `DATA_DIR/assets`, or ASSETS_DIR. */
  dir: string;
  /** How long caches may serve a stale page, which names the files of its build, in ms. */
  staleIfErrorMs: number;
  log: Logger;
  health: DiskHealth;
  /** The assets of all replicas. */
  shared?: SharedAssets | undefined;
}

/** Opens the folder of ASSETS_DIR, or the one in DATA_DIR, and the assets that replicas share. */
export function openEarlierBuilds(
  { assetsDir, dataDir, staleIfErrorMs }: Pick<Config, 'assetsDir' | 'dataDir' | 'staleIfErrorMs'>,
  store: SharedStore | null,
  { health, log }: Pick<EarlierBuildsOptions, 'health' | 'log'>,
): EarlierBuilds {
  const dir = assetsDir ?? path.join(dataDir, 'assets');
  // A folder elsewhere says nothing about the data folder.
  if (!assetsDir) health.watch(dir);
  const shared = store ? createSharedAssets(store, unusedFor(staleIfErrorMs)) : undefined;
  const builds = createEarlierBuilds({ dir, staleIfErrorMs, log, health, shared });
  if (!store) return builds;
  let sharing: NodeJS.Timeout | undefined;
  return {
    ...builds,
    async share(assets) {
      const shareAgain = () => void builds.share(assets);
      if (!sharing) {
        sharing = setInterval(shareAgain, SHARE_EVERY_MS).unref();
        store.onConnected(shareAgain);
      }
      await builds.share(assets);
    },
  };
}

function unusedFor(staleIfErrorMs: number): number {
  return Math.max(staleIfErrorMs, UNUSED_FOR_MS) + KEEP_EVERY_MS;
}

export function createEarlierBuilds({
  dir,
  staleIfErrorMs,
  log,
  health,
  shared,
}: EarlierBuildsOptions): EarlierBuilds {
  const unusedForMs = unusedFor(staleIfErrorMs);
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
      await notKept(error);
    }
  }

  async function notKept(error: unknown): Promise<void> {
    if (await health.explains(error)) return;
    log.warn({ err: error, folder: dir }, 'the assets of this build could not be kept for open tabs');
  }

  /** Looks for an asset of another replica, and keeps it here, too: the shared store may not work later. */
  async function findElsewhere(name: string): Promise<Buffer | null> {
    const found = (await shared?.find(name)) ?? null;
    if (found)
      await mkdir(dir, { recursive: true })
        .then(() => writeFileAtomically(path.join(dir, name), found))
        .catch(notKept);
    return found;
  }

  return {
    keep(assetsDir) {
      if (copied === null) health.onRecovery(() => void copy(assetsDir));
      copied = assetsDir;
      return copy(assetsDir);
    },

    async find(name) {
      if (!ASSET_NAME.test(name)) return null;
      return (await readFile(path.join(dir, name)).catch(() => null)) ?? findElsewhere(name);
    },

    async share(assetsDir) {
      if (!shared) return;
      try {
        const names = (await readdir(assetsDir)).filter(name => ASSET_NAME.test(name));
        for (const name of names) await shared.keep(name, () => readFile(path.join(assetsDir, name)));
      } catch (error) {
        if (error instanceof SharedStoreError) return;
        log.warn({ err: error, folder: assetsDir }, 'the assets of this build could not be shared');
      }
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
