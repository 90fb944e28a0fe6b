import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type DiskHealth, UNWATCHED } from '../cache/disk-health.ts';
import { isMissingFile } from '../cache/missing-file.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { type Carrier, createFolderCarrier, type QueueReport } from './carrier.ts';
import { createDelivery, type Delivery, type DeliveryOptions } from './delivery.ts';
import { messageId, type OutboxFiles, type OutboxMessage, UnreadableMessageError } from './outbox-files.ts';
import { MAX_REMEMBERED, removeExpired } from './remove-expired.ts';
import { createSchedule } from './schedule.ts';

const MAX_WAITING = 10_000;
/** Deliveries at a time. */
const CONCURRENCY = 4;
/** How often the folder is read for changes by other processes, such as `npm run outbox -- retry`, in ms. */
const READ_FOLDER_EVERY_MS = 5_000;
/** A pause without a process that counts as time in which messages were tried, in ms: a restart is not worth the trouble. */
const LONGEST_PAUSE_MS = 60 * 60 * 1_000;
const REMOVE_EXPIRED_EVERY_MS = 60 * 60 * 1_000;
/** How long a stopping process waits for deliveries in flight, in ms. The next process repeats a delivery that was cut off. */
const STOP_LIMIT_MS = 5_000;
/** How long it then waits until the queue has taken back what was cut off, in ms. */
const CLOSE_LIMIT_MS = 500;
/** Dead letters that are looked for in the queue at each reading of the folder. */
const DEAD_LETTERS_LOOKED_AT = 100;

/** The message is not safe on disk. The sender still has it, and is told to try again. */
export class MessageNotAcceptedError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'MessageNotAcceptedError';
  }
}

/** An outbox of messages to the content backend. They stay on disk until they are delivered. */
export interface Outbox {
  /**
   * Accepts a message. Resolves when the message is safe on disk, and the queue has it or has not taken it in time. Nothing is written for a key that is waiting already or whose delivery
   * is remembered.
   *
   * @param earlierKey another key that the same message may have had.
   * @throws MessageNotAcceptedError when the outbox is full or the disk refuses the file.
   */
  accept(message: OutboxMessage['message'], key: string, earlierKey?: string): Promise<void>;
  /** @returns whether the outbox has a message with this key, or remembers its delivery. Rejects with the error of the disk. */
  knows(key: string): Promise<boolean>;
  /** Waiting messages, dead letters, and the age in ms of the oldest waiting message (0 without one). */
  readonly state: { waiting: number; oldestMs: number; dead: number };
  /** The state of the queue; null without a queue. */
  readonly queue: QueueReport | null;
  /** Starts deliveries, also of messages from earlier processes. */
  begin(): void;
  /** Starts no further deliveries. Resolves when the deliveries in flight have ended, or after STOP_LIMIT_MS and CLOSE_LIMIT_MS. */
  stop(): Promise<void>;
}

export interface OutboxOptions extends Pick<DeliveryOptions, 'deliver'> {
  files: OutboxFiles;
  deadLetterDays: number;
  /** Makes the carrier of a process with a queue. */
  queueCarrier?: ((delivery: Delivery, pace: number) => Carrier) | null | undefined;
  /** Knows of a disk that cannot be written. */
  health?: DiskHealth;
  /** Most messages that may wait for their delivery. The default is 10,000. */
  maxWaiting?: number;
  /** The number by which all waits are divided: for retries, for leases, and for readings of the folder. The default is 1. */
  pace?: number;
  log: Logger;
}

