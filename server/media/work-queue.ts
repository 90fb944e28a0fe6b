/** The queue is full: whoever asked may come back later. */
export class QueueFullError extends Error {
  constructor() {
    super('Too much work is waiting already');
    this.name = 'QueueFullError';
  }
}

export interface WorkQueue {
  /**
   * Does the work as soon as it is its turn, first come, first served.
   *
   * @param signal aborted when nobody waits for it any more: then it is not begun.
   * @throws QueueFullError; the signal's reason; what the work throws.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly work: { running: number; waiting: number };
}

/**
 * @param atOnce pieces of work under way at the most.
 * @param maxWaiting pieces that may wait for their turn.
 */
export function createWorkQueue({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): WorkQueue {
  const waiting = new Set<() => void>();
  let running = 0;

  async function turn(signal: AbortSignal): Promise<void> {
    if (waiting.size >= maxWaiting) throw new QueueFullError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  /** The place of what has ended goes to the next one without being free in between. */
  function passOn(): void {
    const [next] = waiting;
    if (!next) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    async run(work, signal) {
      signal.throwIfAborted();
      if (running < atOnce) running += 1;
      else await turn(signal);
      try {
        return await work();
      } finally {
        passOn();
      }
    },
    get work() {
      return { running, waiting: waiting.size };
    },
  };
}
