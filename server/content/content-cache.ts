import { LRUCache } from 'lru-cache';

/** What happened to one read, for the log, the metrics and `Server-Timing`. */
export type CacheEvent =
  | { kind: 'hit'; key: string }
  | { kind: 'miss'; key: string }
  /** Another request was already loading the same; this one waited with it. */
  | { kind: 'joined'; key: string }
  /** The load failed and an older value was good enough. */
  | { kind: 'stale'; key: string }
  | { kind: 'failed'; key: string; error: unknown };

export interface ContentCacheOptions {
  /** Bound of all stored values in bytes, measured as JSON. */
  maxBytes: number;
  /** How long a value is fresh, in ms. */
  ttlMs: number;
  /** How long after that it may stand in for a load that fails, in ms. */
  staleIfErrorMs: number;
  /** The clock, in ms; a test brings its own. */
  now?: () => number;
}

export interface ReadOptions {
  /** The reader's own: when it is aborted the reader goes, and the last reader's going ends the load. */
  signal: AbortSignal;
  onEvent: (event: CacheEvent) => void;
}

/** An LRU cache of decoded content, bounded by bytes, with one load at a time for each key. */
export interface ContentCache {
  /**
   * @param load called when there is no fresh value; its signal is aborted when nobody waits for it any more.
   * @throws what `load` throws, unless an older value can stand in; the reader's abort reason.
   */
  read<T extends object | null>(
    key: string,
    load: (signal: AbortSignal) => Promise<T>,
    options: ReadOptions,
  ): Promise<T>;
  /** @returns what is stored, however old, without loading anything. */
  peek<T extends object | null>(key: string): T | undefined;
  /** Bytes and entries stored. */
  readonly size: { bytes: number; entries: number };
}

interface Stored {
  value: object | null;
  storedAt: number;
}

interface Flight {
  promise: Promise<unknown>;
  controller: AbortController;
  waiters: number;
}

/** @returns an empty cache. */
export function createContentCache({
  maxBytes,
  ttlMs,
  staleIfErrorMs,
  now = Date.now,
}: ContentCacheOptions): ContentCache {
  const store = new LRUCache<string, Stored>({ maxSize: maxBytes, maxEntrySize: maxBytes });
  const flights = new Map<string, Flight>();

  function take(key: string, value: object | null): void {
    // A value weighs what it weighs as JSON; that is what the backend sent, within a small factor.
    store.set(
      key,
      { value, storedAt: now() },
      { size: key.length + Buffer.byteLength(JSON.stringify(value)) },
    );
  }

  function startFlight(key: string, load: (signal: AbortSignal) => Promise<object | null>): Flight {
    const controller = new AbortController();
    const flight: Flight = { controller, waiters: 0, promise: Promise.resolve() };
    flight.promise = load(controller.signal)
      .then(value => {
        // One that was given up may end late, when something newer has taken its place.
        if (!controller.signal.aborted) take(key, value);
        return value;
      })
      .finally(() => {
        if (flights.get(key) === flight) flights.delete(key);
      });
    flights.set(key, flight);
    return flight;
  }

  /** Waits with the others. Whoever leaves last takes the load with it. */
  async function board(key: string, flight: Flight, signal: AbortSignal): Promise<unknown> {
    flight.waiters += 1;
    let leave: (() => void) | undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([flight.promise, left]);
    } finally {
      if (leave) signal.removeEventListener('abort', leave);
      flight.waiters -= 1;
      if (flight.waiters === 0 && flights.get(key) === flight) {
        flights.delete(key);
        flight.controller.abort(new DOMException('Nobody waits for this content any more', 'AbortError'));
      }
    }
  }

  return {
    async read<T extends object | null>(
      key: string,
      load: (signal: AbortSignal) => Promise<T>,
      { signal, onEvent }: ReadOptions,
    ) {
      signal.throwIfAborted();
      const stored = store.get(key);
      const age = stored ? now() - stored.storedAt : Number.POSITIVE_INFINITY;
      if (stored && age < ttlMs) {
        onEvent({ kind: 'hit', key });
        return stored.value as T;
      }
      const running = flights.get(key);
      onEvent({ kind: running ? 'joined' : 'miss', key });
      try {
        return (await board(key, running ?? startFlight(key, load), signal)) as T;
      } catch (error) {
        if (signal.aborted) throw error;
        onEvent({ kind: 'failed', key, error });
        if (!stored || age >= ttlMs + staleIfErrorMs) throw error;
        onEvent({ kind: 'stale', key });
        return stored.value as T;
      }
    },

    peek<T extends object | null>(key: string) {
      return store.peek(key)?.value as T | undefined;
    },

    get size() {
      return { bytes: store.calculatedSize, entries: store.size };
    },
  };
}
