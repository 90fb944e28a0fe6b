import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { boundedMap } from '../../ops/bounded-map.ts';
import type { LogCode } from '../../ops/log-codes.ts';
import type { SpareTime } from '../../ops/spare-time.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import { DiskStore, type DiskStoreOptions } from './disk-store.ts';
import { unlessMissing } from './missing-file.ts';

export type DiskTier<R> = Pick<FolderTier<R>, keyof FolderTier<R>>;

export interface RecordCodec<R> {
  encode(record: R): Buffer;
  decode(bytes: Buffer): R;
}

export interface DiskTierOptions<R>
  extends Pick<DiskStoreOptions<null>, 'dir' | 'maxBytes' | 'health' | 'log'> {
  version: string;
  /** Chooses the other versions whose folders stay, by default none. `others`: most recently used first. */
  keptVersions?: (others: readonly string[]) => readonly string[];
  codec: RecordCodec<R>;
  /** Whether the names of records are read at the start, so that absent records cost no read. */
  listsRecords?: boolean;
  keepsRemoved?: boolean;
  /** Called with each record after its write, and with null after a removal. */
  onWritten?: ((key: string, record: R | null) => Promise<void>) | undefined;
  /** Resolves when requests leave time for a write. Ignored while more than MAX_WAITING records wait. */
  spareTime?: SpareTime;
}

/** The delay of a write, so that the request that generated the record is usually answered first. */
const WRITE_DELAY_MS = 100;
/** Above this number writes are urgent: a record takes about 20 KB, so thousands would fill the memory. */
const MAX_WAITING = 100;
/** How many records are written together if urgent. Single writes could not keep up with new records. */
const URGENT_BATCH = 16;
/** The most records written together if many wait: each file takes some ticks of a busy event loop. */
const LARGEST_BATCH = 128;
/** Absent keys are remembered only briefly, because another process may write a record. */
const MAX_ABSENT_KEYS = 1_000;
const ABSENT_FOR_MS = 10_000;
const REMOVED = 'removed';

const REMOVED_MS = 24 * 3_600_000;

interface Note<R> {
  record: (() => R) | null;
  keepsOld: boolean;
}

/**
 * Records of values on disk, for a process that starts while the backend is down. Writes one file at a time
 * while few records wait, because reads for visitors use the same disk.
 */
export class FolderTier<R> {
  readonly #options: DiskTierOptions<R>;
  readonly #store: DiskStore<null>;
  readonly #removed: DiskStore<null> | null;
  readonly #ready: Promise<void>;
  readonly #noted = new Map<string, Note<R>>();
  /** The notes whose files are being written. */
  readonly #current = new Map<string, Note<R>>();
  /** Keys that a recent read found absent. The removal of a made-up address then skips the disk. */
  readonly #absent = boundedMap<true>(MAX_ABSENT_KEYS, { ttl: ABSENT_FOR_MS });
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | null = null;
  /** Number of waiting calls of `settled`. */
  #hurrying = 0;

