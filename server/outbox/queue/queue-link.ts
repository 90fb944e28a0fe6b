import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../../cache/within.ts';
import { ConfigError } from '../../config/config.ts';
import type { QueueConfig } from '../../config/server-addresses.ts';
import { Condition } from '../../ops/condition.ts';
import type { Logger } from '../../ops/log.ts';
import type { QueueReport } from '../transport.ts';
import { openPostgresQueue } from './postgres-queue.ts';
import {
  isUserRefused,
  LateAnswerError,
  newsOf,
  type QueueProblem,
  QueueUnavailableError,
  queueProblem,
} from './queue-problem.ts';
import {
  CALL_LIMIT_MS,
  type JobProcessor,
  type MessageQueue,
  type MessageWorker,
  NO_MESSAGE,
  type OpenQueue,
  type QueueEngine,
} from './queue-server.ts';
import { openRedisQueue } from './redis-queue.ts';

/** The start of the process waits this long for the queue. */
const START_LIMIT_MS = 1_500;
/** The stop of the process waits this long for a server that hangs. */
const CLOSE_LIMIT_MS = 300;
const OPEN_AGAIN_MS = 1_000;
/** The pause between counts of the jobs, in ms. A count also shows whether the queue can be used. */
const COUNT_EVERY_MS = 5_000;
const COUNT_WHILE_DOWN_MS = 500;
export const JOB_STATES = ['wait', 'active', 'delayed', 'failed', 'completed'] as const;

export interface QueueLinkOptions extends QueueConfig {
  /** Whether a site opens the queue. A site, unlike a command, writes BullMQ's version into it. */
  isSite?: boolean;
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  pace?: number | undefined;
}

/** The connection to the queue, retried until it opens. Every call has a time limit. */
export class QueueLink {
  readonly engine: QueueEngine;
  readonly #options: QueueLinkOptions;
  readonly #usable: Condition;
  readonly #closed = new AbortController();
  #open: OpenQueue | null = null;
  #worker: MessageWorker | null = null;
  #startWorker: (() => void) | null = null;
  #problem: QueueProblem | null = null;
  #isUp = false;
  /** Whether the last answer was late. One late answer is no outage: the machine may be busy. */
  #wasLate = false;
  #jobs: Readonly<Record<string, number>> = {};
  #isStarting = true;
  /** The number of calls by outcome. `refused`: the server does not accept the user or the password. */
  readonly calls = { answered: 0, refused: 0, failed: 0 };

