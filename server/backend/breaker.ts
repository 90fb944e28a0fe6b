import { BackendError } from '../errors.ts';
import { BackOff } from '../ops/back-off.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { Condition, type ConditionOptions } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';

/** The shortest time between probes, in ms. An open breaker sends one, a closed one sends all at once. */
const PROBE_EVERY_MS = 1_000;
/** So many error responses in a row start the probes. A single call without a response also does. */
const ERRORS_UNTIL_PROBED = 5;
/** The first back-off of a call without an answer, in ms. The back-off doubles with each further failure. */
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 10_000;
/** The wait for calls in flight after `reset`, in ms. Unanswered calls are then repeated. */
const ANSWERED_AFTER_RESET_MS = 100;
const MAX_BACK_OFFS = 1_000;

export type Probe = (signal: AbortSignal) => Promise<unknown>;

interface BreakerOptions {
  /** At least two calls that exercise different parts of the server. */
  probes: readonly Probe[];
  /** The deadline of a guarded call, in ms. A closed breaker gives probes half of it. */
  timeoutMs: number;
  lines: Pick<ConditionOptions, 'code' | 'down' | 'up' | 'remedy'>;
  onUp?: () => void;
  log: Logger;
  now?: () => number;
}

/**
 * A circuit breaker for one server. A failed or late call starts the probes. The breaker opens if neither a
 * probe nor another call is answered. A call without an answer has its own back-off, so others continue.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #now: () => number;
  readonly #server: Condition;
  readonly #stopped = new AbortController();
  readonly #backOffs = boundedMap<{ pauses: BackOff; until: number; reason: string }>(MAX_BACK_OFFS);
  #isUp = true;
  #answers = 0;
  #errorsInARow = 0;
  #isProbing = false;
  #probedAt = Number.NEGATIVE_INFINITY;
  #nextProbe = 0;
  #lastFailure: unknown = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #repeats = new Set<() => void>();

  constructor(options: BreakerOptions) {
    this.#options = options;
    const { lines, log, now = () => performance.now() } = options;
    this.#now = now;
    this.#server = new Condition(log, lines);
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /**
   * @param call the method and path without the query, for the error.
   * @param key the complete address, which identifies the call.
   * @throws BackendError of the call; of kind `refused-by-breaker` for a call that was not made.
   */
  async guard<T>(call: string, key: string, work: () => Promise<T>): Promise<T> {
    this.#refuse(call, key);
    const late = setTimeout(() => {
      this.#lastFailure = new BackendError(
        'timeout',
        call,
        `no answer within ${this.#options.timeoutMs / 2} ms`,
      );
      void this.#investigate();
    }, this.#options.timeoutMs / 2);
    late.unref();
    try {
      const value = await this.#called(work);
      this.#backOffs.delete(key);
      this.#answered();
      return value;
    } catch (error) {
      if (isRefusal(error)) {
        this.#backOffs.delete(key);
        this.#answered();
      } else if (error instanceof BackendError) this.#failed(key, error);
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  /** Closes the breaker and repeats unanswered calls. Call it when the server has shown that it works. */
  reset(): void {
    if (!this.#isUp) this.#close();
    this.#backOffs.clear();
    for (const repeat of [...this.#repeats]) repeat();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped.abort(new DOMException('The process is stopping', 'AbortError'));
  }

  #answered(): void {
    this.#answers += 1;
    this.#errorsInARow = 0;
    if (!this.#isUp) this.#close();
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#isUp = true;
    this.#errorsInARow = 0;
    this.#backOffs.clear();
    this.#server.up();
    this.#options.onUp?.();
  }

  #open(): void {
    this.#isUp = false;
    this.#server.down({ reason: String(this.#lastFailure) });
    this.#probeLater();
  }

  #probeLater(): void {
    if (this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(async () => {
      const probe = this.#options.probes[this.#nextProbe % this.#options.probes.length];
      this.#nextProbe += 1;
      if (probe && (await this.#isAnswered(probe, this.#options.timeoutMs))) this.#answered();
      if (!this.#isUp) this.#probeLater();
    }, PROBE_EVERY_MS);
    this.#timer.unref();
  }

  async #isAnswered(probe: Probe, limitMs: number): Promise<boolean> {
    const limit = new AbortController();
    const end = () => limit.abort(this.#stopped.signal.reason);
    const noAnswer = () => limit.abort(new DOMException('No answer', 'TimeoutError'));
    // Read responses that have already arrived, and only then abort: after a long tick, timers run first.
    const deadline = setTimeout(() => setImmediate(noAnswer), limitMs);
    this.#stopped.signal.addEventListener('abort', end, { once: true });
    try {
      await probe(limit.signal);
      return true;
    } catch (error) {
      // A refusal (401, 403, 404) comes from a server that works.
      return isRefusal(error);
    } finally {
      clearTimeout(deadline);
      this.#stopped.signal.removeEventListener('abort', end);
    }
  }

  async #investigate(): Promise<void> {
    if (
      !this.#isUp ||
      this.#isProbing ||
      this.#stopped.signal.aborted ||
      this.#now() - this.#probedAt < PROBE_EVERY_MS
    )
      return;
    this.#isProbing = true;
    this.#probedAt = this.#now();
    const before = this.#answers;
    // Accept the first answer, so that a hanging probe does not delay the round.
    await Promise.any(
      this.#options.probes.map(async probe => {
        if (!(await this.#isAnswered(probe, this.#options.timeoutMs / 2))) throw this.#lastFailure;
        this.#answered();
      }),
    ).catch(() => {});
    this.#isProbing = false;
    if (this.#isUp && this.#answers === before && !this.#stopped.signal.aborted) this.#open();
  }

  /** Makes the call. `reset` may make it a second time. @returns whichever answer comes first. */
  async #called<T>(work: () => Promise<T>): Promise<T> {
    const answer = Promise.withResolvers<T>();
    let inFlight = 0;
    let repeating: NodeJS.Timeout | undefined;
    const attempt = () => {
      clearTimeout(repeating);
      repeating = undefined;
      inFlight += 1;
      work().then(answer.resolve, (error: unknown) => {
        inFlight -= 1;
        if (repeating && error instanceof BackendError) attempt();
        else if (inFlight === 0) answer.reject(error);
      });
    };
    const repeat = () => {
      this.#repeats.delete(repeat);
      repeating = setTimeout(attempt, ANSWERED_AFTER_RESET_MS);
    };
    this.#repeats.add(repeat);
    try {
      attempt();
      return await answer.promise;
    } finally {
      this.#repeats.delete(repeat);
      clearTimeout(repeating);
    }
  }

  #failed(key: string, error: BackendError): void {
    this.#lastFailure = error;
    if (isSilence(error)) {
      const pauses = this.#backOffs.get(key)?.pauses ?? new BackOff(FIRST_BACK_OFF_MS, LONGEST_BACK_OFF_MS);
      this.#backOffs.set(key, { pauses, until: this.#now() + pauses.failed(), reason: error.reason });
    } else {
      this.#errorsInARow += 1;
    }
    if (isSilence(error) || this.#errorsInARow >= ERRORS_UNTIL_PROBED) void this.#investigate();
  }

  #refuse(call: string, key: string): void {
    if (!this.#isUp)
      throw new BackendError(
        'refused-by-breaker',
        call,
        `the backend is down (${reasonOf(this.#lastFailure)})`,
      );
    const backOff = this.#backOffs.get(key);
    if (!backOff || this.#now() >= backOff.until) return;
    throw new BackendError('refused-by-breaker', call, `the call has just failed (${backOff.reason})`);
  }
}

function isSilence({ kind }: BackendError): boolean {
  return kind === 'unreachable' || kind === 'timeout';
}

function isRefusal(error: unknown): boolean {
  return error instanceof BackendError && error.kind === 'status' && (error.status ?? 500) < 500;
}

function reasonOf(error: unknown): string {
  return error instanceof BackendError ? error.reason : String(error);
}
