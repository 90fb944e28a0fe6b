import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { boundedMap } from '../../ops/bounded-map.ts';
import { Condition } from '../../ops/condition.ts';
import type { Logger } from '../../ops/log.ts';
import { SingleFlight } from '../single-flight.ts';
import { within } from '../within.ts';
import { isMissingFile, unlessMissing } from './missing-file.ts';

type DiskState = { isWritable: true } | { isWritable: false; error: Error; remedy: string };

export type DiskHealth = Pick<FolderHealth, keyof FolderHealth>;

interface DiskHealthOptions {
  dataDir: string;
  log: Logger;
  typeOf?: (dir: string) => Promise<number>;
}

/** NFS, SMB (two versions), CIFS and FUSE. */
const NETWORK_TYPES: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x65735546]);

const RETRY_MS = 5_000;
const LOOK_EVERY_MS = 5_000;
/** Removals within this time, in ms, share one log entry. */
const ONE_REMOVAL_MS = 2 * LOOK_EVERY_MS;
const TIME_LIMIT_MS = 5_000;
const PROBE = Buffer.alloc(4_096);
/** Errors of a disk, or of a process without free file handles. */
const DISK_ERRORS: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EDQUOT',
  'EEXIST',
  'EFBIG',
  'EIO',
  'EISDIR',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'ENXIO',
  'EPERM',
  'EROFS',
  'ESTALE',
]);
const PROBING = 'probe';
const MAX_DAMAGED = 100;

/** A disk without health checks: each caller logs its own errors. */
export const UNWATCHED: DiskHealth = {
  state: { isWritable: true },
  probe: async () => ({ isWritable: true }),
  watch() {},
  explains: async () => false,
  damaged: [],
  noteDamaged: () => true,
  noteMended() {},
  noteRemoved() {},
  isPresent: () => false,
  noteCreated() {},
  onRecovery() {},
  begin() {},
  stop() {},
};

/** Tracks whether the data folder can be written, and logs each change once for all files. */
export class FolderHealth {
  readonly #root: string;
  readonly #log: Logger;
  readonly #typeOf: (dir: string) => Promise<number>;
  readonly #writable: Condition;
  readonly #damaged = boundedMap<true>(MAX_DAMAGED);
  readonly #dirs = new Set<string>();
  readonly #listeners: (() => void)[] = [];
  readonly #probes = new SingleFlight();
  readonly #present = new Set<string>();
  #state: DiskState = { isWritable: true };
  #retries: NodeJS.Timeout | undefined;
  #looks: NodeJS.Timeout | undefined;
  #isStopped = false;
  #removalAt = Number.NEGATIVE_INFINITY;

