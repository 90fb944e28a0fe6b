import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../ops/log.ts';
import { createClaims } from './claims.ts';
import { clearOut, MAX_REMEMBERED } from './clear-out.ts';
import { type Letter, letterId, NoLetterError, type OutboxFiles } from './outbox-files.ts';
import { createSchedule } from './schedule.ts';

/** So many messages may wait for their delivery. */
export const MAX_WAITING = 10_000;
/** Deliveries under way at a time. */
const AT_ONCE = 4;
/** How often the folder is looked at for what others have put there: `npm run outbox -- retry`, a process that ended. */
const LOOK_EVERY_MS = 5_000;
const CLEAR_OUT_EVERY_MS = 60 * 60 * 1_000;
/** A delivery under way may take so long when the process is told to end, in ms; it is then made again by the next. */
const STOP_LIMIT_MS = 5_000;

/** A message that could not be taken: it is not on the disk. The sender still has it, and is told so. */
export class NotTakenError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'NotTakenError';
  }
}

/** Messages on their way to the content backend, kept on disk until they are there. */
export interface Outbox {
  /**
   * Resolves when the message is safe on disk. One that is waiting already, or was delivered a while ago, is taken as that one.
   * @param earlierKey another key under which the same message may have come.
   * @throws NotTakenError when there is no room for it.
   */
  take(message: Letter['message'], key: string, earlierKey?: string): Promise<void>;
  /** What waits, what could not be delivered, and the age in ms of the oldest that waits (0: none does). */
  readonly state: { waiting: number; oldestMs: number; dead: number };
  /** Begins to deliver, what earlier processes have left included. */
  begin(): void;
  /** No further delivery is begun; resolves when those under way have ended, or are given up after 5 s. */
  stop(): Promise<void>;
}

export interface OutboxOptions {
  files: OutboxFiles;
  /** Delivers one message; rejects when the backend has not taken it. */
  deliver(letter: Letter, signal: AbortSignal): Promise<void>;
  deadLetterDays: number;
  log: Logger;
}

