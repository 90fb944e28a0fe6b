import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import type { BackendClient } from './backend-client.ts';

/** While the backend is down, one call in each interval of this many ms goes through as a probe. */
const PROBE_EVERY_MS = 1_000;
/** Error answers in a row after which the backend counts as down. One call without an answer is enough. */
const ERRORS_UNTIL_DOWN = 5;

export interface Breaker extends BackendClient {
  /** Whether the backend answered the last calls. */
  readonly isUp: boolean;
  /** Whether a call would go through now: the backend is up, or a probe is due. */
  readonly mayBeAsked: boolean;
  /** Lets the next call through. Called when a webhook shows that the backend works. */
  reset(): void;
}

/**
 * A circuit breaker that all calls share. While the backend is down, calls fail at once instead of waiting. The backend then gets one
 * call a second, however many pages have expired.
 *
 * @param now the clock, in ms.
 */
export function createBreaker(client: BackendClient, log: Logger, now = Date.now): Breaker {
  let isUp = true;
  let errors = 0;
  let probedAt = Number.NEGATIVE_INFINITY;
  /** The reason of the last failure, which a refused call repeats. */
  let lastReason = '';

  function succeeded(): void {
    errors = 0;
    if (isUp) return;
    isUp = true;
    log.warn('the content backend is back');
  }

  function failed(error: BackendError): void {
    errors += 1;
    lastReason = error.reason;
    const silent = error.kind === 'unreachable' || error.kind === 'timeout';
    if (!isUp || (!silent && errors < ERRORS_UNTIL_DOWN)) return;
    isUp = false;
    probedAt = now();
    log.error({ err: error }, 'the content backend is down: it is asked once a second until it answers');
  }

  const mayBeAsked = () => isUp || now() - probedAt >= PROBE_EVERY_MS;

  async function guarded<T>(
    call: string,
    work: () => Promise<T>,
    failureOf: (value: T) => BackendError | null = () => null,
  ): Promise<T> {
    if (!mayBeAsked())
      throw new BackendError('refused-by-breaker', call, `the backend is down (${lastReason})`);
    if (!isUp) probedAt = now();
    try {
      const value = await work();
      const failure = failureOf(value);
      if (failure) failed(failure);
      else succeeded();
      return value;
    } catch (error) {
      if (error instanceof BackendError) {
        // A refusal of one call (400, 403, 404) comes from a backend that works.
        if (error.kind === 'status' && (error.status ?? 500) < 500) succeeded();
        else failed(error);
      }
      throw error;
    }
  }

  return {
    baseUrl: client.baseUrl,
    getJson: (path, signal) => guarded(`GET ${path.split('?', 1)[0]}`, () => client.getJson(path, signal)),
    // POSTs are not guarded: the outbox has its own back-off for each message.
    postJson: (...call) => client.postJson(...call),
    getFile: (path, signal, headers) =>
      guarded(
        `GET ${path}`,
        () => client.getFile(path, signal, headers),
        ({ status }) =>
          status < 500 ? null : new BackendError('status', `GET ${path}`, `answered ${status}`, { status }),
      ),
    get isUp() {
      return isUp;
    },
    get mayBeAsked() {
      return mayBeAsked();
    },
    reset() {
      probedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
