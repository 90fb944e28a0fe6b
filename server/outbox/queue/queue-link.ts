import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { ConfigError } from '../../config.ts';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import type { QueueReport } from '../carrier.ts';
import { openPostgresQueue } from './postgres-queue.ts';
import type { QueueConfig } from './queue-config.ts';
import {
  isNews,
  LateAnswerError,
  type QueueProblem,
  QueueUnavailableError,
  queueProblem,
} from './queue-problem.ts';
import {
  CALL_LIMIT_MS,
  type DueIn,
  type JobProcessor,
  type MessageQueue,
  type MessageWorker,
  type OpenQueue,
  type QueueEngine,
} from './queue-server.ts';
import { attemptTimes, NO_MESSAGE } from './queued-message.ts';
import { openRedisQueue } from './redis-queue.ts';

/** The start of the process waits this long for the queue, in ms. */
const START_LIMIT_MS = 1_500;
/** The end waits this long for a server that hangs, in ms. */
const CLOSE_LIMIT_MS = 300;
/** The pause between two attempts to open the queue, in ms. */
const OPEN_AGAIN_MS = 1_000;
/** How often jobs are counted, which also tells whether the queue can be used, in ms. */
const COUNT_EVERY_MS = 5_000;
const COUNT_WHILE_DOWN_MS = 500;
/** The states of jobs that are counted, as BullMQ names them. */
export const JOB_STATES = ['wait', 'active', 'delayed', 'failed', 'completed'] as const;

/** The connection to the queue. It opens again and again, and every call of it has a time limit. */
export interface QueueLink {
  readonly report: QueueReport;
  readonly engine: QueueEngine;
  /** Makes a call that changes nothing. @throws QueueUnavailableError without a connection or an answer in time, and the errors of the server. */
  read<T>(work: (queue: MessageQueue) => Promise<T>): Promise<T>;
  /** Makes a call that writes. A server that is full or read-only answers others all the same. @throws as `read` does. */
  write<T>(work: (queue: MessageQueue) => Promise<T>): Promise<T>;
  /** Delivers the messages of the queue from now on. @param onCompleted gets the id of each job that this process has completed. */
  work(process: JobProcessor, onCompleted: (id: string) => void): void;
  /** Takes no further jobs. Resolves when those in flight have ended. */
  drain(): Promise<void>;
  /** Ends the connections without waiting for answers. */
  close(): Promise<void>;
}

export interface QueueLinkOptions extends QueueConfig {
  /** Whether the process is a site, which leaves the mark of BullMQ's version in the queue. A command leaves none. */
  isSite?: boolean;
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  /** The number by which the pauses between counts are divided. */
  pace?: number | undefined;
}

/**
 * Opens the queue. Resolves when it can be used, or after START_LIMIT_MS: a site starts without its queue.
 *
 * @throws ConfigError for a server that may lose messages.
 */
