import { BackendError } from '../errors.ts';
import { boundedMap } from '../ops/bounded-map.ts';
import type { Logger } from '../ops/log.ts';

/** While the breaker is open, one probe is sent in each interval of this many ms. While it is closed, at most one round of probes is. */
const PROBE_EVERY_MS = 1_000;
/** Error answers in a row after which the probes are sent. One call without an answer is enough. */
const ERRORS_UNTIL_PROBED = 5;
/** A call without an answer is refused for this many ms. The time doubles with each further failure of the call, up to the longest. */
const FIRST_BACK_OFF_MS = 500;
const LONGEST_BACK_OFF_MS = 10_000;
/** A call that was made before the server has called the site, and is not answered within this many ms after that, is made once more. */
const ANSWERED_AFTER_RESET_MS = 100;
/** Most calls without an answer that are remembered. */
const MAX_BACK_OFFS = 1_000;

/**
 * A cheap call of the site's own, which no visitor can choose. It resolves when the server has answered, and rejects when it has not, or
 * when its answer shows that the server does not work.
 */
export type Probe = (signal: AbortSignal) => Promise<unknown>;

export interface BreakerOptions {
  /** At least two calls that depend on different parts of the server. */
  probes: readonly Probe[];
  /** The time limit of a guarded call, in ms. Probes have the same limit while the breaker is open, and half of it while it is closed. */
  timeoutMs: number;
  /** The lines that the log gets when the server goes down and when it is back. */
  lines: { down: string; up: string; remedy?: string };
  /** Called when the server is back. */
  onUp?: () => void;
  log: Logger;
  /** A monotonic clock, in ms. */
  now?: () => number;
}

export interface Breaker {
  /** Whether calls go through. */
  readonly isUp: boolean;
  /**
   * Makes a call of the server, unless the server is down, or this very call has just had no answer.
   *
   * @param call method and path without the query, for the error.
   * @param key the complete address, which tells calls apart.
   * @throws BackendError of the call; of the kind `refused-by-breaker` when the call was not made.
   */
  guard<T>(call: string, key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Closes the breaker and ends all back-offs, because the server has called the site. Calls in flight that had no answer while the server was
   * down are made once more.
   */
  reset(): void;
  /** Ends the probes. */
  stop(): void;
}

/**
 * A circuit breaker for one server. A call that fails, or is late, proves nothing: the breaker then sends the probes, and opens only when
 * none of them is answered, and no other call is either. While it is open, calls fail at once instead of waiting, and one probe a second
 * is sent until one is answered. A call without an answer is backed off by itself, while the other calls go on.
 */
export function createBreaker({
  probes,
  timeoutMs,
  lines,
  onUp,
  log,
  now = () => performance.now(),
}: BreakerOptions): Breaker {
  const stopped = new AbortController();
  const backOffs = boundedMap<{ failures: number; until: number; reason: string }>(MAX_BACK_OFFS);
  let isUp = true;
  /** How many calls and probes were answered. */
  let answers = 0;
  let errorsInARow = 0;
  let isProbing = false;
  let probedAt = Number.NEGATIVE_INFINITY;
  /** The number of the probe that is sent next while the breaker is open. */
  let nextProbe = 0;
  let lastFailure: unknown = null;
  let timer: NodeJS.Timeout | undefined;
  /** Makes each call in flight once more, by the call. */
  const repeats = new Set<() => void>();

  function answered(): void {
    answers += 1;
    errorsInARow = 0;
    if (!isUp) close();
  }

  function close(): void {
    clearTimeout(timer);
    isUp = true;
    errorsInARow = 0;
    backOffs.clear();
    log.warn(lines.up);
    onUp?.();
  }

  function open(): void {
    isUp = false;
    const { remedy, down } = lines;
    log.error({ reason: String(lastFailure), ...(remedy ? { remedy } : {}) }, down);
    probeLater();
  }

  function probeLater(): void {
    if (stopped.signal.aborted) return;
    timer = setTimeout(async () => {
      const probe = probes[nextProbe % probes.length];
      nextProbe += 1;
      if (probe && (await isAnswered(probe, timeoutMs))) answered();
      if (!isUp) probeLater();
    }, PROBE_EVERY_MS);
    timer.unref();
  }

  async function isAnswered(probe: Probe, limitMs: number): Promise<boolean> {
    const limit = new AbortController();
    const end = () => limit.abort(stopped.signal.reason);
    const noAnswer = () => limit.abort(new DOMException('No answer', 'TimeoutError'));
    // After a long turn of the event loop timers come first. An answer that has come meanwhile is read before the deadline counts.
    const deadline = setTimeout(() => setImmediate(noAnswer), limitMs);
    stopped.signal.addEventListener('abort', end, { once: true });
    try {
      await probe(limit.signal);
      return true;
    } catch (error) {
      // A refusal of the call (401, 403, 404) comes from a server that works.
      return isRefusal(error);
    } finally {
      clearTimeout(deadline);
      stopped.signal.removeEventListener('abort', end);
    }
  }

  /** Sends all probes after a doubtful call, and opens the breaker when nothing is answered meanwhile. */
  async function investigate(): Promise<void> {
    if (!isUp || isProbing || stopped.signal.aborted || now() - probedAt < PROBE_EVERY_MS) return;
    isProbing = true;
    probedAt = now();
    const before = answers;
    // The first answer decides: a probe of a type that hangs must not hold up the round.
    await Promise.any(
      probes.map(async probe => {
        if (!(await isAnswered(probe, timeoutMs / 2))) throw lastFailure;
        answered();
      }),
    ).catch(() => {});
    isProbing = false;
    if (isUp && answers === before && !stopped.signal.aborted) open();
  }

  /** Makes a call, and once more when the server has called the site meanwhile. @returns the first answer. */
  async function called<T>(work: () => Promise<T>): Promise<T> {
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
      repeats.delete(repeat);
      repeating = setTimeout(attempt, ANSWERED_AFTER_RESET_MS);
    };
    repeats.add(repeat);
    try {
      attempt();
      return await answer.promise;
    } finally {
      repeats.delete(repeat);
      clearTimeout(repeating);
    }
  }

