import { SiteBusyError } from '../errors.ts';

interface WorkQueueOptions {
  concurrency: number;
  maxWaiting?: number;
  maxWaitMs?: number;
  /** Whether all new work is refused at the moment. */
  isRefusing?: () => boolean;
}

/** Begins work in the order of the calls. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<{ readonly places: number; readonly begin: () => void }>();
  #freePlaces: number;
  #running = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#freePlaces = options.concurrency;
  }

  get work(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting.size };
  }

  /**
   * @param signal removes waiting work. Running work keeps its place until it ends, because native code
   *   cannot be interrupted.
   * @param options.isAlone whether the work runs without other work.
   * @throws SiteBusyError if too much work waits, or this work waits too long, or new work is refused; the
   *   signal's reason; an error of the work.
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal, { isAlone = false } = {}): Promise<T> {
    const { concurrency, isRefusing } = this.#options;
    signal.throwIfAborted();
    if (isRefusing?.()) throw new SiteBusyError();
    const places = isAlone ? concurrency : 1;
    if (this.#waiting.size > 0 || places > this.#freePlaces) await this.#placesFor(places, signal);
    else this.#take(places);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#freePlaces += places;
      this.#beginWaiting();
    }
  }

  async #placesFor(places: number, signal: AbortSignal): Promise<void> {
    const { maxWaiting = Number.POSITIVE_INFINITY, maxWaitMs } = this.#options;
    if (this.#waiting.size >= maxWaiting) throw new SiteBusyError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { places, begin: resolve };
    const leave = (reason: unknown) => {
      reject(reason);
      // The next work may need fewer places.
      if (this.#waiting.delete(waiting)) this.#beginWaiting();
    };
    const onAbort = () => leave(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer =
      maxWaitMs === undefined ? undefined : setTimeout(() => leave(new SiteBusyError()), maxWaitMs);
    this.#waiting.add(waiting);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #beginWaiting(): void {
    for (const waiting of this.#waiting) {
      if (waiting.places > this.#freePlaces) return;
      this.#waiting.delete(waiting);
      this.#take(waiting.places);
      waiting.begin();
    }
  }

  #take(places: number): void {
    this.#freePlaces -= places;
    this.#running += 1;
  }
}
