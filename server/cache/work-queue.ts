import PQueue from 'p-queue';

/** Too much work waits, or this work has waited too long. The client may retry later. */
export class QueueFullError extends Error {
  constructor() {
    super('Too much work is waiting already');
    this.name = 'QueueFullError';
  }
}

export interface WorkQueue {
  /**
   * Runs work in the order of the calls.
   *
   * @param signal removes waiting work. Running work counts until it ends, because native code cannot be
   *   interrupted.
   * @throws QueueFullError; the signal's reason; an error of the work.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly work: { running: number; waiting: number };
}

export interface WorkQueueOptions {
  concurrency: number;
  maxWaiting?: number;
  /** The longest wait, in ms. */
  maxWaitMs?: number;
}

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
      // Abort only waiting work, because p-queue frees the place of running work on abort.
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
