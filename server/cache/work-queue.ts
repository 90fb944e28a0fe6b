import PQueue from 'p-queue';

/** The queue has no room for more waiting work, or the work has waited for too long. The client may try again later. */
export class QueueFullError extends Error {
  constructor() {
    super('Too much work is waiting already');
    this.name = 'QueueFullError';
  }
}

export interface WorkQueue {
  /**
   * Runs the work in its turn, in the order of the calls.
   *
   * @param signal its abort removes waiting work from the queue. Running work counts as running until it ends, because native code
   *   cannot be interrupted.
   * @throws QueueFullError; the signal's reason; an error of the work.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly work: { running: number; waiting: number };
}

export interface WorkQueueOptions {
  /** Pieces of work that run at a time. */
  concurrency: number;
  /** Pieces of work that may wait. */
  maxWaiting?: number;
  /** How long a piece of work may wait, in ms. */
  maxWaitMs?: number;
}

/** @returns an empty queue. */
export function createWorkQueue({
  concurrency,
  maxWaiting = Number.POSITIVE_INFINITY,
  maxWaitMs,
}: WorkQueueOptions): WorkQueue {
  const queue = new PQueue({ concurrency });
  return {
    async run(work, signal) {
      signal.throwIfAborted();
      if (queue.pending < concurrency) return queue.add(work);
      if (queue.size >= maxWaiting) throw new QueueFullError();
      // p-queue frees the place of running work when its signal is aborted. `waiting` is aborted only while the work waits.
      const waiting = new AbortController();
      const onAbort = () => waiting.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const timer =
        maxWaitMs !== undefined
          ? setTimeout(() => waiting.abort(new QueueFullError()), maxWaitMs)
          : undefined;
      const endWait = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const begin = () => {
        endWait();
        return work();
      };
      try {
        return await queue.add(begin, { signal: waiting.signal });
      } finally {
        endWait();
      }
    },
    get work() {
      return { running: queue.pending, waiting: queue.size };
    },
  };
}
