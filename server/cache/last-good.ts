import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Logger } from '../ops/log.ts';

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

/** Files written at a time: nobody waits for them, and visitors wait for what is read from the same disk. */
const WRITES_AT_ONCE = 1;
/** Writing begins this long after something was noted, in ms: whoever waits for the page that was made from it has it by then. */
const BEHIND_MS = 100;
const DIGEST_BYTES = 32;

/**
 * Values as files, one each: written beside their place and renamed, so that there is never half a one. The name is a
 * hash of the key, and the key is in the file, so a file in the wrong place is no value. A file begins with the SHA-256
 * of the rest: a disk that has turned a bit shall not turn a page.
 */
export function createLastGood<T>({ dir, version, maxBytes, log }: LastGoodOptions): LastGood<T> {
  const folder = path.join(dir, version);
  const queue = new Map<string, { value: T } | null>();
  /** On their way to the disk: still read from here, and never two of one key at a time. */
  const underWay = new Map<string, { value: T } | null>();
  let bytes: number | null = null;
  let begun: NodeJS.Timeout | undefined;
  let idle = Promise.withResolvers<void>();
  idle.resolve();
  const ready = mkdir(folder, { recursive: true })
    .then(() => removeOthers())
    .catch((error: unknown) => log.warn({ err: error, dir }, 'last good: the folder cannot be used'));

  function note(key: string, entry: { value: T } | null): void {
    if (queue.size === 0 && underWay.size === 0) idle = Promise.withResolvers();
    queue.delete(key);
    queue.set(key, entry);
    if (underWay.size === 0) begun ??= setTimeout(begin, BEHIND_MS);
  }

  function begin(): void {
    clearTimeout(begun);
    begun = undefined;
    startWriters();
  }

  function startWriters(): void {
    for (const [key, entry] of queue) {
      if (underWay.size >= WRITES_AT_ONCE) return;
      if (underWay.has(key)) continue;
      queue.delete(key);
      underWay.set(key, entry);
      void carryOut(key, entry);
    }
  }

  async function carryOut(key: string, entry: { value: T } | null): Promise<void> {
    await ready;
    try {
      if (entry) await store(key, entry.value);
      else await rm(fileOf(key), { force: true });
    } catch (error) {
      log.warn({ err: error, key }, 'last good: could not be written');
    }
    underWay.delete(key);
    startWriters();
    if (underWay.size === 0) idle.resolve();
  }

  async function store(key: string, value: T): Promise<void> {
    const file = fileOf(key);
    const temporary = `${file}.${randomUUID()}`;
    const serialized = serialize({ key, value });
    const contents = Buffer.concat([digestOf(serialized), serialized]);
    try {
      await writeFile(temporary, contents);
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    // What is replaced is counted again: then the count is too high until it is taken anew.
    bytes = bytes === null ? null : bytes + contents.byteLength;
    if (bytes === null || bytes > maxBytes) await evict();
  }

  async function evict(): Promise<void> {
    const oldestFirst = (await files()).sort((a, b) => a.mtimeMs - b.mtimeMs);
    let left = oldestFirst.reduce((sum, { size }) => sum + size, 0);
    // Down to nine tenths of the bound, so that not every further file evicts again.
    const target = left > maxBytes ? maxBytes * 0.9 : maxBytes;
    for (const { file, size } of oldestFirst) {
      if (left <= target) break;
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
      const noted = queue.has(key) ? queue.get(key) : underWay.get(key);
      if (noted !== undefined) return noted?.value ?? null;
      let contents: Buffer;
      try {
        contents = await readFile(fileOf(key));
      } catch {
        return null;
      }
      try {
        const serialized = contents.subarray(DIGEST_BYTES);
        if (!digestOf(serialized).equals(contents.subarray(0, DIGEST_BYTES)))
          throw new Error('The file is not what was written');
        const stored: unknown = deserialize(serialized);
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
    settled() {
      begin();
      return idle.promise;
    },
    get waiting() {
      return queue.size + underWay.size;
    },
  };
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
