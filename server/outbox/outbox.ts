import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { DiskHealth } from '../cache/disk/disk-health.ts';
import { isMissingFile } from '../cache/disk/missing-file.ts';
import { SingleFlight } from '../cache/single-flight.ts';
import { Condition } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';
import { NamedError } from '../ops/named-error.ts';
import { beforeTicks } from '../ops/slices.ts';
import { steadyNow } from '../ops/steady-clock.ts';
import { Delivery, type DeliveryOptions } from './delivery.ts';
import { messageId, type OutboxFiles, type OutboxMessage, UnreadableMessageError } from './outbox-files.ts';
import { createSchedule, LONGEST_PAUSE_MS, type Schedule } from './schedule.ts';
import { createFolderTransport, type QueueReport, type Transport } from './transport.ts';

const MAX_WAITING = 10_000;
const CONCURRENCY = 4;
/** How often the folder is read for changes by other processes, such as `npm run data -- retry`. */
const READ_FOLDER_EVERY_MS = 5_000;
const REMOVE_EXPIRED_EVERY_MS = 60 * 60 * 1_000;
/** Time for deliveries in flight when the process stops. The next process repeats interrupted ones. */
const STOP_LIMIT_MS = 5_000;
/** Time for returning interrupted deliveries to the queue, after STOP_LIMIT_MS. */
const CLOSE_LIMIT_MS = 500;
const DEAD_LETTERS_LOOKED_AT = 100;

export class MessageNotAcceptedError extends NamedError {}

export interface OutboxOptions extends DeliveryOptions {
  files: OutboxFiles;
  deadLetterDays: number;
  mailDays: number;
  queueTransport?: ((delivery: Delivery, pace: number) => Transport) | null | undefined;
  health: DiskHealth;
  maxWaiting?: number;
  pace?: number;
}

