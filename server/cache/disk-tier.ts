import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';
import type { SpareTime } from '../ops/spare-time.ts';
import { type DiskHealth, UNWATCHED } from './disk-health.ts';
import { createDiskStore } from './disk-store.ts';
import { unlessMissing } from './missing-file.ts';
import { createRemovedRecords } from './removed-records.ts';

/** Records of values on disk, for a process that starts while the backend is down. */
export interface DiskTier<R> {
  /**
   * Notes a record, which is written soon, after the value has been sent. A later record of the same key replaces it.
   *
   * @param record returns the record. Called when it is written.
   * @param keepsOld whether the record that it replaces is set aside.
   */
  write(key: string, record: () => R, keepsOld?: boolean): void;
  /** @returns the record, or null without one or when its file is damaged. */
  read(key: string): Promise<R | null>;
  /** @returns whether a key has no record, but for one that another process may have written since the start. Always false for a tier that does not list its records. */
  isAbsent(key: string): boolean;
  /** The keys of all records that are on disk. Reads a part of each file. */
  keys(): AsyncGenerator<string, void>;
  remove(key: string): void;
  /** Removes a record that may be wanted back: it is kept apart for a day where the tier keeps removed records. */
  setAside(key: string): void;
  /** Brings records back that were set aside, in place of those that came after them. @returns their keys. */
  restore(matches: (key: string) => boolean): Promise<readonly string[]>;
  /**
   * Deletes the records that were set aside more than a day ago.
   *
   * @param pausedMs a time that does not count, in ms.
   */
  sweep(pausedMs?: number): Promise<void>;
  /** Resolves when all noted records are on disk. */
  settled(): Promise<void>;
  /** @returns how many noted records are not on disk. */
  waiting(): number;
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
  /** Whether the tier reads the names of its records at the start, so that it need not look for one that is absent. */
  listsRecords?: boolean;
  /** Whether records that are set aside are kept for a day. By default they are deleted. */
  keepsRemoved?: boolean;
  /**
   * Whether visitors wait for work of this process. Records are then written later: at the latest after MAX_WRITE_DELAY_MS, or when more than MAX_WAITING
   * of them wait.
   */
  isBusy?: () => boolean;
  /** Resolves when visitors leave room for the next record. `settled` does not wait for it, nor do records while more than MAX_WAITING wait. */
  spareTime?: SpareTime;
  /** Knows of a disk that cannot be written. */
  health?: DiskHealth;
  log: Logger;
}

/** Writing begins this many ms after the first note. The request that generated the record has usually been answered by then. */
const WRITE_DELAY_MS = 100;
/** Writing begins at the latest this many ms after the first note. */
const MAX_WRITE_DELAY_MS = 5_000;
/**
 * The most records that wait until visitors leave room. More of them are written at once: each holds about 20 KB of texts, so thousands would hold
 * more memory than the caches.
 */
const MAX_WAITING = 100;
/**
 * How many files are written at a time while more than MAX_WAITING records wait. Each file takes four trips to a thread, so one after the other would
 * be slower than new pages come.
 */
const URGENT_BATCH = 16;
/** Keys that were read and have no record: most that are remembered, and how long, in ms. Another process may write a record later. */
const MAX_ABSENT_KEYS = 1_000;
const ABSENT_FOR_MS = 10_000;
/** The folder of records that were set aside, in the folder of a version. */
const REMOVED = 'removed';

/** A change of one key. The record is null if it is to be removed. */
interface Note<R> {
  record: (() => R) | null;
  /** Whether the record on disk is set aside before. */
  keepsOld: boolean;
}