  constructor(engine: QueueEngine, options: QueueLinkOptions) {
    this.engine = engine;
    this.#options = options;
    this.#usable = new Condition(options.log, {
      code: 'outbox-queue',
      down: 'outbox: the queue cannot be used. Accepted messages wait on disk until the queue can be used again',
      up: 'outbox: the queue can be used again',
    });
  }

  get report(): QueueReport {
    const { engine } = this.#options.address;
    return { engine, isUp: this.#isUp, problem: this.#problem, jobs: this.#jobs };
  }

  /** Resolves after START_LIMIT_MS at the latest. @throws ConfigError for a server that may lose messages. */
  async start(): Promise<void> {
    const first = this.#openOnce();
    // Not awaited: the loop itself notes a failure of the first attempt.
    void this.#openRepeatedly(first);
    const late = () => new QueueUnavailableError('the queue has not answered in time');
    await inTime(START_LIMIT_MS, first, late).catch((error: unknown) => {
      if (!(error instanceof ConfigError)) return this.#noteDown(error);
      this.#closed.abort();
      throw error;
    });
    this.#isStarting = false;
    void this.#countRepeatedly();
  }

  /**
   * Makes a call that changes nothing. Its answer ends no outage: a full or read-only server answers, too.
   * @throws QueueUnavailableError, and the errors of the server.
   */
  read<T>(work: (queue: MessageQueue) => Promise<T>): Promise<T> {
    return this.#call(work, false);
  }

  write<T>(work: (queue: MessageQueue) => Promise<T>): Promise<T> {
    return this.#call(work, true);
  }

  work(process: JobProcessor, onCompleted: (id: string) => void): void {
    this.#startWorker = () => {
      if (!this.#open || this.#worker || this.#closed.signal.aborted) return;
      this.#worker = this.#open.openWorker(process);
      this.#worker.on('error', this.#logError);
      this.#worker.on('completed', ({ id = '' }) => onCompleted(id));
    };
    this.#startWorker();
  }

  async drain(): Promise<void> {
    this.#startWorker = null;
    await this.#worker?.close();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    // Interrupted jobs report to the queue before the connection ends.
    if (this.#worker)
      await within(
        CLOSE_LIMIT_MS,
        this.#worker.close().catch(() => {}),
      );
    await this.#worker?.disconnect();
    await this.#open?.close();
  }

  #noteUp(): void {
    this.calls.answered += 1;
    this.#wasLate = false;
    if (this.#isUp) return;
    this.#isUp = true;
    this.#problem = null;
    this.#usable.up();
  }

  readonly #noteDown = (error: unknown): void => {
    if (this.#closed.signal.aborted) return;
    const isFirstLate = this.#isUp && !this.#wasLate && error instanceof LateAnswerError;
    this.#wasLate = error instanceof LateAnswerError;
    const problem = queueProblem(error);
    this.calls[isUserRefused(problem) ? 'refused' : 'failed'] += 1;
    if (isFirstLate) return;
    this.#problem = problem;
    this.#usable.down({ ...problem }, newsOf(problem));
    this.#isUp = false;
    this.#jobs = {};
  };

  readonly #logError = (error: Error): void =>
    this.#options.log.debug({ code: 'outbox-queue-error', err: error }, 'outbox: the queue reports an error');

  async #call<T>(work: (queue: MessageQueue) => Promise<T>, isWrite: boolean): Promise<T> {
    try {
      if (!this.#open)
        throw new QueueUnavailableError(this.#problem?.reason ?? 'the queue is not connected yet');
      const answer = await inTime(
        CALL_LIMIT_MS,
        work(this.#open.queue),
        () => new LateAnswerError(CALL_LIMIT_MS),
      );
      if (isWrite || this.#isUp) this.#noteUp();
      return answer;
    } catch (error) {
      this.#noteDown(this.#open?.explained(error) ?? error);
      throw error;
    }
  }

  async #openOnce(): Promise<void> {
    const { address, name, isTrusted, isSite = true, log } = this.#options;
    const startedAt = performance.now();
    const common = { engine: this.engine, name, isSite, onError: this.#logError };
    const opened =
      address.engine === 'redis'
        ? await openRedisQueue({ ...common, redis: address.redis, isTrusted })
        : await openPostgresQueue({ ...common, url: address.url });
    if (this.#closed.signal.aborted) return opened.close();
    this.#open = opened;
    log.info(
      {
        code: 'outbox-queue-connected',
        ...opened.facts,
        queue: name,
        connectedAfterMs: Math.round(performance.now() - startedAt),
      },
      'outbox: the queue is connected',
    );
    this.#noteUp();
    this.#startWorker?.();
  }

  async #openRepeatedly(first: Promise<void>): Promise<void> {
    const { signal } = this.#closed;
    await first.catch((error: unknown) => {
      // Report no outage: a ConfigError during the start ends the process.
      if (!(this.#isStarting && error instanceof ConfigError)) this.#noteDown(error);
    });
    while (!this.#open && !signal.aborted) {
      await delay(OPEN_AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await this.#openOnce().catch(this.#noteDown);
    }
  }

  async #countRepeatedly(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      if (this.#open && !this.#isUp) await this.#tryToWrite();
      if (this.#isUp)
        this.#jobs = await this.read(queue => queue.getJobCounts(...JOB_STATES)).catch(() => ({}));
      const { pace = 1 } = this.#options;
      const pauseMs = this.#isUp && !this.#wasLate ? COUNT_EVERY_MS / pace : COUNT_WHILE_DOWN_MS;
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Tests whether jobs can be added, by adding an empty one. A worker completes and removes it. */
  async #tryToWrite(): Promise<void> {
    const options = { jobId: 'probe', removeOnComplete: true };
    await this.write(queue => queue.add('probe', NO_MESSAGE, options)).catch(() => {});
  }
}

/** Opens the queue. Waits no longer than `start`, because a site can start without its queue. */
export async function openQueueLink(options: QueueLinkOptions): Promise<QueueLink> {
  const link = new QueueLink(await import('./queue-engine.ts'), options);
  await link.start();
  return link;
}

async function inTime<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  // Reject one tick later: a busy event loop runs this timer before it reads a timely answer.
  const timer = setTimeout(() => setImmediate(() => reject(late())), limitMs).unref();
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
