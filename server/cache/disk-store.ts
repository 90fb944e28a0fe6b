import { createHash, hash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { DigestSet } from './digest-set.ts';
import { type DiskHealth, UNWATCHED } from './disk-health.ts';
import {
  DamagedEntryError,
  decodeFooter,
  type EntryFooter,
  encodeFooter,
  footerBytes,
} from './entry-file.ts';
import { listFiles } from './list-files.ts';
import { isMissingFile, unlessMissing } from './missing-file.ts';
import { SingleFlight } from './single-flight.ts';
import { type FileContents, writeFileAtomically } from './write-file-atomically.ts';

/** An entry on the disk. */
export interface DiskEntry<Meta> {
  meta: Meta;
  /** Absolute path. The body is the first `bodyBytes` bytes of the file. */
  file: string;
  bodyBytes: number;
  /** Digest of the body in base64url. It can be used as an ETag. */
  sha256: string;
  /** When the entry was written or last touched, in ms since the epoch. */
  usedAt: number;
}

/** An entry with its body, which was checked against the stored digest. */
export interface EntryWithBody<Meta> extends DiskEntry<Meta> {
  body: Buffer;
}

/** A folder of entries by keys of any kind, bounded in bytes. Several processes may share one folder. */
export interface DiskStore<Meta> {
  /** @returns the entry without its body, for streaming; null without an entry or with a damaged one. */
  read(key: string): Promise<DiskEntry<Meta> | null>;
  /** @returns the entry with its body; null without an entry or with a damaged one. */
  readWithBody(key: string): Promise<EntryWithBody<Meta> | null>;
  /**
   * Writes or replaces an entry. Readers see the old entry or the new one, never a part of one.
   *
   * @param describe returns the entry's description, which must be JSON. Called when all of a stream has been read.
   * @throws the system's error, or the error of the body. The old entry then stays.
   */
  write(key: string, body: Uint8Array | Readable, describe: () => Meta): Promise<DiskEntry<Meta>>;
  /** Marks an entry as used now. Eviction removes the entries first that were unused for longest. A failure is only logged. */
  touch(key: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** Reads the names of all entries, for `mayHave`. */
  list(): Promise<void>;
  /** @returns false for a key that has no entry: none was in the folder when it was listed, and this process has written none. Another process may have. */
  mayHave(key: string): boolean;
  /** The keys of all entries that can be read, and when they were written or last touched. */
  entries(): AsyncGenerator<Pick<DiskEntry<Meta>, 'usedAt'> & { key: string }, void>;
}

export interface DiskStoreOptions<Meta> {
  /** Absolute path of the store's own folder, created with the first entry. */
  dir: string;
  /** Bound of all files in bytes. */
  maxBytes: number;
  /** Decodes a description read from disk. Throws for any other value. */
  decodeMeta: (value: unknown) => Meta;
  /** Sync each file to the disk before it counts as written, so that a power cut leaves no file of the right length with other bytes. */
  durable?: boolean;
  /** Knows of a disk that cannot be written. */
  health?: DiskHealth;
  log: Logger;
  now?: () => number;
}

/** The name of an entry's file is a digest of its key, so that no key can lead out of the folder. */
const ENTRY_NAME = /^[0-9a-f]{64}$/;
/** Bytes read at the end of a file. Most footers fit into them, and need no second read. */
const TAIL_BYTES = 2_048;
/** Eviction stops at this fraction of the bound, so that the next entry does not evict again. */
const EVICTION_TARGET = 0.9;
/** After writes of this fraction of the bound the folder is counted again, because other processes may write to it. */
const RECOUNT_AFTER = 0.1;
/** A file whose name is not an ENTRY_NAME is a draft. At this age in ms it counts as left by a crash, and is removed. */
const DRAFT_LIMIT_MS = 10 * 60 * 1_000;
/** Most unreadable files that are remembered as logged. */
const MAX_LOGGED = 1_000;

/** @returns the store of a folder. The folder is neither read nor created before the first call. */
export function createDiskStore<Meta>(options: DiskStoreOptions<Meta>): DiskStore<Meta> {
  const { dir, maxBytes, decodeMeta, durable = false, health = UNWATCHED, log, now = steadyNow } = options;
  health.watch(dir);
  const logged = boundedMap<true>(MAX_LOGGED);
  /** Bytes of all files that this process knows of; null before the folder is first counted. */
  let storedBytes: number | null = null;
  let writtenSinceCount = 0;
  const counts = new SingleFlight();
  const names = new DigestSet();
  let isListed = false;

  function fileOf(key: string): string {
    return path.join(dir, nameOf(key));
  }

  /** Opens an entry and passes it to a reader. After any failure the entry counts as absent. */
  const readEntry = <T>(key: string, reader: FileReader<T>) => readFile(fileOf(key), key, reader);

  async function readFile<T>(file: string, key: string, reader: FileReader<T>): Promise<T | null> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(file, 'r');
      const { size, mtimeMs } = await handle.stat();
      return await reader(handle, { file, bytes: size, usedAt: mtimeMs });
    } catch (error) {
      if (!isMissingFile(error) && !(await health.explains(error))) logOnce(file, key, error);
      return null;
    } finally {
      await handle?.close();
    }
  }

  function logOnce(file: string, key: string, error: unknown): void {
    if (logged.has(file)) return;
    logged.set(file, true);
    log.warn({ err: error, key, file }, 'disk store: an entry that cannot be read counts as absent');
  }

  function decodeEntry(
    key: string,
    footer: EntryFooter,
  ): Pick<DiskEntry<Meta>, 'meta' | 'bodyBytes' | 'sha256'> {
    const { bodyBytes, sha256 } = footer;
    if (footer.key !== key) throw new DamagedEntryError('The file holds the entry of another key');
    return { meta: decodeMeta(footer.meta), bodyBytes, sha256 };
  }

  /**
   * Evicts files when the folder exceeds its bound. A replaced file is counted until the next count, which comes before any eviction. A failure is only
   * logged, because the entry itself has been written.
   */
  async function evictOverBound(writtenBytes: number): Promise<void> {
    writtenSinceCount += writtenBytes;
    if (storedBytes !== null) {
      storedBytes += writtenBytes;
      if (storedBytes <= maxBytes && writtenSinceCount <= maxBytes * RECOUNT_AFTER) return;
    }
    try {
      await counts.run(dir, countAndEvict);
    } catch (error) {
      if (!(await health.explains(error))) log.warn({ err: error, dir }, 'disk store: eviction failed');
    }
  }

  async function countAndEvict(): Promise<void> {
    writtenSinceCount = 0;
    const { entries, drafts } = await filesOf(dir);
    let bytes = entries.reduce((sum, file) => sum + file.bytes, 0);
    for (const { file, usedAt } of drafts)
      if (usedAt < now() - DRAFT_LIMIT_MS) await rm(file, { force: true });
    if (bytes > maxBytes) {
      entries.sort((a, b) => a.usedAt - b.usedAt);
      for (const oldest of entries) {
        if (bytes <= maxBytes * EVICTION_TARGET) break;
        await rm(oldest.file, { force: true });
        bytes -= oldest.bytes;
      }
    }
    storedBytes = bytes;
  }

  return {
    read: key =>
      readEntry(key, async (handle, { file, bytes, usedAt }) => {
        return { ...decodeEntry(key, await readFooter(handle, bytes)), file, usedAt };
      }),

    readWithBody: key =>
      readEntry(key, async (handle, { file, usedAt }) => {
        const contents = await handle.readFile();
        const footer = decodeFooter(contents, contents.byteLength);
        const body = contents.subarray(0, footer.bodyBytes);
        if (createHash('sha256').update(body).digest('base64url') !== footer.sha256)
          throw new DamagedEntryError('The body is not as it was written');
        return { ...decodeEntry(key, footer), file, usedAt, body };
      }),

    async list() {
      for (const name of (await unlessMissing(readdir(dir))) ?? [])
        if (ENTRY_NAME.test(name)) names.add(name);
      isListed = true;
    },
    mayHave: key => !isListed || names.mayHave(nameOf(key)),

    async write(key, body, describe) {
      names.add(nameOf(key));
      const file = fileOf(key);
      const draft = body instanceof Readable ? streamed(key, body, describe) : whole(key, body, describe);
      try {
        const write = () => writeFileAtomically(file, draft.contents, { durable });
        // The folder is there but for the first time, and after it was removed. A write without it has read nothing of the contents.
        if ((await unlessMissing(write().then(() => true))) !== true) {
          await mkdir(dir, { recursive: true });
          await write();
        }
      } finally {
        if (body instanceof Readable) body.destroy();
      }
      const { fileBytes, ...entry } = await draft.written;
      logged.delete(file);
      await evictOverBound(fileBytes);
      return { ...entry, file, usedAt: now() };
    },

    async touch(key) {
      try {
        await unlessMissing(utimes(fileOf(key), now() / 1_000, now() / 1_000));
      } catch (error) {
        if (!(await health.explains(error)))
          log.warn({ err: error, key }, 'disk store: an entry could not be marked as used');
      }
    },
    remove: key => rm(fileOf(key), { force: true }),

    async *entries() {
      for (const name of (await unlessMissing(readdir(dir))) ?? []) {
        if (!ENTRY_NAME.test(name)) continue;
        const found = await readFile(path.join(dir, name), name, async (handle, { bytes, usedAt }) => {
          const { key } = await readFooter(handle, bytes);
          return { key, usedAt };
        });
        if (found) yield found;
      }
    },
  };
}

