import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { DiskHealth } from '../cache/disk-health.ts';
import type { Logger } from '../ops/log.ts';

/** How many builds have their assets kept, the running one included. */
const KEPT_BUILDS = 5;
/** File names that the build gives. Other names are not looked for on the disk. */
const ASSET_NAME = /^[\w-]+(?:\.[\w-]+)*\.(?:js|css|woff2)$/;

/** The assets of earlier builds, so that a tab that was opened before a deploy can still load its chunks. */
export interface EarlierBuilds {
  /**
   * Copies the running build's assets into the folder and removes the oldest builds. Logs a failure and never rejects. Copies again
   * whenever the data folder can be written again. Called once.
   */
  keep(buildId: string, assetsDir: string): Promise<void>;
  /** @returns an asset of an earlier build, or null. */
  find(name: string): Promise<Buffer | null>;
}

/** @param dir contains one folder for each build: `DATA_DIR/assets`, or ASSETS_DIR. */
export function createEarlierBuilds(dir: string, log: Logger, health: DiskHealth): EarlierBuilds {
  async function copy(buildId: string, assetsDir: string): Promise<void> {
    try {
      const target = path.join(dir, buildId);
      await mkdir(dir, { recursive: true });
      if (!(await isFolder(target))) await copyAtomically(assetsDir, target);
      const now = new Date();
      await utimes(target, now, now);
      const builds = await newestFirst(dir);
      await Promise.all(builds.slice(KEPT_BUILDS).map(build => rm(build, { recursive: true, force: true })));
    } catch (error) {
      if (await health.explains(error)) return;
      log.warn({ err: error, folder: dir }, 'the assets of this build could not be kept for open tabs');
    }
  }

  return {
    keep(buildId, assetsDir) {
      health.onRecovery(() => void copy(buildId, assetsDir));
      return copy(buildId, assetsDir);
    },

    async find(name) {
      if (!ASSET_NAME.test(name)) return null;
      for (const build of await newestFirst(dir).catch(() => [])) {
        const contents = await readFile(path.join(build, name)).catch(() => null);
        if (contents) return contents;
      }
      return null;
    },
  };
}

/** Copies under another name and then renames: a chunk that was served half copied would stay in browsers for a year. */
async function copyAtomically(assetsDir: string, target: string): Promise<void> {
  const draft = path.join(path.dirname(target), `.${path.basename(target)}-${process.pid}`);
  try {
    await cp(assetsDir, draft, { recursive: true, filter: source => !/\.(?:map|br|gz|txt)$/.test(source) });
    await rename(draft, target).catch(async error => {
      // Another process may have copied the same build meanwhile.
      if (!(await isFolder(target))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    found => found.isDirectory(),
    () => false,
  );
}

async function newestFirst(dir: string): Promise<string[]> {
  const folders = (await readdir(dir, { withFileTypes: true })).filter(
    entry => entry.isDirectory() && !entry.name.startsWith('.'),
  );
  const dated = await Promise.all(
    folders.map(async ({ name }) => {
      const folder = path.join(dir, name);
      return { folder, at: (await stat(folder)).mtimeMs };
    }),
  );
  return dated.sort((a, b) => b.at - a.at).map(({ folder }) => folder);
}