  constructor({ dataDir, log, typeOf = async dir => (await statfs(dir)).type }: DiskHealthOptions) {
    this.#root = path.resolve(dataDir);
    this.#log = log;
    this.#typeOf = typeOf;
    this.#writable = new Condition(log, {
      code: 'disk',
      down: 'data folder: writes fail. Pages are answered, but nothing is stored for the next process',
      up: 'data folder: writes succeed again',
    });
  }

  get state(): DiskState {
    return this.#state;
  }

  /** Writes a test file into each watched folder. Simultaneous calls share a probe. Never rejects. */
  probe(): Promise<DiskState> {
    return this.#probes.run(PROBING, () => this.#probeOnce());
  }

  watch(dir: string): void {
    this.#dirs.add(path.resolve(dir));
  }

  /** @returns whether the error, or its cause, comes from an unwritable disk, which is logged already. */
  async explains(error: unknown): Promise<boolean> {
    if (!isDiskError(error)) return false;
    return !(this.#state.isWritable ? await this.probe() : this.#state).isWritable;
  }

  /** Files that could not be read, and were neither written again nor removed since. */
  get damaged(): readonly string[] {
    return [...this.#damaged.keys()];
  }

  /** @returns whether the file was not known as damaged. */
  noteDamaged(file: string): boolean {
    const isNews = !this.#damaged.has(file);
    this.#damaged.set(file, true);
    return isNews;
  }

  noteMended(file: string): void {
    this.#damaged.delete(file);
  }

  noteRemoved(dir: string): void {
    const isNews = performance.now() - this.#removalAt > ONE_REMOVAL_MS;
    this.#removalAt = performance.now();
    if (isNews)
      this.#log.warn(
        { code: 'disk-folder-recreated', folder: dir },
        'data folder: a folder was removed and will be created again',
      );
    for (const listener of this.#listeners) listener();
  }

  isPresent(dir: string): boolean {
    return this.#present.has(dir);
  }

  /**
   * Notes that a write has created the folder: for the first time, or because it was removed.
   * @param wasPresent from `isPresent` before the write, because later a check may have seen the new folder.
   */
  noteCreated(dir: string, wasPresent: boolean): void {
    if (wasPresent) this.noteRemoved(dir);
    this.#present.add(dir);
  }

  /** Calls the listener when files may be lost: after an outage, or after a folder was removed. */
  onRecovery(listener: () => void): void {
    this.#listeners.push(listener);
  }

  begin(): void {
    // Test at the start whether files can be written. Otherwise only the first write would show it.
    void this.probe();
    void this.#warnOfNetwork();
    this.#looks ??= setInterval(() => void this.#lookForRemoved(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#retries);
    clearInterval(this.#looks);
  }

  async #warnOfNetwork(): Promise<void> {
    const type = await this.#typeOf(this.#root).catch(() => null);
    if (type !== null && NETWORK_TYPES.has(type))
      this.#log.warn(
        { code: 'disk-network', folder: this.#root, type: `0x${type.toString(16)}` },
        'data folder: it is on a network mount. Its server may lose leases and files, so a message may be sent twice',
      );
  }

  /** Ignores folders that never existed, because a folder is created with its first file. */
  async #lookForRemoved(): Promise<void> {
    const removed: string[] = [];
    for (const dir of [this.#root, ...this.#dirs]) {
      const isMissing = await stat(dir).then(() => false, isMissingFile);
      if (!isMissing) this.#present.add(dir);
      else if (this.#present.delete(dir)) removed.push(dir);
    }
    if (removed[0] !== undefined && !this.#isStopped) this.noteRemoved(removed[0]);
    for (const file of this.damaged)
      if (await stat(file).then(() => false, isMissingFile)) this.noteMended(file);
  }

  async #probeOnce(): Promise<DiskState> {
    try {
      const isWritten = await within(TIME_LIMIT_MS, this.#tryAll());
      if (!isWritten) throw new Error(`The disk has not answered within ${TIME_LIMIT_MS} ms`);
      this.#recover();
    } catch (error) {
      this.#lose(error instanceof Error ? error : new Error(String(error)));
    }
    return this.#state;
  }

  async #tryAll(): Promise<true> {
    await mkdir(this.#root, { recursive: true });
    await Promise.all([this.#root, ...this.#dirs].map(tryFolder));
    await this.#lookForRemoved();
    return true;
  }

  #lose(error: Error): void {
    const remedy = remedyFor(error);
    if (this.#state.isWritable) {
      this.#writable.down({
        err: error,
        folder: this.#root,
        effect:
          'pages are answered, messages of the forms are refused, and nothing is kept for the next process',
        remedy,
      });
      if (!this.#isStopped) this.#retries = setInterval(() => void this.probe(), RETRY_MS).unref();
    }
    this.#state = { isWritable: false, error, remedy };
  }

  #recover(): void {
    if (this.#state.isWritable) return;
    this.#state = { isWritable: true };
    clearInterval(this.#retries);
    this.#writable.up({ folder: this.#root });
    for (const listener of this.#listeners) listener();
  }
}

// biome-ignore format: a table has one row a line.
const REMEDIES: readonly (readonly [codes: readonly unknown[], remedy: string])[] = [
  [['EMFILE', 'ENFILE'], 'raise the limit of open files (ulimit -n, LimitNOFILE of systemd, --ulimit nofile of Docker), and restart the site'],
  [['EACCES', 'EPERM'], 'give the folder and what is in it to the user of the process (chown -R); a restart is not needed'],
  [['ENOSPC', 'EDQUOT'], 'free space on the disk of the folder, or raise the quota; a restart is not needed'],
  [['EROFS'], 'mount the disk of the folder for writing; a restart is not needed'],
  [['ENOTDIR', 'EEXIST'], 'remove the file that is in the place of the folder; a restart is not needed'],
];

function remedyFor(error: Error): string {
  const known = 'code' in error && REMEDIES.find(([codes]) => codes.includes(error.code));
  return known ? known[1] : 'look at the disk of the folder and its server (dmesg); a restart is not needed';
}

async function tryFolder(dir: string): Promise<void> {
  const file = path.join(dir, `${randomUUID()}.part`);
  try {
    await writeFile(file, PROBE, { flag: 'wx' });
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent) throw error;
  } finally {
    await unlessMissing(rm(file, { force: true }));
  }
}

function isDiskError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && DISK_ERRORS.has(error.code)) || isDiskError(error.cause);
}