function nameOf(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The contents of an entry's file, and what is known of it when they are written. */
interface EntryDraft<Meta> {
  contents: FileContents;
  written: Promise<Pick<DiskEntry<Meta>, 'meta' | 'bodyBytes' | 'sha256'> & { fileBytes: number }>;
}

/** @returns the draft of a body in memory, which is one write. */
function whole<Meta>(key: string, body: Uint8Array, describe: () => Meta): EntryDraft<Meta> {
  const entry = {
    meta: describe(),
    bodyBytes: body.byteLength,
    sha256: createHash('sha256').update(body).digest('base64url'),
  };
  const contents = Buffer.concat([body, encodeFooter({ key, ...entry })]);
  return { contents, written: Promise.resolve({ ...entry, fileBytes: contents.byteLength }) };
}

function streamed<Meta>(key: string, body: Readable, describe: () => Meta): EntryDraft<Meta> {
  // A stream may fail before the loop over its chunks begins. Without a listener its error would end the process; the loop throws it.
  body.on('error', () => {});
  const { promise: written, resolve } = Promise.withResolvers<Awaited<EntryDraft<Meta>['written']>>();
  async function* contents(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    let bodyBytes = 0;
    for await (const chunk of body) {
      hash.update(chunk);
      bodyBytes += chunk.byteLength;
      yield chunk;
    }
    const entry = { meta: describe(), bodyBytes, sha256: hash.digest('base64url') };
    const footer = encodeFooter({ key, ...entry });
    yield footer;
    resolve({ ...entry, fileBytes: bodyBytes + footer.byteLength });
  }
  return { contents: contents(), written };
}

/** Reads a part of an open file. */
type FileReader<T> = (
  handle: FileHandle,
  entry: { file: string; bytes: number; usedAt: number },
) => Promise<T>;

/** @throws DamagedEntryError */
async function readFooter(handle: FileHandle, fileBytes: number): Promise<EntryFooter> {
  const tail = await readTail(handle, fileBytes, TAIL_BYTES);
  const needed = footerBytes(tail);
  const whole = needed > tail.byteLength ? await readTail(handle, fileBytes, needed) : tail;
  return decodeFooter(whole, fileBytes);
}

interface FoundFile {
  file: string;
  bytes: number;
  /** ms since the epoch. */
  usedAt: number;
}

/** @returns the entries and the drafts of a folder, without those that another process removes meanwhile. */
async function filesOf(dir: string): Promise<{ entries: FoundFile[]; drafts: FoundFile[] }> {
  const entries: FoundFile[] = [];
  const drafts: FoundFile[] = [];
  for await (const batch of listFiles(dir)) {
    for (const { name, stats } of batch) {
      const found = { file: path.join(dir, name), bytes: stats.size, usedAt: stats.mtimeMs };
      if (stats.isFile()) (ENTRY_NAME.test(name) ? entries : drafts).push(found);
    }
  }
  return { entries, drafts };
}

/** @returns the last bytes of a file, or all bytes of a shorter file. */
async function readTail(handle: FileHandle, fileBytes: number, tailBytes: number): Promise<Buffer> {
  const length = Math.min(fileBytes, tailBytes);
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read({ buffer, position: fileBytes - length });
  return buffer.subarray(0, bytesRead);
}
