import { mkdir, readdir, readFile, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import { listFiles } from '../cache/disk/list-files.ts';
import { unlessMissing } from '../cache/disk/missing-file.ts';
import { writeFileAtomically } from '../cache/disk/write-file-atomically.ts';
import type { Config } from '../config/config.ts';
import { contentTypeOf } from '../http/content-type.ts';
import type { Logger } from '../ops/log.ts';
import type { SharedStore } from '../shared-store/shared-store.ts';
import { SharedStoreError } from '../shared-store/store-command.ts';

const HOUR_MS = 3_600_000;
/** The pause between two calls of `keep`, in ms. Each call marks the files of the build as used. */
export const KEEP_EVERY_MS = HOUR_MS;
/** The assets are copied to the shared store again after this time, in ms: the store may lose them. */
const SHARE_EVERY_MS = 60_000;
/** Unused files are removed after this time, in ms, or after `staleIfErrorMs` if that is longer. */
const UNUSED_FOR_MS = 7 * 24 * HOUR_MS;
/** File names that the build creates. Requests for other names never reach the disk. */
const ASSET_NAME = /^[\w-]+(?:\.[\w-]+)*\.(?:js|css|woff2)$/;

/** The time limit of a command to the shared store, in ms. It is long: pages break without an asset. */
const SHARED = { op: 'asset', limitMs: 500 };

/** Serves assets of earlier builds to open tabs. All builds and processes share one folder. */
export class EarlierBuilds {
  readonly #dir: string;
  readonly #unusedForMs: number;
  readonly #store: SharedStore | null;
  readonly #health: DiskHealth;
  readonly #log: Logger;
  #isCopied = false;
  #isGiven = false;
  #sharing: NodeJS.Timeout | undefined;

  /** @param store the shared store, with files of all builds, because replicas may run different builds. */
  constructor(
    { assetsDir, dataDir, staleIfErrorMs }: Pick<Config, 'assetsDir' | 'dataDir' | 'staleIfErrorMs'>,
    store: SharedStore | null,
    { health, log }: { readonly health: DiskHealth; readonly log: Logger },
  ) {
    this.#dir = assetsDir ?? path.join(dataDir, 'assets');
    this.#unusedForMs = Math.max(staleIfErrorMs, UNUSED_FOR_MS) + KEEP_EVERY_MS;
    this.#store = store;
    this.#health = health;
    this.#log = log;
    // Do not watch ASSETS_DIR: `health` reports on the data folder, and ASSETS_DIR may be on another disk.
    if (!assetsDir) health.watch(this.#dir);
  }

  /** Copies a build's assets and removes unused files. Repeats this after a disk outage. Never rejects. */
  keep(assetsDir: string): Promise<void> {
    if (!this.#isCopied) this.#health.onRecovery(() => void this.#copy(assetsDir));
    this.#isCopied = true;
    return this.#copy(assetsDir);
  }

  /** Copies the running build's assets to the shared store, every minute and after an outage of the store. */
  async share(assetsDir: string): Promise<void> {
    const store = this.#store;
    if (!store) return;
    await this.#shareNow(assetsDir, store);
    if (this.#sharing) return;
    const shareAgain = () => void this.#shareNow(assetsDir, store);
    this.#sharing = setInterval(shareAgain, SHARE_EVERY_MS).unref();
    store.onConnected(shareAgain);
  }

  async find(name: string): Promise<Buffer | null> {
    if (!ASSET_NAME.test(name)) return null;
    return (await readFile(path.join(this.#dir, name)).catch(() => null)) ?? this.#findElsewhere(name);
  }

  async #copy(assetsDir: string): Promise<void> {
    try {
      await mkdir(this.#dir, { recursive: true });
      for (const name of await readdir(assetsDir))
        if (ASSET_NAME.test(name)) await keepFile(path.join(assetsDir, name), path.join(this.#dir, name));
      await removeUnused(this.#dir, Date.now() - this.#unusedForMs);
    } catch (error) {
      await this.#logNotKept(error);
    }
  }

  async #logNotKept(error: unknown): Promise<void> {
    if (await this.#health.explains(error)) return;
    this.#log.warn(
      { code: 'assets-not-kept', err: error, folder: this.#dir },
      'assets: files that open tabs may need could not be stored',
    );
  }

  async #shareNow(assetsDir: string, store: SharedStore): Promise<void> {
    try {
      for (const name of await readdir(assetsDir)) {
        if (!ASSET_NAME.test(name)) continue;
        const key = keyOf(store, name);
        // Write each file once after the start: the stored one may be sealed with a former SHARED_SECRET.
        if (this.#isGiven && (await store.command('PEXPIRE', [key, this.#unusedForMs], SHARED)) === 1)
          continue;
        const sealed = store.seal(key, await readFile(path.join(assetsDir, name)));
        await store.command('SET', [key, sealed, 'PX', this.#unusedForMs], SHARED);
      }
      this.#isGiven = true;
    } catch (error) {
      if (error instanceof SharedStoreError) return;
      this.#log.warn(
        { code: 'assets-not-shared', err: error, folder: assetsDir },
        'assets: this build could not be copied to the shared store',
      );
    }
  }

  /** Looks in the shared store. Copies a found asset to the disk, because the store may fail later. */
  async #findElsewhere(name: string): Promise<Buffer | null> {
    if (!this.#store) return null;
    const key = keyOf(this.#store, name);
    const asked = this.#store.command<Buffer | null>('GET', [key], { ...SHARED, asBytes: true });
    const found = this.#store.open(key, await asked.catch(() => null));
    if (found)
      await mkdir(this.#dir, { recursive: true })
        .then(() => writeFileAtomically(path.join(this.#dir, name), found))
        .catch(error => this.#logNotKept(error));
    return found;
  }
}

function keyOf(store: SharedStore, name: string): string {
  return store.key(`asset:${name}`);
}

async function keepFile(source: string, target: string): Promise<void> {
  const now = new Date();
  const isKept = await unlessMissing(utimes(target, now, now).then(() => true));
  if (!isKept) await writeFileAtomically(target, await readFile(source));
}

/** Removes old assets, and the `.part` files of crashed processes. */
async function removeUnused(dir: string, before: number): Promise<void> {
  for await (const files of listFiles(dir)) {
    for (const { name, stats } of files) {
      if (stats.mtimeMs < before && (ASSET_NAME.test(name) || name.endsWith('.part')))
        await rm(path.join(dir, name), { force: true });
    }
  }
}

/** Serves `/assets/**` of earlier builds. `hasRedirect` tells whether a missing file has a redirect. */
export function serveEarlierBuilds(
  { earlierBuilds: builds }: { readonly earlierBuilds: EarlierBuilds },
  hasRedirect: (req: Request, res: Response) => Promise<boolean>,
): RequestHandler {
  return async (req, res, next) => {
    const asset = await builds.find(req.path.slice('/assets/'.length));
    if (asset) {
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      res.setHeader('Content-Type', contentTypeOf(req.path));
      res.setHeader('Content-Length', asset.byteLength);
      res.end(asset);
      return;
    }
    if (await hasRedirect(req, res)) return next();
    // No stored build has the asset. A CDN must not cache this response.
    res.status(404).set('Cache-Control', 'no-store').type('text/plain').send('Not found');
  };
}