/** @returns the outbox of one process. Several processes may share its folder. */
export function createOutbox({ files, deliver, deadLetterDays, log }: OutboxOptions): Outbox {
  const schedule = createSchedule();
  const claims = createClaims(files.dir);
  const beingTaken = new Map<string, Promise<void>>();
  const underWay = new Set<Promise<void>>();
  const stopped = new AbortController();
  let ready: Promise<void> | null = null;
  let dead = 0;
  let remembered = 0;
  let isRunning = false;
  let wakeUp: NodeJS.Timeout | undefined;
  let lookAgain: NodeJS.Timeout | undefined;
  let clearedOutAt = Number.NEGATIVE_INFINITY;

  /** Once the folders are there and it is known what is in them. A disk that refuses now may be well later. */
  function whenReady(): Promise<void> {
    ready ??= files.prepare().then(look);
    return ready;
  }

  async function look(): Promise<void> {
    const listedAt = Date.now();
    schedule.reconcile(await files.list('waiting'), listedAt);
    dead = (await files.list('dead')).length;
    pump();
  }

  async function lookNowAndThen(): Promise<void> {
    try {
      await (ready === null ? whenReady() : look());
      if (Date.now() - clearedOutAt >= CLEAR_OUT_EVERY_MS || remembered > MAX_REMEMBERED) await tidy();
    } catch (error) {
      ready = null;
      log.error({ err: error, dir: files.dir }, 'outbox: the folder cannot be used');
    }
    if (isRunning) lookAgain = setTimeout(lookNowAndThen, LOOK_EVERY_MS).unref();
  }

  async function tidy(): Promise<void> {
    clearedOutAt = Date.now();
    remembered = 0;
    const erased = await clearOut(files, deadLetterDays, clearedOutAt);
    dead -= erased;
    if (erased > 0) log.warn({ erased }, 'outbox: dead letters have had their time and are erased');
  }

  /** Begins what is due, and wakes up for what is due next. */
  function pump(): void {
    clearTimeout(wakeUp);
    if (!isRunning) return;
    while (underWay.size < AT_ONCE) {
      const id = schedule.take(Date.now());
      if (id === null) break;
      const delivery = tryOne(id).finally(() => {
        underWay.delete(delivery);
        pump();
      });
      underWay.add(delivery);
    }
    const { nextAt } = schedule;
    if (nextAt === null || underWay.size >= AT_ONCE) return;
    wakeUp = setTimeout(pump, Math.max(nextAt - Date.now(), 0)).unref();
  }

  async function tryOne(id: string): Promise<void> {
    try {
      if (!(await claims.take(id))) return schedule.postpone(id, Date.now());
    } catch (error) {
      return failed(id, error);
    }
    try {
      await handOver(id);
      schedule.remove(id);
    } catch (error) {
      await failed(id, error);
    } finally {
      await claims.release(id).catch(() => {});
    }
  }

  async function handOver(id: string): Promise<void> {
    let letter: Letter | null;
    try {
      letter = await files.read('waiting', id);
    } catch (error) {
      // A disk that cannot be read now may be well at the next try.
      if (!(error instanceof NoLetterError)) throw error;
      log.error({ err: error, id }, 'outbox: a message cannot be read and is put aside');
      return bury(id);
    }
    // Another process has delivered it.
    if (letter === null) return;
    if (!(await files.wasDelivered(id))) {
      await deliver(letter, stopped.signal);
      remembered += 1;
      // Without its mark a repeated post would be a second message; that is no reason to deliver this one twice.
      await files
        .noteDelivered(id)
        .catch(error => log.warn({ err: error, id }, 'outbox: no mark of a delivery'));
    }
    await files.erase('waiting', id);
  }

  async function failed(id: string, error: unknown): Promise<void> {
    if (stopped.signal.aborted) return;
    const again = schedule.failed(id, Date.now());
    if (again) {
      // The first failure is news; the others only repeat it.
      const level = again.attempts === 1 ? 'error' : 'debug';
      log[level]({ err: error, id, ...again }, 'outbox: a message could not be delivered and is tried again');
      return;
    }
    log.error(
      { err: error, id },
      'outbox: a message could not be delivered in time and is a dead letter now',
    );
    await bury(id).catch(err => log.error({ err, id }, 'outbox: a dead letter could not be put away'));
    schedule.remove(id);
  }

  async function bury(id: string): Promise<void> {
    if (await files.move(id, 'waiting', 'dead', Date.now())) dead += 1;
  }

  async function takeOnce(message: Letter['message'], key: string, earlierKey?: string): Promise<void> {
    try {
      await whenReady();
      if (await files.has(key)) return;
      if (earlierKey !== undefined && (await files.has(earlierKey))) return;
      // Those that are being written count: they are all in the map by now, this one included.
      if (schedule.size + beingTaken.size > MAX_WAITING) throw new NotTakenError('the outbox is full');
      await files.put({ key, receivedAt: new Date().toISOString(), message });
    } catch (error) {
      if (error instanceof NotTakenError) throw error;
      // Somebody may have removed the folders: they are made again for the next one.
      ready = null;
      throw new NotTakenError('the message could not be written to the disk', { cause: error });
    }
    schedule.add({ id: letterId(key), since: Date.now() });
    pump();
  }

  return {
    take(message, key, earlierKey) {
      const already = beingTaken.get(key);
      if (already) return already;
      const taking = takeOnce(message, key, earlierKey).finally(() => beingTaken.delete(key));
      beingTaken.set(key, taking);
      return taking;
    },
    get state() {
      const { size, oldest } = schedule;
      return { waiting: size, oldestMs: oldest === null ? 0 : Math.max(Date.now() - oldest, 0), dead };
    },
    begin() {
      isRunning = true;
      void lookNowAndThen();
    },
    async stop() {
      isRunning = false;
      clearTimeout(wakeUp);
      clearTimeout(lookAgain);
      const ended = Promise.all([...underWay, Promise.allSettled(beingTaken.values())]);
      await Promise.race([ended, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
      stopped.abort();
    },
  };
}