/** @returns an outbox that has not begun. Several processes may share its folder. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { files, deliver, deadLetterDays, health = UNWATCHED, log } = options;
  const { maxWaiting = MAX_WAITING, pace = 1 } = options;
  for (const folder of files.folders) health.watch(folder);
  const schedule = createSchedule(Math.random, pace);
  const delivery = createDelivery({ files, deliver, log });
  const carrier = options.queueCarrier?.(delivery, pace) ?? createFolderCarrier(files.dir, delivery, pace);
  const accepting = new SingleFlight();
  const deliveries = new PQueue({ concurrency: CONCURRENCY });
  const stopped = new AbortController();
  let ready: Promise<void> | null = null;
  let dead = 0;
  let deliveredAtRemoval = 0;
  /** The dead letter after which the queue is asked next. */
  let lastDeadLookedAt = '';
  let isRunning = false;
  let nextStart: NodeJS.Timeout | undefined;
  let nextRead: NodeJS.Timeout | undefined;
  let expiredRemovedAt = Number.NEGATIVE_INFINITY;

  deliveries.addEventListener('next', startDue);

  /** Resolves when the folders exist and have been read. After a failure the next call tries again. */
  function whenReady(): Promise<void> {
    ready ??= files.prepare().then(forgetPause).then(readFolder);
    return ready;
  }

  /** Messages wait for a process, so the time without one does not count. Nor does a jump of the system's clock before this process. */
  async function forgetPause(): Promise<void> {
    const pausedMs = await files.noteAlive().catch(() => 0);
    if (pausedMs > LONGEST_PAUSE_MS) await files.rejuvenate(pausedMs);
  }

  async function readFolder(): Promise<void> {
    // Without the note the messages only wait longer after the next start.
    await files.noteAlive().catch(() => {});
    const listedAt = steadyNow();
    schedule.reconcile(await files.list('waiting'), listedAt);
    const deadLetters = await files.list('dead');
    dead = deadLetters.length;
    startDue();
    if (carrier.queue) await followDeadLetters(deadLetters.map(({ id }) => id));
  }

  /** Looks after a part of the dead letters: another process may have retried or delivered them. */
  async function followDeadLetters(ids: string[]): Promise<void> {
    const later = ids.sort().filter(id => id > lastDeadLookedAt);
    const part = (later.length > 0 ? later : ids).slice(0, DEAD_LETTERS_LOOKED_AT);
    lastDeadLookedAt = part.at(-1) ?? '';
    for (const [id, state] of await carrier.revived(part)) {
      if (state === 'elsewhere') await files.move(id, 'dead', 'waiting', Date.now());
      else await files.noteDelivered(id).then(() => files.remove('dead', id));
      dead -= 1;
    }
  }

  async function readFolderRepeatedly(): Promise<void> {
    try {
      if (ready === null) await whenReady();
      else {
        await prepareAgain();
        await readFolder();
      }
      const isDue = steadyNow() - expiredRemovedAt >= REMOVE_EXPIRED_EVERY_MS;
      if (isDue || delivery.count - deliveredAtRemoval > MAX_REMEMBERED) await removeExpiredFiles();
    } catch (error) {
      ready = null;
      if (!(await health.explains(error)))
        log.error({ err: error, dir: files.dir }, 'outbox: the folder cannot be used');
    }
    if (isRunning) nextRead = setTimeout(readFolderRepeatedly, READ_FOLDER_EVERY_MS / pace).unref();
  }

  async function removeExpiredFiles(): Promise<void> {
    expiredRemovedAt = steadyNow();
    deliveredAtRemoval = delivery.count;
    await carrier.removeExpired();
    const removed = await removeExpired(files, deadLetterDays, expiredRemovedAt);
    dead -= removed;
    if (removed > 0) log.warn({ removed }, 'outbox: expired dead letters were removed');
  }

  /** Starts the deliveries that are due, up to CONCURRENCY, and sets a timer for the next one. */
  function startDue(): void {
    clearTimeout(nextStart);
    if (!isRunning) return;
    while (deliveries.pending < CONCURRENCY) {
      const id = schedule.startNext(steadyNow());
      if (id === null) break;
      void deliveries.add(() => attempt(id));
    }
    const { nextAt } = schedule;
    if (nextAt === null || deliveries.pending >= CONCURRENCY) return;
    nextStart = setTimeout(startDue, Math.max(nextAt - steadyNow(), 0)).unref();
  }

  /** Does what a message needs next: tries to deliver it, or looks after it in the queue. Never rejects. */
  async function attempt(id: string): Promise<void> {
    try {
      if (!(await carrier.acquire(id))) return schedule.postpone(id, steadyNow());
    } catch (error) {
      return failed(id, error);
    }
    try {
      if ((await carryFile(id)) === 'elsewhere') schedule.postpone(id, steadyNow());
      else schedule.remove(id);
    } catch (error) {
      await failed(id, error);
    } finally {
      await carrier.release(id).catch(() => {});
    }
  }

  async function carryFile(id: string): Promise<'settled' | 'elsewhere'> {
    let message: OutboxMessage | null;
    try {
      message = await files.read('waiting', id);
    } catch (error) {
      // Other errors come from the disk, and the next attempt may succeed.
      if (!(error instanceof UnreadableMessageError)) throw error;
      log.error({ err: error, id }, 'outbox: a message cannot be read and becomes a dead letter');
      await deadLetter(id);
      return 'settled';
    }
    // Another process has delivered the message or moved it to the dead letters.
    if (message === null) return 'settled';
    const carried = (await files.wasDelivered(id))
      ? 'delivered'
      : await carrier.carry(id, message, stopped.signal);
    if (carried === 'elsewhere') return carried;
    if (carried === 'dead') await deadLetter(id);
    else await files.remove('waiting', id);
    return 'settled';
  }

  async function failed(id: string, error: unknown): Promise<void> {
    if (stopped.signal.aborted) return;
    if (delivery.failed(id, error, () => schedule.failed(id, steadyNow()))) return;
    await deadLetter(id).catch(err => log.error({ err, id }, 'outbox: a dead letter could not be moved'));
    schedule.remove(id);
  }

  /** Moves a message to the dead letters. */
  async function deadLetter(id: string): Promise<void> {
    if (await files.move(id, 'waiting', 'dead', Date.now())) dead += 1;
  }

  /** Writes a message. Folders that were removed are made again. */
  async function put(message: OutboxMessage): Promise<void> {
    try {
      await files.put(message);
    } catch (error) {
      if (!isMissingFile(error)) throw error;
      await prepareAgain();
      await files.put(message);
    }
  }

  /** Looks whether the data folder was removed. All that is kept in it has to be written again then. */
  async function prepareAgain(): Promise<void> {
    if (await files.prepare()) health.noteRemoved(files.dir);
  }

  async function acceptOnce(
    message: OutboxMessage['message'],
    key: string,
    earlierKey?: string,
  ): Promise<void> {
    let stored: OutboxMessage;
    try {
      await whenReady();
      if (await files.has(key)) return;
      if (earlierKey !== undefined && (await files.has(earlierKey))) return;
      const isKnown = earlierKey !== undefined && (await carrier.knows(messageId(earlierKey)));
      // `accepting` counts the messages that are being written, this one included.
      if (schedule.size + accepting.size > maxWaiting)
        throw new MessageNotAcceptedError('the outbox is full');
      stored = { key: isKnown ? earlierKey : key, receivedAt: new Date().toISOString(), message };
      await put(stored);
    } catch (error) {
      if (error instanceof MessageNotAcceptedError) throw error;
      // The folders may have been removed. The next message creates them again.
      ready = null;
      throw new MessageNotAcceptedError('the message could not be written to the disk', { cause: error });
    }
    const id = messageId(stored.key);
    await carrier.offer(id, stored);
    schedule.add({ id, since: steadyNow() });
    startDue();
  }

  return {
    accept: (message, key, earlierKey) => accepting.run(key, () => acceptOnce(message, key, earlierKey)),
    knows: async key => (await files.has(key)) || carrier.knows(messageId(key)),
    get state() {
      const { size, oldest } = schedule;
      return { waiting: size, oldestMs: oldest === null ? 0 : Math.max(steadyNow() - oldest, 0), dead };
    },
    get queue() {
      return carrier.queue;
    },
    begin() {
      isRunning = true;
      carrier.begin(id => {
        schedule.expedite(id, steadyNow());
        startDue();
      });
      void readFolderRepeatedly();
    },
    async stop() {
      isRunning = false;
      clearTimeout(nextStart);
      clearTimeout(nextRead);
      const ended = Promise.all([deliveries.onIdle(), accepting.idle(), carrier.drain()]);
      await Promise.race([ended, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
      stopped.abort();
      await Promise.race([carrier.close(), delay(CLOSE_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}
