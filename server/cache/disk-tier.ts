import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../ops/log.ts';
import { createDiskStore } from './disk-store.ts';

/** Records of good values on disk, for a process that starts while the backend is down. */
export interface DiskTier<R> {
  /**
   * Notes a record, which is written soon after the answers that wait for it; a later one of the same key replaces it.
   *
   * @param record called when it is written.
   */
  write(key: string, record: () => R): void;
  /** @returns the record, or null where there is none or its file is damaged. */
  read(key: string): Promise<R | null>;
  remove(key: string): void;
  /** Resolves when everything noted so far is on the disk. */
  settled(): Promise<void>;
}

/** How a record becomes a file. */
export interface RecordCodec<R> {
  encode(record: R): Buffer;
  /** @throws Error for bytes that are no record of today's form. */
  decode(bytes: Buffer): R;
}

export interface DiskTierOptions<R> {
  /** The folder of all versions. */
  dir: string;
  /** The name of the folder below it. Folders of other versions are of no use, and removed. */
  version: string;
  /** Bound of all files in bytes; those written longest ago are removed first. */
  maxBytes: number;
  codec: RecordCodec<R>;
  log: Logger;
}

/** Writing begins this long after the first note, in ms: the render or read that made the record has been answered by then. */
const WRITE_DELAY_MS = 100;

/** A record to write, or null for a file to remove. */
type Note<R> = (() => R) | null;

/** @returns a tier over a folder of files, written one at a time: visitors wait for reads of the same disk, and not for these writes. */
export function createDiskTier<R>({ dir, version, maxBytes, codec, log }: DiskTierOptions<R>): DiskTier<R> {
  const store = createDiskStore<null>({
    dir: path.join(dir, version),
    maxBytes,
    decodeMeta: () => null,
    log,
  });
  const noted = new Map<string, Note<R>>();
  /** The note whose file is being written. */
  let current: { key: string; note: Note<R> } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | null = null;
  const ready = removeOtherVersions(dir, version).catch((error: unknown) =>
    log.warn({ err: error, dir }, 'disk tier: folders of other versions could not be removed'),
  );

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
        log.warn({ err: error, key }, 'disk tier: a record could not be written');
      }
    }
    current = null;
  }

  return {
    write: note,
    remove: key => note(key, null),

    async read(key) {
      // A note of null is a removal, and counts before the record that is just being written.
      const pending = noted.has(key) ? noted.get(key) : current?.key === key ? current.note : undefined;
      if (pending !== undefined) return pending === null ? null : pending();
      const stored = await store.readWhole(key);
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

async function removeOtherVersions(dir: string, version: string): Promise<void> {
  const others = (await readdir(dir).catch(() => [])).filter(name => name !== version);
  await Promise.all(others.map(name => rm(path.join(dir, name), { recursive: true, force: true })));
}
