import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { type DiskHealth, UNWATCHED } from './disk-health.ts';
import { unlessMissing } from './missing-file.ts';
import { createSavedFile, readSavedFile } from './saved-file.ts';

/**
 * The folder with everything that one content backend has given: content, rendered pages, media and their renditions. A process with another
 * backend has another folder, so it never shows what belongs to this one.
 */
export interface BackendFolder {
  /** Absolute path. */
  readonly dir: string;
  /** Whether the last process used other credentials. What is on disk may then be served, and counts as stale. */
  readonly hasNewCredentials: boolean;
  /** Marks the folder as used, removes the folders of backends that have been unused for too long, and repeats both until `stop`. */
  begin(): void;
  /** Resolves when the work in progress has ended. */
  stop(): Promise<void>;
}

export interface BackendFolderOptions {
  /** The data folder of the process. */
  dataDir: string;
  /** Names the backend: `https://cms.example.com/path`, or `embedded:` and the real path of the content folder. */
  backend: string;
  /** The headers and the token that the backend is called with. Only a short digest of them is written to disk. */
  credentials: unknown;
  /** How long a page may be served after its last revalidation, in ms. The folder of another backend is removed after this time. */
  lifeMs: number;
  /**
   * Called at the start and with each mark, to delete what has been kept for too long.
   *
   * @param pausedMs the time without a process before this one, in ms, if it was long. It does not count.
   */
  onUpkeep?: (pausedMs: number) => Promise<void>;
  /** Is asked whether the disk can be written, at the start and with each mark. */
  health?: DiskHealth;
  log: Logger;
  /** The clock, in ms. */
  now?: () => number;
}

/** The name of the file that says whose a folder is. Its modification time is the time of the folder's last use. */
const MARK = 'backend.json';
/** The folder of all backends in the data folder. */
const BACKENDS = 'backends';
/** Folders of earlier releases, in which content was bound to no backend. The last one shows that such a release has run here. */
const FORMER_FOLDERS = ['media', 'renditions', 'last-good'];
/** The longest and the shortest time between two marks, in ms. */
const LONGEST_UPKEEP_MS = 3_600_000;
/** A pause between two processes that counts as use of this folder, in ms. It is longer than the time between two marks. */
const LONGEST_PAUSE_MS = 2 * LONGEST_UPKEEP_MS;
const SHORTEST_UPKEEP_MS = 1_000;
/** Marks in the life of a page. A folder that is in use is never old enough to be removed by another process. */
const MARKS_PER_LIFE = 4;

const markSchema = z.object({ backend: z.string(), credentials: z.string() });

/** Opens the folder of a backend. The mark of the last process is read synchronously. Nothing is written before `begin`. */
export function openBackendFolder(options: BackendFolderOptions): BackendFolder {
  const { backend, lifeMs, onUpkeep = async () => {}, health = UNWATCHED, log, now = steadyNow } = options;
  const backends = path.resolve(options.dataDir, BACKENDS);
  const name = folderName(backend);
  const dir = path.join(backends, name);
  const file = path.join(dir, MARK);
  const credentials = digest(JSON.stringify(options.credentials)).slice(0, 8);
  const before = readSavedFile(
    file,
    value => markSchema.parse(value),
    error => log.warn({ err: error, file }, 'data folder: the mark of the backend is damaged'),
  );
  const mark = createSavedFile({
    file,
    value: () => ({ backend, credentials }),
    health,
    onFailure: error => log.warn({ err: error, file }, 'data folder: the backend’s folder cannot be marked'),
  });
  const markedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  const sinceMark = now() - markedAt;
  const pausedMs = sinceMark > LONGEST_PAUSE_MS ? sinceMark : 0;
  let timer: NodeJS.Timeout | undefined;
  let upkeep: Promise<void> = Promise.resolve();

  async function removeUnused(): Promise<void> {
    for (const other of (await unlessMissing(readdir(backends))) ?? []) {
      if (other === name) continue;
      const usedAt = await lastUse(path.join(backends, other));
      if (usedAt === null || now() - usedAt < lifeMs) continue;
      await rm(path.join(backends, other), { recursive: true, force: true });
      log.info({ folder: other }, 'data folder: content of a backend that is no longer used is removed');
    }
  }

  /** Folders are unused for as long as this one is used. The time without a process does not count, nor does a jump of the system's clock. */
  async function forgetPause(): Promise<void> {
    if (pausedMs === 0) return;
    for (const other of (await unlessMissing(readdir(backends))) ?? []) {
      const usedAt = other === name ? null : await lastUse(path.join(backends, other));
      const time = ((usedAt ?? 0) + pausedMs) / 1_000;
      if (usedAt !== null) await unlessMissing(utimes(path.join(backends, other, MARK), time, time));
    }
  }

  async function removeFormerFolders(): Promise<void> {
    const folders = FORMER_FOLDERS.map(former => path.resolve(options.dataDir, former));
    if (!(await unlessMissing(stat(folders.at(-1) ?? '')))) return;
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    log.info({ folders }, 'data folder: the folders of an earlier release are removed');
  }

  async function keepUp(remove: () => Promise<void>): Promise<void> {
    await health.probe();
    mark.changed();
    try {
      await Promise.all([remove(), onUpkeep(pausedMs), mark.settled()]);
    } catch (error) {
      if (!(await health.explains(error)))
        log.warn({ err: error, folder: backends }, 'data folder: unused folders could not be removed');
    }
  }

  return {
    dir,
    hasNewCredentials: before !== null && before.credentials !== credentials,
    begin() {
      health.begin();
      upkeep = keepUp(async () => {
        await forgetPause();
        await removeFormerFolders();
        await removeUnused();
      });
      const everyMs = Math.min(Math.max(lifeMs / MARKS_PER_LIFE, SHORTEST_UPKEEP_MS), LONGEST_UPKEEP_MS);
      timer = setInterval(() => {
        upkeep = keepUp(removeUnused);
      }, everyMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await upkeep;
      health.stop();
    },
  };
}

/** @returns when a backend's folder was last used, in ms since the epoch; null when it has been removed meanwhile. */
async function lastUse(folder: string): Promise<number | null> {
  const found = (await unlessMissing(stat(path.join(folder, MARK)))) ?? (await unlessMissing(stat(folder)));
  return found?.mtimeMs ?? null;
}

/** @returns a name that people recognise and that no two backends share, such as `cms.example.com-0123456789abcdef`. */
function folderName(backend: string): string {
  const host = URL.canParse(backend) ? new URL(backend).host : '';
  const readable = (host || 'embedded').replaceAll(/[^a-z\d.-]/g, '-').slice(0, 100);
  return `${readable}-${digest(backend).slice(0, 16)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
