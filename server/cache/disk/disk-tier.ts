import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { boundedMap } from '../../ops/bounded-map.ts';
import type { Logger } from '../../ops/log.ts';
import type { LogCode } from '../../ops/log-codes.ts';
import type { SpareTime } from '../../ops/spare-time.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import { type DiskHealth, UNWATCHED } from './disk-health.ts';
import { DiskStore } from './disk-store.ts';
import { unlessMissing } from './missing-file.ts';

export type DiskTier<R> = Pick<FolderTier<R>, keyof FolderTier<R>>;

export interface RecordCodec<R> {
  encode(record: R): Buffer;
  /** @throws Error for bytes that this build cannot decode. */
  decode(bytes: Buffer): R;
}

export interface DiskTierOptions<R> {
  dir: string;
  /** Name of the folder below `dir`. */
  version: string;
  /** Chooses the other versions whose folders stay, by default none. `others` begins with the last used. */
  keptVersions?: (others: readonly string[]) => readonly string[];
  /** Limit for all files together. The oldest files are removed first. */
  maxBytes: number;
  codec: RecordCodec<R>;
  /** Whether the names of records are read at the start, so that absent records cost no read. */
  listsRecords?: boolean;
  keepsRemoved?: boolean;
  /** Receives each record when it was written, and null for a removed one. */
  onWritten?: ((key: string, record: R | null) => Promise<void>) | undefined;
  /** Whether visitors wait for this process. Records then wait up to MAX_WRITE_DELAY_MS. */
  isBusy?: () => boolean;
  /** Resolves when visitors leave time to write a record. Not awaited while over MAX_WAITING records wait. */
  spareTime?: SpareTime;
  health?: DiskHealth;
  log: Logger;
}

/** The request that generated the record is usually answered within this time. */
const WRITE_DELAY_MS = 100;
const MAX_WRITE_DELAY_MS = 5_000;
/** A record holds about 20 KB of texts, so thousands of waiting ones would take more room than the caches. */
const MAX_WAITING = 100;
/** The number of records written together if urgent. Single writes would be slower than new records come. */
const URGENT_BATCH = 16;
/** The number if many more wait: each file takes some turns of a busy event loop. */
const LARGEST_BATCH = 128;
/** Absent keys are remembered only briefly, because another process may write a record. */
const MAX_ABSENT_KEYS = 1_000;
const ABSENT_FOR_MS = 10_000;
const REMOVED = 'removed';

interface Note<R> {
  record: (() => R) | null;
  /** Whether the record on disk is soft-deleted first. */
  keepsOld: boolean;
}

/** How long a soft-deleted record stays, in ms. */
const REMOVED_MS = 24 * 3_600_000;

class Tombstones {
  readonly #store: DiskStore<null>;
  readonly #removed: DiskStore<null>;

  constructor(store: DiskStore<null>, removed: DiskStore<null>) {
    this.#store = store;
    this.#removed = removed;
  }

