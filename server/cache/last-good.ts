import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Logger } from '../log.ts';

/** A folder of values that were good, for a process that starts while the backend is down. */
export interface LastGood<T> {
  /** Notes a value to be written behind the answer; a later one of the same key replaces it. */
  write(key: string, value: T): void;
  /** @returns the value, or null where there is none or its file is damaged. */
  read(key: string): Promise<T | null>;
  remove(key: string): void;
  /** Resolves when all that was noted is on the disk. */
  settled(): Promise<void>;
  /** Values waiting to be written. */
  readonly waiting: number;
}

export interface LastGoodOptions {
  /** One folder for all versions. */
  dir: string;
  /** Values of another version are of no use, and removed. */
  version: string;
  /** Bound of all files in bytes; the oldest go first. */
  maxBytes: number;
  log: Logger;
}

/** Files written at a time. */
const WRITES_AT_ONCE = 4;

/**
 * Values as files, one each: written beside their place and renamed, so that there is never half a one. The name is a
 * hash of the key, and the key is in the file, so a file in the wrong place is no value.
 */
export function createLastGood<T>({ dir, version, maxBytes, log }: LastGoodOptions): LastGood<T> {
  const folder = path.join(dir, version);
  const queue = new Map<string, { value: T } | null>();
  let writers = 0;
  let bytes: number | null = null;
  let idle = Promise.withResolvers<void>();
  idle.resolve();
  const ready = mkdir(folder, { recursive: true })
    .then(() => removeOthers())
    .catch((error: unknown) => log.warn({ err: error, dir }, 'last good: the folder cannot be used'));

  function note(key: string, entry: { value: T } | null): void {
    if (queue.size === 0 && writers === 0) idle = Promise.withResolvers();
    queue.delete(key);
    queue.set(key, entry);
    while (writers < WRITES_AT_ONCE && writers < queue.size) {
      writers += 1;
      void drain();
    }
  }

  async function drain(): Promise<void> {
    await ready;
    for (const [key, entry] of queue) {
      queue.delete(key);
      try {
        if (entry) await store(key, entry.value);
        else await rm(fileOf(key), { force: true });
      } catch (error) {
        log.warn({ err: error, key }, 'last good: could not be written');
      }
    }
    writers -= 1;
    if (writers === 0) idle.resolve();
  }

  async function store(key: string, value: T): Promise<void> {
    const file = fileOf(key);
    const temporary = `${file}.${randomUUID()}`;
    const contents = serialize({ key, value });
    try {
      await writeFile(temporary, contents);
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    bytes = (bytes ?? (await files()).reduce((sum, entry) => sum + entry.size, 0)) + contents.byteLength;
    if (bytes > maxBytes) await evict();
  }

  async function evict(): Promise<void> {
    const oldestFirst = (await files()).sort((a, b) => a.mtimeMs - b.mtimeMs);
    let left = oldestFirst.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of oldestFirst) {
      if (left <= maxBytes * 0.9) break;
      await rm(file, { force: true });
      left -= size;
    }
    bytes = left;
  }

  async function files() {
    const names = await readdir(folder);
    return Promise.all(
      names.map(async name => {
        const file = path.join(folder, name);
        const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
        return { file, size, mtimeMs };
      }),
    );
  }

  async function removeOthers(): Promise<void> {
    const others = (await readdir(dir)).filter(name => name !== version);
    await Promise.all(others.map(name => rm(path.join(dir, name), { recursive: true, force: true })));
  }

  function fileOf(key: string): string {
    return path.join(folder, createHash('sha256').update(key).digest('hex'));
  }

  return {
    write: (key, value) => note(key, { value }),
    remove: key => note(key, null),
    async read(key) {
      const noted = queue.get(key);
      if (noted !== undefined) return noted?.value ?? null;
      let contents: Buffer;
      try {
        contents = await readFile(fileOf(key));
      } catch {
        return null;
      }
      try {
        const stored: unknown = deserialize(contents);
        if (
          typeof stored === 'object' &&
          stored !== null &&
          'key' in stored &&
          stored.key === key &&
          'value' in stored
        ) {
          return stored.value as T;
        }
        throw new Error('The file holds another key');
      } catch (error) {
        log.warn({ err: error, key }, 'last good: a damaged file is passed over');
        return null;
      }
    },
    settled: () => idle.promise,
    get waiting() {
      return queue.size + writers;
    },
  };
}
