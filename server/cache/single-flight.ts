/** A piece of work that several callers wait for. */
interface Flight {
  promise: Promise<unknown>;
  controller: AbortController;
  waiters: number;
}

/**
 * Runs one piece of work at a time for each key, however many ask for it. The work has a signal of its own, aborted when
 * the last of those who wait has gone.
 */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();

  /** How many pieces of work are under way. */
  get size(): number {
    return this.#flights.size;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    for (;;) {
      const [first] = this.#flights.values();
      if (!first) return;
      await first.promise.catch(() => {});
    }
  }

  /** @returns whether work for the key is under way. */
  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /**
   * Starts the work or joins it.
   *
   * @param signal the caller's own: when it is aborted the caller leaves, and the promise rejects with its reason.
   */
  async run<T>(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.waiters += 1;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return (await Promise.race([flight.promise, left.promise])) as T;
    } finally {
      signal?.removeEventListener('abort', leave);
      flight.waiters -= 1;
      if (flight.waiters === 0 && this.#flights.get(key) === flight) {
        this.#flights.delete(key);
        flight.controller.abort(new DOMException('Nobody waits for this any more', 'AbortError'));
      }
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<unknown>): Flight {
    const controller = new AbortController();
    const flight: Flight = { controller, waiters: 0, promise: Promise.resolve() };
    // Inside an async function, so that work which throws at once is a rejection like any other.
    flight.promise = (async () => work(controller.signal))().finally(() => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
    // Whoever waits gets the rejection; with nobody left it must not be an unhandled one.
    flight.promise.catch(() => {});
    this.#flights.set(key, flight);
    return flight;
  }
}
