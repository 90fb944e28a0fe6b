import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file on the disk, and what is known of it. */
export interface StoredFile<Meta> {
  /** Absolute path. */
  file: string;
  meta: Meta;
  /** When it was written or last marked as used, in ms since the epoch. */
  usedAt: number;
}

export interface FileStore<Meta> {
  /** @returns null where there is none, or where it cannot be read. */
  read(key: string): Promise<StoredFile<Meta> | null>;
  /**
   * Written beside its place and renamed, so that a half file is never served.
   *
   * @param describe asked when the body has passed.
   */
  write(key: string, body: Readable, describe: () => Meta): Promise<StoredFile<Meta>>;
  /** Marks a file as used now: those unused for longest go first. */
  touch(key: string): Promise<void>;
  remove(key: string): Promise<void>;
}

export interface FileStoreOptions {
  dir: string;
  /** Bound of all files in bytes. */
  maxBytes: number;
  now?: () => number;
}

/** @returns the files of a folder by keys of any kind, bounded in bytes, each with a description beside it in JSON. */
export function createFileStore<Meta>({ dir, maxBytes, now = Date.now }: FileStoreOptions): FileStore<Meta> {
  let storedBytes: number | null = null;
  let writes = 0;

  /** The name says nothing of the key, so no key can lead out of the folder. */
  function fileOf(key: string): string {
    return path.join(dir, createHash('sha256').update(key).digest('hex'));
  }

  async function account(file: string): Promise<void> {
    const { size } = await stat(file);
    storedBytes = storedBytes === null ? await totalBytes() : storedBytes + size;
    if (storedBytes > maxBytes) await evict();
  }

  async function totalBytes(): Promise<number> {
    return (await storedFiles()).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async function storedFiles() {
    const names = (await readdir(dir)).filter(name => !name.includes('.'));
    return Promise.all(
      names.map(async name => {
        const file = path.join(dir, name);
        const { size, mtimeMs } = await stat(file);
        return { file, bytes: size, mtimeMs };
      }),
    );
  }

  /** Makes room down to nine tenths of the bound, so that not every further file evicts again. */
  async function evict(): Promise<void> {
    const files = (await storedFiles()).sort((a, b) => a.mtimeMs - b.mtimeMs);
    let bytes = files.reduce((sum, entry) => sum + entry.bytes, 0);
    for (const entry of files) {
      if (bytes <= maxBytes * 0.9) break;
      await forget(entry.file);
      bytes -= entry.bytes;
    }
    storedBytes = bytes;
  }

  async function forget(file: string): Promise<void> {
    await Promise.all([rm(file, { force: true }), rm(`${file}.json`, { force: true })]);
  }

  return {
    async read(key) {
      const file = fileOf(key);
      try {
        const [meta, stats] = await Promise.all([readFile(`${file}.json`, 'utf8'), stat(file)]);
        return { file, meta: JSON.parse(meta) as Meta, usedAt: stats.mtimeMs };
      } catch {
        return null;
      }
    },

    async write(key, body, describe) {
      const file = fileOf(key);
      writes += 1;
      const temporary = `${file}.${process.pid}.${writes}.part`;
      try {
        await mkdir(dir, { recursive: true });
        await pipeline(body, createWriteStream(temporary));
        const meta = describe();
        await writeFile(`${temporary}.json`, JSON.stringify(meta));
        await rename(`${temporary}.json`, `${file}.json`);
        await rename(temporary, file);
        await account(file);
        return { file, meta, usedAt: now() };
      } catch (error) {
        await Promise.all([rm(temporary, { force: true }), rm(`${temporary}.json`, { force: true })]);
        throw error;
      }
    },

    touch: key => utimes(fileOf(key), now() / 1_000, now() / 1_000),
    remove: key => forget(fileOf(key)),
  };
}
