import { createHash, hash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import PQueue from 'p-queue';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import { SingleFlight } from '../single-flight.ts';
import { type DiskHealth, UNWATCHED } from './disk-health.ts';
import {
  DamagedEntryError,
  decodeEntry,
  decodeFooter,
  type EntryFooter,
  encodeFooter,
  footerBytes,
} from './entry-file.ts';
import { listFiles } from './list-files.ts';
import { isMissingFile, unlessMissing } from './missing-file.ts';
import { type FileContents, writeFileAtomically } from './write-file-atomically.ts';

export interface DiskEntry<Meta> {
  meta: Meta;
  /** Absolute path. The body is the first `bodyBytes` bytes of the file. */
  file: string;
  bodyBytes: number;
  /** Digest of the body in base64url, which can serve as an ETag. */
  sha256: string;
  /** Last write or touch, in ms since the epoch. */
  usedAt: number;
}

export interface DiskStoreOptions<Meta> {
  dir: string;
  /** Limit for all files together. The oldest files are removed first. */
  maxBytes: number;
  /** @throws if the value does not describe an entry. */
  decodeMeta: (value: unknown) => Meta;
  /** Syncs each file, so that a power cut leaves no file with the right length and wrong bytes. */
  durable?: boolean;
  health?: DiskHealth | undefined;
  log: Logger;
  now?: () => number;
}

/** The name of an entry's file. It is a digest of the key, so that no key can lead out of the folder. */
const ENTRY_NAME = /^[0-9a-f]{64}$/;
/** Most footers fit into these last bytes of a file. */
const TAIL_BYTES = 2_048;
/** Eviction goes down to this fraction of the maximum, so that the next entry does not evict again. */
const EVICTION_TARGET = 0.9;
const REMOVALS_AT_ONCE = 64;
/** Writing this fraction of the maximum leads to a recount, because other processes may write, too. */
const RECOUNT_AFTER = 0.1;
/** A draft is a file without an ENTRY_NAME. A draft of this age, in ms, was left by a crash. */
const DRAFT_LIMIT_MS = 10 * 60 * 1_000;

/** A folder of entries with keys of any kind, limited in bytes. Processes may share the folder. */
export class DiskStore<Meta> {
  readonly #dir: string;
  readonly #options: DiskStoreOptions<Meta>;
  readonly #health: DiskHealth;
  readonly #now: () => number;
  readonly #counts = new SingleFlight();
  readonly #names = new DigestSet();
  #isListed = false;
  #storedBytes: number | null = null;
  #writtenSinceCount = 0;

  constructor(options: DiskStoreOptions<Meta>) {
    const { dir, health = UNWATCHED, now = steadyNow } = options;
    this.#options = options;
    this.#dir = path.resolve(dir);
    this.#health = health;
    this.#now = now;
    health.watch(dir);
  }

  /** @returns the entry without its body, for streaming; null if the entry is missing or damaged. */
  read(key: string): Promise<DiskEntry<Meta> | null> {
    return this.#readFile(this.#fileOf(key), key, async (handle, { file, bytes, usedAt }) => {
      return { ...this.#decodeEntry(key, await readFooter(handle, bytes)), file, usedAt };
    });
  }

  /** @returns the entry with its checked body; null if the entry is missing or damaged. */
  readWithBody(key: string): Promise<(DiskEntry<Meta> & { body: Buffer }) | null> {
    return this.#readFile(this.#fileOf(key), key, async (handle, { file, usedAt }) => {
      const { footer, body } = decodeEntry(await handle.readFile());
      return { ...this.#decodeEntry(key, footer), file, usedAt, body };
    });
  }

  /**
   * Writes or replaces an entry. Readers see the old entry or the new one, never a part.
   * @param describe returns `meta`, a JSON value. For a stream, it is called at the stream's end.
   * @throws the system's error, or the error of the body. The old entry then stays.
   */
  async write(key: string, body: Uint8Array | Readable, describe: () => Meta): Promise<DiskEntry<Meta>> {
    this.#names.add(nameOf(key));
    const file = this.#fileOf(key);
    const draft = body instanceof Readable ? streamed(key, body, describe) : whole(key, body, describe);
    try {
      const write = () => writeFileAtomically(file, draft.contents, { durable: this.#options.durable });
      // A write into a missing folder fails before it reads any contents, so it can be repeated.
      if ((await unlessMissing(write().then(() => true))) !== true) {
        const wasPresent = this.#health.isPresent(this.#dir);
        const isCreated = (await mkdir(this.#dir, { recursive: true })) !== undefined;
        await write();
        if (isCreated) this.#health.noteCreated(this.#dir, wasPresent);
      }
    } finally {
      if (body instanceof Readable) body.destroy();
    }
    const { fileBytes, ...entry } = await draft.written;
    this.#health.noteMended(file);
    await this.#evictOverBound(fileBytes);
    return { ...entry, file, usedAt: this.#now() };
  }

  /** Marks an entry as used, because eviction removes the least recently used first. Only logs a failure. */
  async touch(key: string): Promise<void> {
    const seconds = this.#now() / 1_000;
    try {
      await unlessMissing(utimes(this.#fileOf(key), seconds, seconds));
    } catch (error) {
      if (!(await this.#health.explains(error)))
        this.#options.log.warn(
          { code: 'disk-entry-not-touched', err: error, key },
          'disk store: an entry could not be marked as used',
        );
    }
  }

  remove(key: string): Promise<void> {
    return rm(this.#fileOf(key), { force: true });
  }

  /** Removes entries without a write or touch since a time, in ms since the epoch. */
  async removeUnused(since: number): Promise<void> {
    const { entries } = (await unlessMissing(filesOf(this.#dir))) ?? { entries: [] };
    for (const { file, usedAt } of entries) if (usedAt < since) await rm(file, { force: true });
  }

  async list(): Promise<void> {
    for (const name of (await unlessMissing(readdir(this.#dir))) ?? [])
      if (ENTRY_NAME.test(name)) this.#names.add(name);
    this.#isListed = true;
  }

  /** @returns false for a key that `list` has not found, and that this process has not written since. */
  mayHave(key: string): boolean {
    return !this.#isListed || this.#names.mayHave(nameOf(key));
  }

  async *entries(): AsyncGenerator<Pick<DiskEntry<Meta>, 'usedAt'> & { key: string }, void> {
    for (const name of (await unlessMissing(readdir(this.#dir))) ?? []) {
      if (!ENTRY_NAME.test(name)) continue;
      const file = path.join(this.#dir, name);
      const found = await this.#readFile(file, name, async (handle, { bytes, usedAt }) => {
        const { key } = await readFooter(handle, bytes);
        return { key, usedAt };
      });
      if (found) yield found;
    }
  }

  #fileOf(key: string): string {
    return path.join(this.#dir, nameOf(key));
  }

  async #readFile<T>(file: string, key: string, reader: FileReader<T>): Promise<T | null> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(file, 'r');
      const { size, mtimeMs } = await handle.stat();
      return await reader(handle, { file, bytes: size, usedAt: mtimeMs });
    } catch (error) {
      if (!isMissingFile(error) && !(await this.#health.explains(error))) this.#logOnce(file, key, error);
      return null;
    } finally {
      await handle?.close();
    }
  }

  #logOnce(file: string, key: string, error: unknown): void {
    if (!this.#health.noteDamaged(file)) return;
    this.#options.log.warn(
      { code: 'disk-entry-unreadable', err: error, key, file },
      'disk store: an entry cannot be read and counts as absent',
    );
  }

  #decodeEntry(key: string, footer: EntryFooter): Pick<DiskEntry<Meta>, 'meta' | 'bodyBytes' | 'sha256'> {
    const { bodyBytes, sha256 } = footer;
    if (footer.key !== key) throw new DamagedEntryError('The file holds the entry of another key');
    return { meta: this.#options.decodeMeta(footer.meta), bodyBytes, sha256 };
  }

  /** Evicts above the limit. Replaced files count until the next recount. Only logs a failure. */
  async #evictOverBound(writtenBytes: number): Promise<void> {
    this.#writtenSinceCount += writtenBytes;
    if (this.#storedBytes !== null) {
      this.#storedBytes += writtenBytes;
      const isCounted = this.#writtenSinceCount <= this.#options.maxBytes * RECOUNT_AFTER;
      if (this.#storedBytes <= this.#options.maxBytes && isCounted) return;
    }
    try {
      await this.#counts.run(this.#dir, () => this.#countAndEvict());
    } catch (error) {
      if (!(await this.#health.explains(error)))
        this.#options.log.warn(
          { code: 'disk-eviction-failed', err: error, dir: this.#dir },
          'disk store: eviction failed',
        );
    }
  }

  async #countAndEvict(): Promise<void> {
    this.#writtenSinceCount = 0;
    const { entries, drafts } = await filesOf(this.#dir);
    let bytes = entries.reduce((sum, file) => sum + file.bytes, 0);
    for (const { file, usedAt } of drafts)
      if (usedAt < this.#now() - DRAFT_LIMIT_MS) await rm(file, { force: true });
    if (bytes > this.#options.maxBytes) {
      entries.sort((a, b) => a.usedAt - b.usedAt);
      const oldest: string[] = [];
      for (const entry of entries) {
        if (bytes <= this.#options.maxBytes * EVICTION_TARGET) break;
        oldest.push(entry.file);
        bytes -= entry.bytes;
      }
      // Remove many at once: writes wait for the last removal, and each one takes ticks of a busy event loop.
      const removals = new PQueue({ concurrency: REMOVALS_AT_ONCE });
      await removals.addAll(oldest.map(file => () => rm(file, { force: true })));
    }
    this.#storedBytes = bytes;
  }
}

function nameOf(key: string): string {
  return hash('sha256', key, 'hex');
}

interface EntryDraft<Meta> {
  contents: FileContents;
  written: Promise<Pick<DiskEntry<Meta>, 'meta' | 'bodyBytes' | 'sha256'> & { fileBytes: number }>;
}

function whole<Meta>(key: string, body: Uint8Array, describe: () => Meta): EntryDraft<Meta> {
  const entry = {
    meta: describe(),
    bodyBytes: body.byteLength,
    sha256: hash('sha256', body, 'base64url'),
  };
  const contents = Buffer.concat([body, encodeFooter({ key, ...entry })]);
  return { contents, written: Promise.resolve({ ...entry, fileBytes: contents.byteLength }) };
}

function streamed<Meta>(key: string, body: Readable, describe: () => Meta): EntryDraft<Meta> {
  // Without a listener an early error of the stream would end the process. The loop below throws the error.
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

type FileReader<T> = (handle: FileHandle, entry: FoundFile) => Promise<T>;

async function readFooter(handle: FileHandle, fileBytes: number): Promise<EntryFooter> {
  const tail = await readTail(handle, fileBytes, TAIL_BYTES);
  const needed = footerBytes(tail);
  const whole = needed > tail.byteLength ? await readTail(handle, fileBytes, needed) : tail;
  return decodeFooter(whole, fileBytes);
}

interface FoundFile {
  file: string;
  bytes: number;
  usedAt: number;
}

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

async function readTail(handle: FileHandle, fileBytes: number, tailBytes: number): Promise<Buffer> {
  const length = Math.min(fileBytes, tailBytes);
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read({ buffer, position: fileBytes - length });
  return buffer.subarray(0, bytesRead);
}

/** How many of a digest's first hexadecimal digits choose the bit. */
const DIGITS = 5;
const BYTES = 16 ** DIGITS / 8;

/** A Bloom filter of digests in 128 KiB. With 50,000 digests its rate of false positives is 5 %. */
export class DigestSet {
  readonly #bits = new Uint8Array(BYTES);

  add(digest: string): void {
    const { byte, mask } = placeOf(digest);
    this.#bits[byte] = (this.#bits[byte] ?? 0) | mask;
  }

  mayHave(digest: string): boolean {
    const { byte, mask } = placeOf(digest);
    return ((this.#bits[byte] ?? 0) & mask) !== 0;
  }
}

function placeOf(digest: string): { byte: number; mask: number } {
  const bit = Number.parseInt(digest.slice(0, DIGITS), 16);
  return { byte: bit >> 3, mask: 1 << (bit & 7) };
}
