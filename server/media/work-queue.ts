import PQueue from 'p-queue';

/** As many pieces of work as may wait are waiting: the client may come back later. */
export class QueueFullError extends Error {
  constructor() {
    super('Too much work is waiting already');
    this.name = 'QueueFullError';
  }
}

export interface WorkQueue {
  /**
   * Does the work when its turn comes: first come, first served.
   *
   * @param signal takes waiting work out of the queue. Work that has begun keeps its place until it ends, because
   * native code cannot be interrupted.
   * @throws QueueFullError; the signal's reason; any error of the work.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly work: { running: number; waiting: number };
}

/**
 * @param concurrency pieces of work that run at a time.
 * @param maxWaiting pieces that may wait for their turn.
 */
export function createWorkQueue({
  concurrency,
  maxWaiting,
}: {
  concurrency: number;
  maxWaiting: number;
}): WorkQueue {
  const queue = new PQueue({ concurrency });
  return {
    async run(work, signal) {
      signal.throwIfAborted();
      if (queue.size >= maxWaiting) throw new QueueFullError();
      // p-queue frees the place of running work when its signal is aborted, so it gets one that only counts while waiting.
      const waiting = new AbortController();
      const leave = () => waiting.abort(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      const begin = () => {
        signal.removeEventListener('abort', leave);
        return work();
      };
      try {
        return await queue.add(begin, { signal: waiting.signal });
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
    get work() {
      return { running: queue.pending, waiting: queue.size };
    },
  };
}