/** Messages stay on disk until the backend has accepted them. Several processes may share the folder. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #files: OutboxFiles;
  readonly #log: Logger;
  readonly #health: DiskHealth;
  readonly #pace: number;
  readonly #schedule: Schedule;
  readonly #delivery: Delivery;
  readonly #transport: Transport;
  readonly #room: Condition;
  readonly #accepting = new SingleFlight();
  readonly #deliveries = new PQueue({ concurrency: CONCURRENCY });
  readonly #stopped = new AbortController();
  #ready: Promise<void> | null = null;
  #dead = 0;
  #lastDeadLookedAt = '';
  #isRunning = false;
  #nextStart: NodeJS.Timeout | undefined;
  #nextRead: NodeJS.Timeout | undefined;
  /** The current reading of the folder, or the last one. Never rejects. */
  #reading: Promise<void> = Promise.resolve();
  #expiredRemovedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OutboxOptions) {
    const { files, health, log } = options;
    this.#options = options;
    this.#files = files;
    this.#log = log;
    this.#health = health;
    this.#pace = options.pace ?? 1;
    this.#schedule = createSchedule(Math.random, this.#pace);
    this.#delivery = new Delivery(options);
    this.#transport =
      options.queueTransport?.(this.#delivery, this.#pace) ??
      createFolderTransport(files.dir, this.#delivery, this.#pace);
    this.#room = new Condition(log, {
      code: 'outbox-room',
      down: 'outbox: too many messages wait. Further ones are refused with a 503',
      up: 'outbox: further messages are accepted again',
      remedy: 'repair the CMS, as outbox-cms-down says; `npm run data -- retry` then sends all at once',
    });
    for (const folder of files.folders) health.watch(folder);
    this.#deliveries.addEventListener('next', () => this.#startDue());
  }

  /**
   * Resolves with the message's id when it is safe on disk. A message with a known key is not written again.
   * Waits briefly for the queue.
   * @param earlierKey another key that the same message may have had.
   * @throws MessageNotAcceptedError when the outbox is full or the disk refuses the file.
   */
  accept(message: OutboxMessage['message'], key: string, earlierKey?: string): Promise<string> {
    return this.#accepting.run(key, () => this.#acceptOnce(message, key, earlierKey));
  }

  async knows(key: string): Promise<boolean> {
    return (await this.#files.has(key)) || this.#transport.knows(messageId(key));
  }

  /** `oldestMs`: the age of the oldest waiting message; 0 without one. */
  get state(): { waiting: number; oldestMs: number; dead: number } {
    const { size, oldest } = this.#schedule;
    return {
      waiting: size,
      oldestMs: oldest === null ? 0 : Math.max(steadyNow() - oldest, 0),
      dead: this.#dead,
    };
  }

  get isFull(): boolean {
    return this.#schedule.size >= (this.#options.maxWaiting ?? MAX_WAITING);
  }

  failureOf(id: string): string | null {
    return this.#delivery.failureOf(id);
  }

  get queue(): QueueReport | null {
    return this.#transport.queue;
  }

  begin(): void {
    this.#isRunning = true;
    this.#transport.begin(id => {
      this.#schedule.expedite(id, steadyNow());
      this.#startDue();
    });
    this.#reading = this.#readFolderRepeatedly();
  }

  /** Resolves when deliveries and readings have ended, or after STOP_LIMIT_MS and CLOSE_LIMIT_MS. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#nextStart);
    clearTimeout(this.#nextRead);
    const ended = Promise.all([
      this.#deliveries.onIdle(),
      this.#accepting.idle(),
      this.#transport.drain(),
      this.#reading,
    ]);
    await Promise.race([ended, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
    this.#stopped.abort();
    await Promise.race([this.#transport.close(), delay(CLOSE_LIMIT_MS, undefined, { ref: false })]);
  }

  #whenReady(): Promise<void> {
    this.#ready ??= this.#files.prepare().then(() => this.#readFolder());
    return this.#ready;
  }

  /**
   * Leaves a long time without a running process out of the messages' age, because no delivery was tried.
   * A system clock that jumps ahead looks like such a time.
   */
  async #forgetPause(): Promise<void> {
    const pausedMs = await this.#files.sinceAlive().catch(() => 0);
    if (pausedMs > LONGEST_PAUSE_MS) await this.#files.rejuvenate(pausedMs);
    // Write the note last: if this process is killed earlier, the next one still sees the pause. After a
    // failed write, the next one only retries the messages for longer.
    await this.#files.noteAlive().catch(() => {});
  }

  async #readFolder(): Promise<void> {
    await this.#forgetPause();
    const listedAt = steadyNow();
    this.#schedule.reconcile(await this.#files.list('waiting'), listedAt);
    if (this.isFull) this.#room.down({ waiting: this.#schedule.size });
    else this.#room.up();
    const deadLetters = await this.#files.list('dead');
    this.#dead = deadLetters.length;
    this.#startDue();
    if (this.#transport.queue) await this.#followDeadLetters(deadLetters.map(({ id }) => id));
  }

  /** Asks the queue about some dead letters: another process may have retried or delivered them. */
  async #followDeadLetters(ids: string[]): Promise<void> {
    const later = ids.sort().filter(id => id > this.#lastDeadLookedAt);
    const part = (later.length > 0 ? later : ids).slice(0, DEAD_LETTERS_LOOKED_AT);
    this.#lastDeadLookedAt = part.at(-1) ?? '';
    for (const [id, state] of await this.#transport.revived(part)) {
      if (state === 'elsewhere') await this.#files.move(id, 'dead', 'waiting', Date.now());
      else await this.#files.noteDelivered(id).then(() => this.#files.remove('dead', id));
      this.#dead -= 1;
    }
  }

  async #readFolderRepeatedly(): Promise<void> {
    try {
      if (this.#ready === null) await this.#whenReady();
      else {
        await this.#prepareAgain();
        await this.#readFolder();
      }
      if (steadyNow() - this.#expiredRemovedAt >= REMOVE_EXPIRED_EVERY_MS) await this.#removeExpiredFiles();
    } catch (error) {
      this.#ready = null;
      if (!(await this.#health.explains(error)))
        this.#log.error(
          { code: 'outbox-folder-unusable', err: error, dir: this.#files.dir },
          'outbox: the folder cannot be used',
        );
    }
    if (this.#isRunning)
      this.#nextRead = setTimeout(() => {
        this.#reading = this.#readFolderRepeatedly();
      }, READ_FOLDER_EVERY_MS / this.#pace).unref();
  }

  async #removeExpiredFiles(): Promise<void> {
    this.#expiredRemovedAt = steadyNow();
    await this.#transport.removeExpired();
    const { deadLetterDays, mailDays } = this.#options;
    const removed = await this.#files.removeExpired(deadLetterDays, mailDays, this.#expiredRemovedAt);
    this.#dead -= removed;
    if (removed > 0)
      this.#log.warn({ code: 'outbox-expired', removed }, 'outbox: expired dead letters were removed');
  }

  #startDue(): void {
    clearTimeout(this.#nextStart);
    if (!this.#isRunning) return;
    while (this.#deliveries.pending < CONCURRENCY) {
      const id = this.#schedule.startNext(steadyNow());
      if (id === null) break;
      void this.#deliveries.add(() => this.#attempt(id));
    }
    const { nextAt } = this.#schedule;
    if (nextAt === null || this.#deliveries.pending >= CONCURRENCY) return;
    this.#nextStart = setTimeout(() => this.#startDue(), Math.max(nextAt - steadyNow(), 0)).unref();
  }

  /** Tries to deliver a message, or checks its state in the queue. Never rejects. */
  async #attempt(id: string): Promise<void> {
    try {
      if (!(await this.#transport.acquire(id))) return this.#schedule.postpone(id, steadyNow());
    } catch (error) {
      return this.#failed(id, error);
    }
    try {
      if ((await this.#forwardFile(id)) === 'elsewhere') this.#schedule.postpone(id, steadyNow());
      else this.#schedule.remove(id);
    } catch (error) {
      await this.#failed(id, error);
    } finally {
      await this.#transport.release(id).catch(() => {});
    }
  }

  async #forwardFile(id: string): Promise<'done' | 'elsewhere'> {
    let message: OutboxMessage | null;
    try {
      message = await this.#files.read('waiting', id);
    } catch (error) {
      // Other errors come from the disk, and the next attempt may succeed.
      if (!(error instanceof UnreadableMessageError)) throw error;
      this.#log.error(
        { code: 'outbox-message-unreadable', err: error, id },
        'outbox: a message cannot be read and becomes a dead letter',
      );
      await this.#deadLetter(id);
      return 'done';
    }
    // Another process has delivered the message or moved it to the dead letters.
    if (message === null) return 'done';
    const outcome = (await this.#files.wasDelivered(id))
      ? 'delivered'
      : await this.#transport.forward(id, message, this.#stopped.signal);
    if (outcome === 'elsewhere') return outcome;
    if (outcome === 'dead') await this.#deadLetter(id);
    else await this.#files.remove('waiting', id);
    return 'done';
  }

  async #failed(id: string, error: unknown): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    if (this.#delivery.failed(id, error, () => this.#schedule.failed(id, steadyNow()))) return;
    await this.#deadLetter(id).catch(err =>
      this.#log.error(
        { code: 'outbox-dead-letter-not-moved', err, id },
        'outbox: an undelivered message could not be moved to the dead letters',
      ),
    );
    this.#schedule.remove(id);
  }

  async #deadLetter(id: string): Promise<void> {
    if (await this.#files.bury(id, this.failureOf(id), Date.now())) this.#dead += 1;
  }

  async #put(message: OutboxMessage): Promise<void> {
    try {
      await this.#files.put(message);
    } catch (error) {
      if (!isMissingFile(error)) throw error;
      await this.#prepareAgain();
      await this.#files.put(message);
    }
  }

  /** Creates missing folders and reports the removal, so that other lost files are written again. */
  async #prepareAgain(): Promise<void> {
    if (await this.#files.prepare()) this.#health.noteRemoved(this.#files.dir);
  }

  async #acceptOnce(message: OutboxMessage['message'], key: string, earlierKey?: string): Promise<string> {
    let stored: OutboxMessage;
    try {
      await this.#whenReady();
      const keys = earlierKey === undefined ? [key] : [key, earlierKey];
      const known = await beforeTicks(() => Promise.all(keys.map(one => this.#files.has(one))));
      const kept = keys.find((_, index) => known[index]);
      if (kept !== undefined) return messageId(kept);
      const isKnown = earlierKey !== undefined && (await this.#transport.knows(messageId(earlierKey)));
      const { maxWaiting = MAX_WAITING } = this.#options;
      // `accepting` counts the messages that are being written, this one included.
      if (this.#schedule.size + this.#accepting.size > maxWaiting)
        throw new MessageNotAcceptedError('the outbox is full');
      stored = { key: isKnown ? earlierKey : key, receivedAt: new Date().toISOString(), message };
      await beforeTicks(() => this.#put(stored));
    } catch (error) {
      if (error instanceof MessageNotAcceptedError) throw error;
      // The folders may have been removed. The next message creates them again.
      this.#ready = null;
      throw new MessageNotAcceptedError('the message could not be written to the disk', { cause: error });
    }
    this.#options.onEvent?.('accepted');
    const id = messageId(stored.key);
    await this.#transport.offer(id, stored);
    this.#schedule.add({ id, since: steadyNow() });
    this.#startDue();
    return id;
  }
}
