import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import { type DiskHealth, UNWATCHED } from './disk-health.ts';
import { unlessMissing } from './missing-file.ts';
import { createSavedFile, readSavedFile } from './saved-file.ts';

/** @param pausedMs the downtime before this process, in ms; 0 if short. Files do not age during it. */
type Upkeep = (pausedMs: number) => Promise<void>;

interface BackendFolderOptions {
  dataDir: string;
  /** `https://cms.example.com/path`, or `embedded:` and the real path of the content folder. */
  backend: string;
  /** Headers and token of the calls. Only a short digest of them is written to disk. */
  credentials: unknown;
  /** How long a page may be served after its last revalidation, in ms. Unused folders stay as long. */
  lifeMs: number;
  health?: DiskHealth;
  log: Logger;
  now?: () => number;
}

/** The file that names a folder's backend. The file's modification time is the folder's last use. */
const MARK = 'backend.json';
const BACKENDS = 'backends';
const LONGEST_UPKEEP_MS = 3_600_000;
/** Shorter downtimes, in ms, count as age of the files. A running process marks the folder more often. */
const LONGEST_PAUSE_MS = 2 * LONGEST_UPKEEP_MS;
const SHORTEST_UPKEEP_MS = 1_000;
/** How often the folder is marked within `lifeMs`, so that no other process removes a folder in use. */
const MARKS_PER_LIFE = 4;

const markSchema = z.object({ backend: z.string(), credentials: z.string() });

/**
 * Opens the folder of one backend, so that a process never shows content of another backend. Reads the
 * `backend.json` of the last process synchronously. Writes nothing before `begin`.
 */
export function openBackendFolder(options: BackendFolderOptions) {
  const { backend, lifeMs, health = UNWATCHED, log, now = steadyNow } = options;
  const backends = path.resolve(options.dataDir, BACKENDS);
  const name = folderName(backend);
  const dir = path.join(backends, name);
  const file = path.join(dir, MARK);
  const credentials = hash('sha256', JSON.stringify(options.credentials)).slice(0, 8);
  const before = readSavedFile(
    file,
    value => markSchema.parse(value),
    error =>
      log.warn(
        { code: 'cache-mark-damaged', err: error, file },
        'data folder: backend.json, which records a digest of the last credentials, is damaged',
      ),
  );
  const mark = createSavedFile({
    file,
    value: () => ({ backend, credentials }),
    health,
    onFailure: error =>
      log.warn(
        { code: 'cache-mark-unwritten', err: error, file },
        'data folder: backend.json, which records the last use of the folder, could not be written',
      ),
  });
  const markedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  const sinceMark = now() - markedAt;
  const pausedMs = sinceMark > LONGEST_PAUSE_MS ? sinceMark : 0;
  const upkeeps: Upkeep[] = [];
  let timer: NodeJS.Timeout | undefined;
  let upkeep: Promise<void> = Promise.resolve();

  async function removeUnused(): Promise<void> {
    for (const other of (await unlessMissing(readdir(backends))) ?? []) {
      if (other === name) continue;
      const usedAt = await lastUse(path.join(backends, other));
      if (usedAt === null || now() - usedAt < lifeMs) continue;
      await rm(path.join(backends, other), { recursive: true, force: true });
      log.info(
        { code: 'cache-backend-removed', folder: other },
        'data folder: content of an unused backend was removed',
      );
    }
  }

  /** Makes other folders younger by the pause. Time without a process and clock jumps do not age them. */
  async function forgetPause(): Promise<void> {
    if (pausedMs === 0) return;
    for (const other of (await unlessMissing(readdir(backends))) ?? []) {
      const usedAt = other === name ? null : await lastUse(path.join(backends, other));
      const time = ((usedAt ?? 0) + pausedMs) / 1_000;
      if (usedAt !== null) await unlessMissing(utimes(path.join(backends, other, MARK), time, time));
    }
  }

  async function keepUp(remove: () => Promise<void>): Promise<void> {
    await health.probe();
    mark.changed();
    try {
      await Promise.all([remove(), ...upkeeps.map(work => work(pausedMs)), mark.settled()]);
    } catch (error) {
      if (!(await health.explains(error)))
        log.warn(
          { code: 'cache-folders-not-removed', err: error, folder: backends },
          'data folder: unused folders or expired files could not be removed',
        );
    }
  }

  return {
    dir,
    /** Whether the last process used other credentials. Content on disk then counts as stale. */
    hasNewCredentials: before !== null && before.credentials !== credentials,
    /** Marks the folder as used and removes unused folders of other backends, repeatedly until `stop`. */
    begin() {
      health.begin();
      upkeep = keepUp(async () => {
        await forgetPause();
        await removeUnused();
      });
      const everyMs = Math.min(Math.max(lifeMs / MARKS_PER_LIFE, SHORTEST_UPKEEP_MS), LONGEST_UPKEEP_MS);
      timer = setInterval(() => {
        upkeep = keepUp(removeUnused);
      }, everyMs).unref();
    },
    /** @param work deletes expired files. It runs at the start and each time the folder is marked as used. */
    onUpkeep: (work: Upkeep) => void upkeeps.push(work),
    async stop() {
      clearInterval(timer);
      await upkeep;
      health.stop();
    },
  };
}

/** @returns ms since the epoch; null for a folder that was removed meanwhile. */
async function lastUse(folder: string): Promise<number | null> {
  const found = (await unlessMissing(stat(path.join(folder, MARK)))) ?? (await unlessMissing(stat(folder)));
  return found?.mtimeMs ?? null;
}

function folderName(backend: string): string {
  const host = URL.canParse(backend) ? new URL(backend).host : '';
  const readable = (host || 'embedded').replaceAll(/[^a-z\d.-]/g, '-').slice(0, 100);
  return `${readable}-${hash('sha256', backend).slice(0, 16)}`;
}