export async function openQueueLink(options: QueueLinkOptions): Promise<QueueLink> {
  const { address, name, isTrusted, isSite = true, log, pace = 1 } = options;
  const engine = await import('./queue-engine.ts');
  let open: OpenQueue | null = null;
  let worker: MessageWorker | null = null;
  let startWorker: (() => void) | null = null;
  let problem: QueueProblem | null = null;
  let isUp = false;
  /** Whether the queue could not be written. Its answers to other calls do not tell that it can be used then. */
  let refusesWrites = false;
  /** Whether the last call had no answer in time. One late answer is no outage: the machine may be busy. */
  let wasLate = false;
  let hasBeenDown = false;
  let jobs: Readonly<Record<string, number>> = {};
  /** Whether the process waits for the first attempt. */
  let isStarting = true;
  const closed = new AbortController();

  function noteUp(): void {
    wasLate = false;
    if (isUp) return;
    isUp = true;
    problem = null;
    if (hasBeenDown) log.warn('outbox: the queue can be used again');
  }

  function noteDown(error: unknown): void {
    if (closed.signal.aborted) return;
    const isFirstLate = isUp && !wasLate && error instanceof LateAnswerError;
    wasLate = error instanceof LateAnswerError;
    if (isFirstLate) return;
    const next = queueProblem(error);
    if (isUp || problem === null || isNews(next, problem))
      log.error(
        next,
        'outbox: the queue cannot be used. Messages are accepted, stay on disk and are delivered when it can be used',
      );
    isUp = false;
    hasBeenDown = true;
    problem = next;
    jobs = {};
  }

  async function call<T>(work: (queue: MessageQueue) => Promise<T>, isWrite: boolean): Promise<T> {
    try {
      if (!open) throw new QueueUnavailableError(problem?.reason ?? 'the queue is not connected yet');
      const answer = await withinLimit(work(open.queue));
      if (isWrite) refusesWrites = false;
      if (!refusesWrites) noteUp();
      return answer;
    } catch (error) {
      noteDown(open?.explained(error) ?? error);
      if (isWrite && !isUp) refusesWrites = true;
      throw error;
    }
  }

  /** Adds a job without a message, which a worker completes and removes. */
  const tryToWrite = () =>
    call(queue => queue.add('probe', NO_MESSAGE, { jobId: 'probe', removeOnComplete: true }), true);

  const dueIn: DueIn = job =>
    // PostgreSQL accepts whole numbers alone.
    Math.max(job ? Math.ceil(attemptTimes(job).dueAt - steadyNow()) : 0, 1);
  const onError = (error: Error) => log.debug({ err: error }, 'outbox: an error of the queue');

  async function openOnce(): Promise<void> {
    const startedAt = performance.now();
    const common = { engine, name, isSite, dueIn, onError };
    const opened =
      address.engine === 'redis'
        ? await openRedisQueue({ ...common, redis: address.redis, isTrusted })
        : await openPostgresQueue({ ...common, url: address.url });
    if (closed.signal.aborted) return opened.close();
    open = opened;
    log.info(
      { ...opened.facts, queue: name, connectedAfterMs: Math.round(performance.now() - startedAt) },
      'outbox: the queue is connected',
    );
    noteUp();
    startWorker?.();
  }

  async function openRepeatedly(first: Promise<void>): Promise<void> {
    await first.catch((error: unknown) => {
      // The start ends with it, so no message is accepted.
      if (!(isStarting && error instanceof ConfigError)) noteDown(error);
    });
    while (!open && !closed.signal.aborted) {
      await delay(OPEN_AGAIN_MS, undefined, { signal: closed.signal, ref: false }).catch(() => {});
      if (!closed.signal.aborted) await openOnce().catch(noteDown);
    }
  }

  async function countRepeatedly(): Promise<void> {
    while (!closed.signal.aborted) {
      if (open && refusesWrites) await tryToWrite().catch(() => {});
      if (open && !refusesWrites)
        jobs = await call(queue => queue.getJobCounts(...JOB_STATES), false).catch(() => ({}));
      await delay(isUp && !wasLate ? COUNT_EVERY_MS / pace : COUNT_WHILE_DOWN_MS, undefined, {
        signal: closed.signal,
        ref: false,
      }).catch(() => {});
    }
  }

  const first = openOnce();
  // The loop notes a failure of the first attempt, too, whether it comes before the time limit or after it.
  void openRepeatedly(first);
  await startWith(first).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) return noteDown(error);
    closed.abort();
    throw error;
  });
  isStarting = false;
  void countRepeatedly();

  return {
    engine,
    get report() {
      return { engine: address.engine, isUp, problem, jobs };
    },
    read: work => call(work, false),
    write: work => call(work, true),
    work(process, onCompleted) {
      startWorker = () => {
        if (!open || worker || closed.signal.aborted) return;
        worker = open.openWorker(process);
        worker.on('error', onError);
        worker.on('completed', ({ id = '' }) => onCompleted(id));
      };
      startWorker();
    },
    async drain() {
      startWorker = null;
      await worker?.close();
    },
    async close() {
      closed.abort();
      // The jobs in flight have been cut off. What they still tell the queue goes before the connection ends.
      const returned = worker?.close().catch(() => {});
      await Promise.race([returned, delay(CLOSE_LIMIT_MS, undefined, { ref: false })]);
      await worker?.disconnect();
      await open?.close();
    },
  };
}

/** Waits for the first attempt until START_LIMIT_MS. */
async function startWith(first: Promise<void>): Promise<void> {
  const late = delay(START_LIMIT_MS, undefined, { ref: false }).then(() => {
    throw new QueueUnavailableError('the queue has not answered in time');
  });
  late.catch(() => {});
  await Promise.race([first, late]);
}

async function withinLimit<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {});
  const over = new AbortController();
  const limit = delay(CALL_LIMIT_MS, undefined, { signal: over.signal, ref: false }).then(async () => {
    // A busy event loop runs the timer before it reads an answer that has arrived long ago.
    await nextTurn();
    await nextTurn();
    throw new LateAnswerError(CALL_LIMIT_MS);
  });
  limit.catch(() => {});
  try {
    return await Promise.race([answer, limit]);
  } finally {
    over.abort();
  }
}