  function failed(key: string, error: BackendError): void {
    lastFailure = error;
    if (isSilence(error)) {
      const failures = (backOffs.get(key)?.failures ?? 0) + 1;
      const pauseMs = Math.min(FIRST_BACK_OFF_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS);
      backOffs.set(key, { failures, until: now() + pauseMs, reason: error.reason });
    } else {
      errorsInARow += 1;
    }
    if (isSilence(error) || errorsInARow >= ERRORS_UNTIL_PROBED) void investigate();
  }

  function refuse(call: string, key: string): void {
    if (!isUp)
      throw new BackendError('refused-by-breaker', call, `the backend is down (${reasonOf(lastFailure)})`);
    const backOff = backOffs.get(key);
    if (!backOff || now() >= backOff.until) return;
    throw new BackendError('refused-by-breaker', call, `the call has just failed (${backOff.reason})`);
  }

  return {
    get isUp() {
      return isUp;
    },
    async guard(call, key, work) {
      refuse(call, key);
      const late = setTimeout(() => {
        lastFailure = new BackendError('timeout', call, `no answer within ${timeoutMs / 2} ms`);
        void investigate();
      }, timeoutMs / 2);
      late.unref();
      try {
        const value = await called(work);
        backOffs.delete(key);
        answered();
        return value;
      } catch (error) {
        if (isRefusal(error)) {
          backOffs.delete(key);
          answered();
        } else if (error instanceof BackendError) failed(key, error);
        throw error;
      } finally {
        clearTimeout(late);
      }
    },
    reset() {
      if (!isUp) close();
      backOffs.clear();
      for (const repeat of [...repeats]) repeat();
    },
    stop() {
      clearTimeout(timer);
      stopped.abort(new DOMException('The process is stopping', 'AbortError'));
    },
  };
}

/** @returns whether a call had no answer at all. */
function isSilence({ kind }: BackendError): boolean {
  return kind === 'unreachable' || kind === 'timeout';
}

/** @returns whether the server has refused a call (400, 403, 404). A server that refuses calls works. */
function isRefusal(error: unknown): boolean {
  return error instanceof BackendError && error.kind === 'status' && (error.status ?? 500) < 500;
}

function reasonOf(error: unknown): string {
  return error instanceof BackendError ? error.reason : String(error);
}
