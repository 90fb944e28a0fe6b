import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { SingleFlight } from '../cache/single-flight.ts';
import type { Logger } from '../ops/log.ts';
import { createLeases } from './leases.ts';
import { messageId, type OutboxFiles, type OutboxMessage, UnreadableMessageError } from './outbox-files.ts';
import { MAX_REMEMBERED, removeExpired } from './remove-expired.ts';
import { createSchedule } from './schedule.ts';

/** Messages that may wait for their delivery. */
const MAX_WAITING = 10_000;
/** Deliveries at a time. */
const CONCURRENCY = 4;
/** How often the folder is read, in ms, for changes by others: `npm run outbox -- retry`, a process that ended. */
const LOOK_EVERY_MS = 5_000;
const REMOVE_EXPIRED_EVERY_MS = 60 * 60 * 1_000;
/** How long a delivery in flight may take when the process is told to end, in ms. The next process then repeats it. */
const STOP_LIMIT_MS = 5_000;

/** The message is not on the disk. The sender still has it and is told so. */
export class MessageNotAcceptedError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'MessageNotAcceptedError';
  }
}

/** Messages on their way to the content backend, kept on disk until they are delivered. */
export interface Outbox {
  /**
   * Resolves when the message is safe on disk. A message that is waiting already, or was delivered a while ago, is accepted
   * as the same one.
   *
   * @param earlierKey another key under which the same message may have come.
   * @throws MessageNotAcceptedError when the outbox is full or the disk refuses the file.
   */
  accept(message: OutboxMessage['message'], key: string, earlierKey?: string): Promise<void>;
  /** Waiting messages, dead letters, and the age in ms of the oldest waiting message (0 without one). */
  readonly state: { waiting: number; oldestMs: number; dead: number };
  /** Begins to deliver, messages of earlier processes included. */
  begin(): void;
  /** Begins no further delivery. Resolves when those in flight have ended, or after 5 s. */
  stop(): Promise<void>;
}

export interface OutboxOptions {
  files: OutboxFiles;
  /** Delivers one message; rejects when the backend has not accepted it. */
  deliver(message: OutboxMessage, signal: AbortSignal): Promise<void>;
  deadLetterDays: number;
  log: Logger;
}