  constructor(options: DiskTierOptions<R>) {
    const { dir, version, keptVersions = () => [], maxBytes, health, log } = options;
    this.#options = options;
    const storeAt = (folder: string) =>
      new DiskStore<null>({ dir: folder, maxBytes, decodeMeta: () => null, health, log });
    this.#store = storeAt(path.join(dir, version));
    this.#removed = options.keepsRemoved ? storeAt(path.join(dir, version, REMOVED)) : null;
    this.#ready = this.#logFailure(
      removeOtherVersions(dir, version, keptVersions),
      { code: 'disk-versions-not-removed', dir },
      'disk tier: folders of other versions could not be removed',
    );
    if (options.listsRecords)
      void this.#logFailure(
        this.#store.list(),
        { code: 'disk-records-not-listed', dir },
        'disk tier: the records could not be listed, so looking for an absent one costs a read',
      );
  }

  /** Notes a record to write later. @param keepsOld whether the replaced record is soft-deleted. */
  write(key: string, record: () => R, keepsOld = false): void {
    this.#note(key, record, keepsOld);
  }

  async read(key: string): Promise<R | null> {
    // The newest state comes first: noted, being written, on disk. A noted removal has the record null.
    const pending = this.#noted.get(key) ?? this.#current.get(key);
    if (pending !== undefined) return pending.record?.() ?? null;
    const writesBefore = this.#writes;
    const stored = await this.#store.readWithBody(key);
    if (!stored) {
      // If the numbers differ, a record was noted during the read and may be on disk now.
      if (this.#writes === writesBefore) this.#absent.set(key, true);
      return null;
    }
    try {
      return this.#options.codec.decode(stored.body);
    } catch (error) {
      this.#options.log.warn(
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
    const keys: string[] = [];
    if (!this.#removed) return keys;
    for await (const { key } of this.#removed.entries()) {
      if (!matches(key) || !(await copyRecord(key, this.#removed, this.#store))) continue;
      await this.#removed.remove(key);
      keys.push(key);
    }
    return keys;
  }

  /** Deletes records soft-deleted for more than a day. `pausedMs` does not count as age. */
  async sweep(pausedMs = 0): Promise<void> {
    if (!this.#removed) return;
    for await (const { key, usedAt } of this.#removed.entries())
      if (steadyNow() - pausedMs - usedAt > REMOVED_MS) await this.#removed.remove(key);
  }

  async settled(): Promise<void> {
    this.#hurrying += 1;
    while (this.#noted.size > 0 || this.#writing) {
      this.#startWriting();
      await this.#writing;
    }
    this.#hurrying -= 1;
  }

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
    if (this.#isUrgent()) this.#startWriting();
    else if (!this.#writing) this.#timer ??= setTimeout(() => this.#startWriting(), WRITE_DELAY_MS);
  }

  #isUrgent(): boolean {
    return this.#hurrying > 0 || this.#noted.size > MAX_WAITING;
  }

  /** @returns how many records to write together: more if more wait, so that at most a few hundred wait. */
  #urgentBatch(): number {
    return Math.min(LARGEST_BATCH, Math.max(URGENT_BATCH, this.#noted.size - MAX_WAITING));
  }

  #startWriting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    await this.#ready;
    while (this.#noted.size > 0) {
      if (!this.#isUrgent()) await this.#options.spareTime?.();
      const batch = [...this.#noted].slice(0, this.#isUrgent() ? this.#urgentBatch() : 1);
      for (const [key, note] of batch) {
        this.#noted.delete(key);
        this.#current.set(key, note);
      }
      await Promise.all(batch.map(([key, note]) => this.#writeNote(key, note)));
      this.#current.clear();
    }
    this.#writing = null;
  }

  #writeNote(key: string, { record, keepsOld }: Note<R>): Promise<void> {
    const { codec, onWritten } = this.#options;
    const write = async () => {
      if (keepsOld && this.#removed) await copyRecord(key, this.#store, this.#removed);
      const written = record?.() ?? null;
      if (written) await this.#store.write(key, codec.encode(written), () => null);
      else await this.#store.remove(key);
      await onWritten?.(key, written);
    };
    return this.#logFailure(
      write(),
      { code: 'disk-record-unwritten', key },
      'disk tier: a record could not be written',
    );
  }

  async #logFailure(
    work: Promise<void>,
    fields: { readonly code: LogCode; readonly [name: string]: string },
    message: string,
  ): Promise<void> {
    const { health, log } = this.#options;
    try {
      await work;
    } catch (error) {
      if (!(await health?.explains(error))) log.warn({ ...fields, err: error }, message);
    }
  }
}

async function copyRecord(key: string, from: DiskStore<null>, to: DiskStore<null>): Promise<boolean> {
  const found = await from.readWithBody(key);
  if (found) await to.write(key, found.body, () => null);
  return found !== null;
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

/** @returns the folders, most recently used first. A version's start and each file write count as use. */
async function lastUsedFirst(dir: string): Promise<string[]> {
  const used = await Promise.all(
    (await readdir(dir)).map(async name => ({
      name,
      at: (await unlessMissing(stat(path.join(dir, name))))?.mtimeMs ?? 0,
    })),
  );
  return used.sort((a, b) => b.at - a.at).map(({ name }) => name);
}