/** @returns a disk tier over a folder. By default it writes one file at a time, because visitors wait for reads of the same disk. */
export function createDiskTier<R>(options: DiskTierOptions<R>): DiskTier<R> {
  const { dir, version, keptVersions = () => [], maxBytes, codec, health = UNWATCHED, log } = options;
  const { isBusy = () => false, spareTime = async () => {} } = options;
  const storeOptions = { maxBytes, decodeMeta: () => null, health, log };
  const store = createDiskStore<null>({ dir: path.join(dir, version), ...storeOptions });
  const removed = options.keepsRemoved
    ? createRemovedRecords(
        store,
        createDiskStore<null>({ dir: path.join(dir, version, REMOVED), ...storeOptions }),
      )
    : null;
  const noted = new Map<string, Note<R>>();
  /** The keys that have no record, by a read a moment ago. An address that does not exist is read and then removed. */
  const absent = boundedMap<true>(MAX_ABSENT_KEYS, { ttl: ABSENT_FOR_MS });
  let writes = 0;
  /** The notes whose files are being written. */
  const current = new Map<string, Note<R>>();
  let timer: NodeJS.Timeout | undefined;
  /** When writing has to begin, by `performance.now`. */
  let dueAt = 0;
  let writing: Promise<void> | null = null;
  /** Calls of `settled` that wait. */
  let hurrying = 0;
  const ready = removeOtherVersions(dir, version, keptVersions).catch(async (error: unknown) => {
    if (!(await health.explains(error)))
      log.warn({ err: error, dir }, 'disk tier: folders of other versions could not be removed');
  });
  if (options.listsRecords) void listRecords();

  async function listRecords(): Promise<void> {
    try {
      await store.list();
    } catch (error) {
      if (!(await health.explains(error)))
        log.warn({ err: error, dir }, 'disk tier: the records could not be listed, so each is looked for');
    }
  }

  function note(key: string, record: Note<R>['record'], keepsOld = false): void {
    if (record !== null) {
      absent.delete(key);
      writes += 1;
    } else if (absent.has(key)) return;
    const isKept = keepsOld || noted.get(key)?.keepsOld === true;
    noted.delete(key);
    noted.set(key, { record, keepsOld: isKept });
    if (isUrgent()) startWriting(mustWait);
    else if (!writing && timer === undefined) writeLater();
  }

  function isUrgent(): boolean {
    return hurrying > 0 || noted.size > MAX_WAITING;
  }

  function writeLater(): void {
    dueAt = performance.now() + MAX_WRITE_DELAY_MS;
    timer = setTimeout(writeWhenQuiet, WRITE_DELAY_MS);
  }

  const mustWait = () => !isUrgent() && isBusy() && performance.now() < dueAt;

  function writeWhenQuiet(): void {
    if (mustWait()) timer = setTimeout(writeWhenQuiet, WRITE_DELAY_MS);
    else startWriting(mustWait);
  }

  /** @param isPaused whether the records that are left are written later. */
  function startWriting(isPaused: () => boolean): void {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll(isPaused).finally(() => {
      writing = null;
      if (noted.size > 0 && timer === undefined) writeLater();
    });
  }

  async function writeAll(isPaused: () => boolean): Promise<void> {
    await ready;
    while (noted.size > 0) {
      if (!isUrgent()) await spareTime();
      if (isPaused()) break;
      const [first] = noted;
      const batch = isUrgent() ? [...noted].slice(0, URGENT_BATCH) : first ? [first] : [];
      for (const [key, entry] of batch) {
        noted.delete(key);
        current.set(key, entry);
      }
      await Promise.all(batch.map(([key, entry]) => writeNote(key, entry)));
      current.clear();
    }
  }

  async function writeNote(key: string, { record, keepsOld }: Note<R>): Promise<void> {
    try {
      if (keepsOld) await removed?.setAside(key);
      if (record) await store.write(key, codec.encode(record()), () => null);
      else await store.remove(key);
    } catch (error) {
      if (!(await health.explains(error)))
        log.warn({ err: error, key }, 'disk tier: a record could not be written');
    }
  }

  async function settled(): Promise<void> {
    hurrying += 1;
    while (noted.size > 0 || writing) {
      startWriting(() => false);
      await writing;
    }
    hurrying -= 1;
  }

  return {
    write: note,
    isAbsent: key => !noted.has(key) && !current.has(key) && !store.mayHave(key),
    async *keys() {
      for await (const { key } of store.entries()) yield key;
    },
    remove: key => note(key, null),
    setAside: key => note(key, null, true),
    async restore(matches) {
      await settled();
      absent.clear();
      return (await removed?.restore(matches)) ?? [];
    },
    sweep: async pausedMs => removed?.sweep(pausedMs),
    settled,
    waiting: () => noted.size,

    async read(key) {
      // A noted record or removal (null) is newer than the record that is being written, which is newer than the file.
      const pending = noted.get(key) ?? current.get(key);
      if (pending !== undefined) return pending.record?.() ?? null;
      const writesBefore = writes;
      const stored = await store.readWithBody(key);
      if (!stored) {
        // A record that was noted during the read may be on the disk now.
        if (writes === writesBefore) absent.set(key, true);
        return null;
      }
      try {
        return codec.decode(stored.body);
      } catch (error) {
        log.warn({ err: error, key }, 'disk tier: a record cannot be decoded and counts as absent');
        return null;
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
