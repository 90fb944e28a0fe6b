interface Flight {
  promise: Promise<unknown>;
  controller: AbortController;
  waiters: number;
}

/** Shares one piece of work among all callers of a key. The work is aborted when the last caller leaves. */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();
  #idle: PromiseWithResolvers<void> | null = null;

  get size(): number {
    return this.#flights.size;
  }

  idle(): Promise<void> {
    if (this.#flights.size === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /** Starts or joins the work. `signal` ends the caller's wait with its reason. */
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
    // Wrap the call, because `work` may throw synchronously.
    flight.promise = (async () => work(controller.signal))().finally(() => this.#end(key, flight));
    // Handle a rejection that has no waiting caller.
    flight.promise.catch(() => {});
    this.#flights.set(key, flight);
    return flight;
  }

  /** @returns false if the flight was removed earlier: another flight may have its key. */
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