/** @returns the outbox of one process. Several processes may share its folder. */
export function createOutbox({ files, deliver, deadLetterDays, log }: OutboxOptions): Outbox {
  const schedule = createSchedule();
  const leases = createLeases(files.dir);
  const accepting = new SingleFlight();
  const deliveries = new PQueue({ concurrency: CONCURRENCY });
  const stopped = new AbortController();
  let ready: Promise<void> | null = null;
  let dead = 0;
  let remembered = 0;
  let isRunning = false;
  let nextPump: NodeJS.Timeout | undefined;
  let nextLook: NodeJS.Timeout | undefined;
  let expiredRemovedAt = Number.NEGATIVE_INFINITY;

  deliveries.addEventListener('next', pump);

  /** Resolves when the folders exist and have been read. After a failure the next call tries again. */
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

  async function lookRepeatedly(): Promise<void> {
    try {
      await (ready === null ? whenReady() : look());
      const isDue = Date.now() - expiredRemovedAt >= REMOVE_EXPIRED_EVERY_MS;
      if (isDue || remembered > MAX_REMEMBERED) await tidy();
    } catch (error) {
      ready = null;
      log.error({ err: error, dir: files.dir }, 'outbox: the folder cannot be used');
    }
    if (isRunning) nextLook = setTimeout(lookRepeatedly, LOOK_EVERY_MS).unref();
  }

  async function tidy(): Promise<void> {
    expiredRemovedAt = Date.now();
    remembered = 0;
    const removed = await removeExpired(files, deadLetterDays, expiredRemovedAt);
    dead -= removed;
    if (removed > 0) log.warn({ removed }, 'outbox: expired dead letters were removed');
  }

  /** Begins the deliveries that are due, as many as may run at a time, and comes back when the next one is due. */
  function pump(): void {
    clearTimeout(nextPump);
    if (!isRunning) return;
    while (deliveries.pending < CONCURRENCY) {
      const id = schedule.startNext(Date.now());
      if (id === null) break;
      void deliveries.add(() => attempt(id));
    }
    const { nextAt } = schedule;
    if (nextAt === null || deliveries.pending >= CONCURRENCY) return;
    nextPump = setTimeout(pump, Math.max(nextAt - Date.now(), 0)).unref();
  }

  /** Tries to deliver a message once. Never rejects. */
  async function attempt(id: string): Promise<void> {
    try {
      if (!(await leases.acquire(id))) return schedule.postpone(id, Date.now());
    } catch (error) {
      return failed(id, error);
    }
    try {
      await deliverFile(id);
      schedule.remove(id);
    } catch (error) {
      await failed(id, error);
    } finally {
      await leases.release(id).catch(() => {});
    }
  }

  async function deliverFile(id: string): Promise<void> {
    let message: OutboxMessage | null;
    try {
      message = await files.read('waiting', id);
    } catch (error) {
      // Other errors are the disk's, and the next attempt may succeed.
      if (!(error instanceof UnreadableMessageError)) throw error;
      log.error({ err: error, id }, 'outbox: a message cannot be read and becomes a dead letter');
      return deadLetter(id);
    }
    // Another process has delivered the message.
    if (message === null) return;
    if (!(await files.wasDelivered(id))) {
      await deliver(message, stopped.signal);
      remembered += 1;
      // Without its mark a repeated form post would be a second message. A second delivery of this one would be worse.
      await files
        .noteDelivered(id)
        .catch(error => log.warn({ err: error, id }, 'outbox: no mark of a delivery'));
    }
    await files.remove('waiting', id);
  }

  async function failed(id: string, error: unknown): Promise<void> {
    if (stopped.signal.aborted) return;
    const again = schedule.failed(id, Date.now());
    if (again) {
      // Only the first failure is logged as an error: the others repeat it.
      const level = again.attempts === 1 ? 'error' : 'debug';
      log[level]({ err: error, id, ...again }, 'outbox: a message could not be delivered and is tried again');
      return;
    }
    log.error(
      { err: error, id },
      'outbox: a message could not be delivered in time and becomes a dead letter',
    );
    await deadLetter(id).catch(err => log.error({ err, id }, 'outbox: a dead letter could not be moved'));
    schedule.remove(id);
  }

  /** Moves a message to the dead letters. */
  async function deadLetter(id: string): Promise<void> {
    if (await files.move(id, 'waiting', 'dead', Date.now())) dead += 1;
  }

  async function acceptOnce(
    message: OutboxMessage['message'],
    key: string,
    earlierKey?: string,
  ): Promise<void> {
    try {
      await whenReady();
      if (await files.has(key)) return;
      if (earlierKey !== undefined && (await files.has(earlierKey))) return;
      // Messages that are being written count, this one included.
      if (schedule.size + accepting.size > MAX_WAITING)
        throw new MessageNotAcceptedError('the outbox is full');
      await files.put({ key, receivedAt: new Date().toISOString(), message });
    } catch (error) {
      if (error instanceof MessageNotAcceptedError) throw error;
      // The folders may have been removed: the next message makes them again.
      ready = null;
      throw new MessageNotAcceptedError('the message could not be written to the disk', { cause: error });
    }
    schedule.add({ id: messageId(key), since: Date.now() });
    pump();
  }

  return {
    accept: (message, key, earlierKey) => accepting.run(key, () => acceptOnce(message, key, earlierKey)),
    get state() {
      const { size, oldest } = schedule;
      return { waiting: size, oldestMs: oldest === null ? 0 : Math.max(Date.now() - oldest, 0), dead };
    },
    begin() {
      isRunning = true;
      void lookRepeatedly();
    },
    async stop() {
      isRunning = false;
      clearTimeout(nextPump);
      clearTimeout(nextLook);
      const ended = Promise.all([deliveries.onIdle(), accepting.idle()]);
      await Promise.race([ended, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
      stopped.abort();
    },
  };
}