  /** Copies a record before it is removed or replaced. */
  async softDelete(key: string): Promise<void> {
    await move(this.#store, this.#removed, key);
  }

  async restore(matches: (key: string) => boolean): Promise<readonly string[]> {
    const keys: string[] = [];
    for await (const { key } of this.#removed.entries()) {
      if (!matches(key) || !(await move(this.#removed, this.#store, key))) continue;
      await this.#removed.remove(key);
      keys.push(key);
    }
    return keys;
  }

  async sweep(pausedMs = 0): Promise<void> {
    for await (const { key, usedAt } of this.#removed.entries())
      if (steadyNow() - pausedMs - usedAt > REMOVED_MS) await this.#removed.remove(key);
  }
}

async function move(from: DiskStore<null>, to: DiskStore<null>, key: string): Promise<boolean> {
  const found = await from.readWithBody(key);
  if (found) await to.write(key, found.body, () => null);
  return found !== null;
}

interface Failure {
  code: LogCode;
  message: string;
  fields: Readonly<Record<string, string>>;
}

/**
 * Records of values on disk, for a process that starts while the backend is down. Writes one file at a time
 * while few records wait, because visitors read the same disk.
 */
export class FolderTier<R> {
  readonly #codec: RecordCodec<R>;
  readonly #health: DiskHealth;
  readonly #log: Logger;
  readonly #isBusy: () => boolean;
  readonly #spareTime: SpareTime;
  readonly #store: DiskStore<null>;
  readonly #tombstones: Tombstones | null;
  readonly #onWritten: DiskTierOptions<R>['onWritten'];
  readonly #ready: Promise<void>;
  readonly #noted = new Map<string, Note<R>>();
  /** The notes whose files are being written. */
  readonly #current = new Map<string, Note<R>>();
  /** Keys that a recent read found absent. The removal of a made-up address then skips the disk. */
  readonly #absent = boundedMap<true>(MAX_ABSENT_KEYS, { ttl: ABSENT_FOR_MS });
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When writing has to begin, by `performance.now`. */
  #dueAt = 0;
  #writing: Promise<void> | null = null;
  /** Number of waiting calls of `settled`. */
  #hurrying = 0;

  constructor(options: DiskTierOptions<R>) {
    const { dir, version, keptVersions = () => [], maxBytes, codec, health = UNWATCHED, log } = options;
    const { isBusy = () => false, spareTime = async () => {} } = options;
    this.#codec = codec;
    this.#health = health;
    this.#log = log;
    this.#isBusy = isBusy;
    this.#spareTime = spareTime;
    this.#onWritten = options.onWritten;
    const storeAt = (folder: string) =>
      new DiskStore<null>({ dir: folder, maxBytes, decodeMeta: () => null, health, log });
    this.#store = storeAt(path.join(dir, version));
    this.#tombstones = options.keepsRemoved
      ? new Tombstones(this.#store, storeAt(path.join(dir, version, REMOVED)))
      : null;
    this.#ready = this.#logFailure(removeOtherVersions(dir, version, keptVersions), {
      code: 'disk-versions-not-removed',
      message: 'disk tier: folders of other versions could not be removed',
      fields: { dir },
    });
    if (options.listsRecords)
      void this.#logFailure(this.#store.list(), {
        code: 'disk-records-not-listed',
        message: 'disk tier: the records could not be listed, so looking for an absent one costs a read',
        fields: { dir },
      });
  }

  /**
   * Notes a record to write later, usually after the value was sent.
   * @param record makes the record when it is written.
   * @param keepsOld whether the replaced record is soft-deleted.
   */
  write(key: string, record: () => R, keepsOld = false): void {
    this.#note(key, record, keepsOld);
  }

  /** @returns null if the record is missing or damaged. */
  async read(key: string): Promise<R | null> {
    // The newest state comes first: noted, being written, on disk. A noted removal has the record null.
    const pending = this.#noted.get(key) ?? this.#current.get(key);
    if (pending !== undefined) return pending.record?.() ?? null;
    const writesBefore = this.#writes;
    const stored = await this.#store.readWithBody(key);
    if (!stored) {
      // Otherwise a record was noted during the read and may be on disk now, so the key is not absent.
      if (this.#writes === writesBefore) this.#absent.set(key, true);
      return null;
    }
    try {
      return this.#codec.decode(stored.body);
    } catch (error) {
      this.#log.warn(
        { code: 'disk-record-undecodable', err: error, key },
        'disk tier: a record cannot be decoded and counts as absent',
      );
      return null;
    }
  }

  /** @returns whether the start found no record and none was noted since. False without `listsRecords`. */
  isAbsent(key: string): boolean {
    return !this.#noted.has(key) && !this.#current.has(key) && !this.#store.mayHave(key);
  }

  /** Yields the keys of all records. Reads a part of each file. */
  async *keys(): AsyncGenerator<string, void> {
    for await (const { key } of this.#store.entries()) yield key;
  }

  remove(key: string): void {
    this.#note(key, null, false);
  }

  /** Moves the record to `removed/` for a day. Without the option `keepsRemoved`, deletes it at once. */
  softDelete(key: string): void {
    this.#note(key, null, true);
  }

  /** Restores matching soft-deleted records. They replace records written later. @returns their keys. */
  async restore(matches: (key: string) => boolean): Promise<readonly string[]> {
    await this.settled();
    this.#absent.clear();
    return (await this.#tombstones?.restore(matches)) ?? [];
  }

  /** Deletes records soft-deleted for more than a day. `pausedMs` does not count as age. */
  async sweep(pausedMs?: number): Promise<void> {
    await this.#tombstones?.sweep(pausedMs);
  }

  async settled(): Promise<void> {
    this.#hurrying += 1;
    while (this.#noted.size > 0 || this.#writing) {
      this.#startWriting(() => false);
      await this.#writing;
    }
    this.#hurrying -= 1;
  }

  /** @returns the number of noted records that are not on disk yet. */
  waiting(): number {
    return this.#noted.size;
  }

  #note(key: string, record: Note<R>['record'], keepsOld: boolean): void {
    if (record !== null) {
      this.#absent.delete(key);
      this.#writes += 1;
    } else if (this.#absent.has(key)) return;
    const isKept = keepsOld || this.#noted.get(key)?.keepsOld === true;
    this.#noted.delete(key);
    this.#noted.set(key, { record, keepsOld: isKept });
    if (this.#isUrgent()) this.#startWriting(this.#mustWait);
    else if (!this.#writing && this.#timer === undefined) this.#writeLater();
  }

  #isUrgent(): boolean {
    return this.#hurrying > 0 || this.#noted.size > MAX_WAITING;
  }

  /** Grows with the waiting records, so that they never become more than a few hundred. */
  #urgentBatch(): number {
    return Math.min(LARGEST_BATCH, Math.max(URGENT_BATCH, this.#noted.size - MAX_WAITING));
  }

  #writeLater(): void {
    this.#dueAt = performance.now() + MAX_WRITE_DELAY_MS;
    this.#timer = setTimeout(this.#writeWhenQuiet, WRITE_DELAY_MS);
  }

  readonly #mustWait = () => !this.#isUrgent() && this.#isBusy() && performance.now() < this.#dueAt;

  readonly #writeWhenQuiet = () => {
    if (this.#mustWait()) this.#timer = setTimeout(this.#writeWhenQuiet, WRITE_DELAY_MS);
    else this.#startWriting(this.#mustWait);
  };

  /** @param isPaused whether the remaining records are written later. */
  #startWriting(isPaused: () => boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll(isPaused).finally(() => {
      this.#writing = null;
      if (this.#noted.size > 0 && this.#timer === undefined) this.#writeLater();
    });
  }

  async #writeAll(isPaused: () => boolean): Promise<void> {
    await this.#ready;
    while (this.#noted.size > 0) {
      if (!this.#isUrgent()) await this.#spareTime();
      if (isPaused()) break;
      const batch = [...this.#noted].slice(0, this.#isUrgent() ? this.#urgentBatch() : 1);
      for (const [key, note] of batch) {
        this.#noted.delete(key);
        this.#current.set(key, note);
      }
      await Promise.all(batch.map(([key, note]) => this.#writeNote(key, note)));
      this.#current.clear();
    }
  }

  #writeNote(key: string, { record, keepsOld }: Note<R>): Promise<void> {
    const write = async () => {
      if (keepsOld) await this.#tombstones?.softDelete(key);
      const written = record?.() ?? null;
      if (written) await this.#store.write(key, this.#codec.encode(written), () => null);
      else await this.#store.remove(key);
      await this.#onWritten?.(key, written);
    };
    return this.#logFailure(write(), {
      code: 'disk-record-unwritten',
      message: 'disk tier: a record could not be written',
      fields: { key },
    });
  }

  /** Logs a failure unless the health of the disk explains it. */
  async #logFailure(work: Promise<void>, { code, message, fields }: Failure): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(await this.#health.explains(error))) this.#log.warn({ code, err: error, ...fields }, message);
    }
  }
}

/** Marks the version's folder as used, and removes folders of other versions. */
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

/** @returns the folders, last used first. The start of a version and the write of a file count as use. */
async function lastUsedFirst(dir: string): Promise<string[]> {
  const used = await Promise.all(
    (await readdir(dir)).map(async name => ({
      name,
      at: (await unlessMissing(stat(path.join(dir, name))))?.mtimeMs ?? 0,
    })),
  );
  return used.sort((a, b) => b.at - a.at).map(({ name }) => name);
}
