import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../ops/log.ts';
import { type DiskHealth, UNWATCHED } from './disk-health.ts';
import { createDiskStore } from './disk-store.ts';
import { unlessMissing } from './missing-file.ts';

/** Records of values on disk, for a process that starts while the backend is down. */
export interface DiskTier<R> {
  /**
   * Notes a record, which is written soon, after the value has been sent. A later record of the same key replaces it.
   *
   * @param record returns the record. Called when it is written.
   */
  write(key: string, record: () => R): void;
  /** @returns the record, or null without one or when its file is damaged. */
  read(key: string): Promise<R | null>;
  remove(key: string): void;
  /** Resolves when all noted records are on disk. */
  settled(): Promise<void>;
}

/** The conversion between a record and its file. */
export interface RecordCodec<R> {
  encode(record: R): Buffer;
  /** @throws Error for bytes that this build cannot decode. */
  decode(bytes: Buffer): R;
}

export interface DiskTierOptions<R> {
  /** The folder of all versions. */
  dir: string;
  /** The name of the folder below `dir` for this version. */
  version: string;
  /**
   * Chooses the folders of other versions that stay. All others are removed at the start. By default none stays.
   *
   * @param others the names of the other folders, the one used last first.
   */
  keptVersions?: (others: readonly string[]) => readonly string[];
  /** Bound of all files in bytes. The files written longest ago are removed first. */
  maxBytes: number;
  codec: RecordCodec<R>;
  /** Knows of a disk that cannot be written. */
  health?: DiskHealth;
  log: Logger;
}

/** Writing begins this many ms after the first note. The request that generated the record has usually been answered by then. */
const WRITE_DELAY_MS = 100;

/** A record to write, or null for a record to remove. */
type Note<R> = (() => R) | null;

/** @returns a disk tier over a folder. It writes one file at a time, because visitors wait for reads of the same disk. */
export function createDiskTier<R>(options: DiskTierOptions<R>): DiskTier<R> {
  const { dir, version, keptVersions = () => [], maxBytes, codec, health = UNWATCHED, log } = options;
  const store = createDiskStore<null>({
    dir: path.join(dir, version),
    maxBytes,
    decodeMeta: () => null,
    health,
    log,
  });
  const noted = new Map<string, Note<R>>();
  /** The note whose file is being written. */
  let current: { key: string; note: Note<R> } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | null = null;
  const ready = removeOtherVersions(dir, version, keptVersions).catch(async (error: unknown) => {
    if (!(await health.explains(error)))
      log.warn({ err: error, dir }, 'disk tier: folders of other versions could not be removed');
  });

  function note(key: string, entry: Note<R>): void {
    noted.delete(key);
    noted.set(key, entry);
    if (!writing) timer ??= setTimeout(startWriting, WRITE_DELAY_MS);
  }

  function startWriting(): void {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll().finally(() => {
      writing = null;
      if (noted.size > 0) startWriting();
    });
  }

  async function writeAll(): Promise<void> {
    await ready;
    for (const [key, entry] of noted) {
      noted.delete(key);
      current = { key, note: entry };
      try {
        if (entry) await store.write(key, codec.encode(entry()), () => null);
        else await store.remove(key);
      } catch (error) {
        if (!(await health.explains(error)))
          log.warn({ err: error, key }, 'disk tier: a record could not be written');
      }
    }
    current = null;
  }

  return {
    write: note,
    remove: key => note(key, null),

    async read(key) {
      // A noted record or removal (null) is newer than the record that is being written, which is newer than the file.
      const pending = noted.has(key) ? noted.get(key) : current?.key === key ? current.note : undefined;
      if (pending !== undefined) return pending === null ? null : pending();
      const stored = await store.readWithBody(key);
      if (!stored) return null;
      try {
        return codec.decode(stored.body);
      } catch (error) {
        log.warn({ err: error, key }, 'disk tier: a record cannot be decoded and counts as absent');
        return null;
      }
    },

    async settled() {
      while (noted.size > 0 || writing) {
        startWriting();
        await writing;
      }
    },
  };
}

/** Marks the folder of a version as used, and removes the folders of other versions that do not stay. */
async function removeOtherVersions(
  dir: string,
  version: string,
  keptVersions: (others: readonly string[]) => readonly string[],
): Promise<void> {
  const own = path.join(dir, version);
  const now = new Date();
  await mkdir(own, { recursive: true });
  await utimes(own, now, now);
  const others = (await lastUsedFirst(dir)).filter(name => name !== version);
  const kept = new Set(keptVersions(others));
  for (const name of others)
    if (!kept.has(name)) await rm(path.join(dir, name), { recursive: true, force: true });
}

/** @returns the names in a folder by their last use: the last start with a version, or the last file written for it. */
async function lastUsedFirst(dir: string): Promise<string[]> {
  const used = await Promise.all(
    (await readdir(dir)).map(async name => ({
      name,
      at: (await unlessMissing(stat(path.join(dir, name))))?.mtimeMs ?? 0,
    })),
  );
  return used.sort((a, b) => b.at - a.at).map(({ name }) => name);
}
