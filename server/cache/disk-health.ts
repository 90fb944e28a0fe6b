import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../ops/log.ts';
import { isMissingFile } from './missing-file.ts';
import { SingleFlight } from './single-flight.ts';

/** Whether the data folder can be written. `error` is the system's error, and `remedy` says what to do. */
export type DiskState = { isWritable: true } | { isWritable: false; error: Error; remedy: string };

/**
 * Knows whether the data folder can be written. One line in the log says that it cannot, and one says that it can again, however many
 * files are concerned.
 */
export interface DiskHealth {
  /** The outcome of the last try. */
  readonly state: DiskState;
  /** Tries to write a small file in every watched folder that exists. Callers at the same time share one try. Never rejects. */
  probe(): Promise<DiskState>;
  /** Adds a folder to those that are tried. */
  watch(dir: string): void;
  /**
   * @param error an error of the file system, or an error that was caused by one.
   * @returns whether the disk cannot be written. The log says so already, so the caller writes no line of its own.
   */
  explains(error: unknown): Promise<boolean>;
  /** Notes that someone has removed a folder with what was in it. */
  noteRemoved(dir: string): void;
  /** Calls a function whenever files may have been lost: the disk can be written again, or the data folder was removed. */
  onRecovery(listener: () => void): void;
  /** Looks for removed folders every few seconds until `stop`. */
  begin(): void;
  /** Ends the tries and looks in the background. */
  stop(): void;
}

export interface DiskHealthOptions {
  /** The data folder. A try creates it when it is missing. */
  dataDir: string;
  log: Logger;
  /** The pause between two tries while the disk cannot be written, in ms. */
  retryMs?: number;
}

const RETRY_MS = 5_000;
/** The pause between two looks for removed folders, in ms. */
const LOOK_EVERY_MS = 5_000;
/** Removals that are found within this time of each other are one removal and have one line, in ms. */
const ONE_REMOVAL_MS = 2 * LOOK_EVERY_MS;
/** A disk that has not answered after this time counts as unwritable, in ms. */
const TIME_LIMIT_MS = 5_000;
/** The bytes of a try: a full disk may still have room for an empty file. */
const PROBE = Buffer.alloc(4_096);
/** The system's errors that a disk gives, or that keep the process from opening any file. All others come from elsewhere, such as a connection. */
const DISK_ERRORS: ReadonlySet<unknown> = new Set([
  ...[
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
  ],
  ...['EPERM', 'EROFS', 'ESTALE'],
]);
/** The kind of work that is in flight once at a time. */
const PROBING = 'probe';

/** A disk of which nothing is known. Each error is reported by its caller. */
export const UNWATCHED: DiskHealth = {
  state: { isWritable: true },
  probe: async () => ({ isWritable: true }),
  watch() {},
  explains: async () => false,
  noteRemoved() {},
  onRecovery() {},
  begin() {},
  stop() {},
};

/** @returns the health of a disk that counts as writable until the first try. */
export function createDiskHealth({ dataDir, log, retryMs = RETRY_MS }: DiskHealthOptions): DiskHealth {
  const root = path.resolve(dataDir);
  const dirs = new Set<string>();
  const listeners: (() => void)[] = [];
  const probes = new SingleFlight();
  let state: DiskState = { isWritable: true };
  let retries: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** The folders that the last look has found. */
  const present = new Set<string>();
  let looks: NodeJS.Timeout | undefined;
  let notedAt = Number.NEGATIVE_INFINITY;

  function noteRemoved(dir: string): void {
    const isNews = performance.now() - notedAt > ONE_REMOVAL_MS;
    notedAt = performance.now();
    if (isNews) log.warn({ folder: dir }, 'data folder: it was removed, and is made again');
    for (const listener of listeners) listener();
  }

  /** A folder that is made with its first file may be absent. One that was there and is not has been removed by someone. */
  async function lookForRemoved(): Promise<void> {
    const removed: string[] = [];
    for (const dir of [root, ...dirs]) {
      const isMissing = await stat(dir).then(() => false, isMissingFile);
      if (!isMissing) present.add(dir);
      else if (present.delete(dir)) removed.push(dir);
    }
    if (removed[0] !== undefined && !isStopped) noteRemoved(removed[0]);
  }

  async function tryAll(): Promise<void> {
    await mkdir(root, { recursive: true });
    await Promise.all([root, ...dirs].map(tryFolder));
    await lookForRemoved();
  }

  async function probe(): Promise<DiskState> {
    const end = new AbortController();
    const late = delay(TIME_LIMIT_MS, undefined, { ref: false, signal: end.signal }).then(() => {
      throw new Error(`The disk has not answered within ${TIME_LIMIT_MS} ms`);
    });
    try {
      await Promise.race([tryAll(), late]);
      recovered();
    } catch (error) {
      lost(error instanceof Error ? error : new Error(String(error)));
    } finally {
      end.abort();
      late.catch(() => {});
    }
    return state;
  }

  function lost(error: Error): void {
    const remedy = remedyFor(error);
    if (state.isWritable) {
      log.error(
        {
          ...{ err: error, folder: root },
          effect:
            'pages are answered, messages of the forms are refused, and nothing is kept for the next process',
          remedy,
        },
        'data folder: it cannot be written. Pages are answered; nothing is kept for the next process',
      );
      if (!isStopped) retries = setInterval(() => void shared(), retryMs).unref();
    }
    state = { isWritable: false, error, remedy };
  }

  function recovered(): void {
    if (state.isWritable) return;
    state = { isWritable: true };
    clearInterval(retries);
    log.warn({ folder: root }, 'data folder: it can be written again');
    for (const listener of listeners) listener();
  }

  const shared = () => probes.run(PROBING, probe);

  return {
    get state() {
      return state;
    },
    probe: shared,
    watch: dir => void dirs.add(path.resolve(dir)),
    explains: async error => isDiskError(error) && !(state.isWritable ? await shared() : state).isWritable,
    noteRemoved,
    onRecovery: listener => void listeners.push(listener),
    begin() {
      looks ??= setInterval(() => void lookForRemoved(), LOOK_EVERY_MS).unref();
    },
    stop() {
      isStopped = true;
      clearInterval(retries);
      clearInterval(looks);
    },
  };
}

function remedyFor(error: Error): string {
  const code = 'code' in error ? error.code : null;
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'raise the limit of open files (ulimit -n, LimitNOFILE of systemd, --ulimit nofile of Docker), and restart the site';
  return 'free space, or give the folder to the user of the process; a restart is not needed';
}

/** Writes and removes a small file. A folder that does not exist yet is created with its first file, so it is not tried. */
async function tryFolder(dir: string): Promise<void> {
  const file = path.join(dir, `${randomUUID()}.part`);
  try {
    await writeFile(file, PROBE, { flag: 'wx' });
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent) throw error;
  } finally {
    await rm(file, { force: true }).catch((error: unknown) => {
      if (!isMissingFile(error)) throw error;
    });
  }
}

/** @returns whether an error, or the error that caused it, comes from the disk. */
function isDiskError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && DISK_ERRORS.has(error.code)) || isDiskError(error.cause);
}
