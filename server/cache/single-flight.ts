/** A piece of work that several callers wait for. */
interface Flight {
  promise: Promise<unknown>;
  controller: AbortController;
  waiters: number;
}

/**
 * Runs one piece of work at a time for each key, and all callers wait for its result. The work's own signal is aborted when the last
 * waiting caller has left.
 */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();
  #idle: PromiseWithResolvers<void> | null = null;

  /** How many pieces of work are in flight. */
  get size(): number {
    return this.#flights.size;
  }

  /** Resolves when nothing is in flight. */
  idle(): Promise<void> {
    if (this.#flights.size === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  /** @returns whether work for the key is in flight. */
  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /**
   * Starts the work or joins it.
   *
   * @param signal the caller's signal. Its abort ends the caller's wait, and the promise rejects with its reason.
   */
  async run<T>(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.waiters += 1;
    const left = Promise.withResolvers<never>();
    const onAbort = () => left.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return (await Promise.race([flight.promise, left.promise])) as T;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      flight.waiters -= 1;
      if (flight.waiters === 0 && this.#end(key, flight))
        flight.controller.abort(new DOMException('No caller waits for this any more', 'AbortError'));
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<unknown>): Flight {
    const controller = new AbortController();
    const flight: Flight = { controller, waiters: 0, promise: Promise.resolve() };
    // The async function turns an error that `work` throws synchronously into a rejection.
    flight.promise = (async () => work(controller.signal))().finally(() => this.#end(key, flight));
    // Waiting callers get the rejection. Without waiting callers it must not count as unhandled.
    flight.promise.catch(() => {});
    this.#flights.set(key, flight);
    return flight;
  }

  /** Removes a flight. @returns false when the flight was removed before. Another flight may have its key by now. */
  #end(key: string, flight: Flight): boolean {
    if (this.#flights.get(key) !== flight) return false;
    this.#flights.delete(key);
    if (this.#flights.size === 0) {
      this.#idle?.resolve();
      this.#idle = null;
    }
    return true;
  }
}
