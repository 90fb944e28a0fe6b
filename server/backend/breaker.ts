import { BackendError } from '../errors.ts';
import { BackOff } from '../ops/back-off.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import { type Condition, type ConditionOptions, condition } from '../ops/condition.ts';
import type { Logger } from '../ops/log.ts';

/** Open, the breaker sends one probe in each interval. Closed, it sends at most one round of probes. */
const PROBE_EVERY_MS = 1_000;
/** Error answers in a row after which the probes are sent. One call without an answer is enough. */
const ERRORS_UNTIL_PROBED = 5;
/** A call without an answer is refused for this time, which doubles with each further failure of the call. */
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 10_000;
/** A call from before `reset`, still without an answer after this time, is made once more. */
const ANSWERED_AFTER_RESET_MS = 100;
const MAX_BACK_OFFS = 1_000;

/** A cheap call that no visitor can choose. It rejects for a server that does not work. */
export type Probe = (signal: AbortSignal) => Promise<unknown>;

export interface BreakerOptions {
  /** At least two calls that depend on different parts of the server. */
  probes: readonly Probe[];
  /** Of a guarded call, in ms. Probes have the same while the breaker is open, else half of it. */
  timeoutMs: number;
  lines: Pick<ConditionOptions, 'code' | 'down' | 'up' | 'remedy'>;
  onUp?: () => void;
  log: Logger;
  /** A monotonic clock, in ms. */
  now?: () => number;
}

/**
 * A circuit breaker for one server. A failed or late call proves nothing: the breaker then sends the probes,
 * and opens only when neither a probe nor another call is answered. A call without an answer is backed off by
 * itself, while the other calls go on.
 */
export class Breaker {
  readonly #probes: readonly Probe[];
  readonly #timeoutMs: number;
  readonly #onUp: (() => void) | undefined;
  readonly #now: () => number;
  readonly #server: Condition;
  readonly #stopped = new AbortController();
  readonly #backOffs = boundedMap<{ pauses: BackOff; until: number; reason: string }>(MAX_BACK_OFFS);
  #isUp = true;
  /** Answered calls and probes. */
  #answers = 0;
  #errorsInARow = 0;
  #isProbing = false;
  #probedAt = Number.NEGATIVE_INFINITY;
  #nextProbe = 0;
  #lastFailure: unknown = null;
  #timer: NodeJS.Timeout | undefined;
  /** Makes each call in flight once more. */
  readonly #repeats = new Set<() => void>();

  constructor(options: BreakerOptions) {
    const { probes, timeoutMs, lines, onUp, log, now = () => performance.now() } = options;
    this.#probes = probes;
    this.#timeoutMs = timeoutMs;
    this.#onUp = onUp;
    this.#now = now;
    this.#server = condition(log, lines);
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /**
   * @param call method and path without the query, for the error.
   * @param key the complete address, which distinguishes calls.
   * @throws BackendError of the call; of the kind `refused-by-breaker` when the call was not made.
   */
  async guard<T>(call: string, key: string, work: () => Promise<T>): Promise<T> {
    this.#refuse(call, key);
    const late = setTimeout(() => {
      this.#lastFailure = new BackendError('timeout', call, `no answer within ${this.#timeoutMs / 2} ms`);
      void this.#investigate();
    }, this.#timeoutMs / 2);
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

  /** The server has called the site: calls in flight without an answer are made once more. */
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
    this.#onUp?.();
  }

  #open(): void {
    this.#isUp = false;
    this.#server.down({ reason: String(this.#lastFailure) });
    this.#probeLater();
  }

  #probeLater(): void {
    if (this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(async () => {
      const probe = this.#probes[this.#nextProbe % this.#probes.length];
      this.#nextProbe += 1;
      if (probe && (await this.#isAnswered(probe, this.#timeoutMs))) this.#answered();
      if (!this.#isUp) this.#probeLater();
    }, PROBE_EVERY_MS);
    this.#timer.unref();
  }

  async #isAnswered(probe: Probe, limitMs: number): Promise<boolean> {
    const limit = new AbortController();
    const end = () => limit.abort(this.#stopped.signal.reason);
    const noAnswer = () => limit.abort(new DOMException('No answer', 'TimeoutError'));
    // After a long tick timers come first: an answer that has come meanwhile is read before the deadline
    // counts.
    const deadline = setTimeout(() => setImmediate(noAnswer), limitMs);
    this.#stopped.signal.addEventListener('abort', end, { once: true });
    try {
      await probe(limit.signal);
      return true;
    } catch (error) {
      // A refusal of the call (401, 403, 404) comes from a server that works.
      return isRefusal(error);
    } finally {
      clearTimeout(deadline);
      this.#stopped.signal.removeEventListener('abort', end);
    }
  }

  /** Sends all probes after a doubtful call, and opens the breaker when nothing is answered meanwhile. */
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
    // The first answer decides: a probe that hangs must not hold up the round.
    await Promise.any(
      this.#probes.map(async probe => {
        if (!(await this.#isAnswered(probe, this.#timeoutMs / 2))) throw this.#lastFailure;
        this.#answered();
      }),
    ).catch(() => {});
    this.#isProbing = false;
    if (this.#isUp && this.#answers === before && !this.#stopped.signal.aborted) this.#open();
  }

  /** @returns the first answer. */
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
