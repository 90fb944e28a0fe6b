import { NamedError } from '../ops/named-error.ts';
import type { Redis } from './redis-client.ts';

export type Argument = string | number | Buffer;

/**
 * `skipped`: the store has just failed. `unreachable`: no connection. `late`: no response in time.
 * `refused`: an error response.
 */
export type SharedStoreFailure = 'skipped' | 'unreachable' | 'late' | 'refused';

export class SharedStoreError extends NamedError {
  readonly kind: SharedStoreFailure;

  constructor(kind: SharedStoreFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** @throws SharedStoreError for every failure; `late` after a limit in ms. */
export async function answerWithin<T>(
  redis: Redis,
  name: string,
  args: readonly Argument[],
  limitMs: number,
  asBytes = false,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const late = () => reject(new SharedStoreError('late', `no answer within ${limitMs} ms`));
  // Read responses that have already arrived before the limit counts: after a long tick, timers run first.
  const timer = setTimeout(() => setImmediate(late), limitMs);
  try {
    const answer = asBytes ? redis.callBuffer(name, ...args) : redis.call(name, ...args);
    answer.then(value => resolve(value as T), reject);
    return await promise;
  } catch (error) {
    throw asSharedStoreError(error);
  } finally {
    clearTimeout(timer);
  }
}

function asSharedStoreError(error: unknown): SharedStoreError {
  if (error instanceof SharedStoreError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return new SharedStoreError(name === 'ReplyError' ? 'refused' : 'unreachable', message, error);
}

const FAILURES_UNTIL_PAUSE = 5;
const PAUSE_MS = 1_000;

/**
 * A circuit breaker for a store that answers within milliseconds or not at all. Unlike in the backend's
 * breaker, late responses are enough to open it (decision 169).
 */
export class FailurePause {
  readonly #now: () => number;
  #failures = 0;
  #isOpen = false;
  #askAt = Number.NEGATIVE_INFINITY;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** After a pause, allows one command at a time until an answer comes. */
  mayAsk(): boolean {
    if (!this.#isOpen) return true;
    if (this.#now() < this.#askAt) return false;
    this.#askAt = this.#now() + PAUSE_MS;
    return true;
  }

  answered(): void {
    this.#failures = 0;
    this.#isOpen = false;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures < FAILURES_UNTIL_PAUSE) return;
    this.#isOpen = true;
    this.#askAt = this.#now() + PAUSE_MS;
  }
}
