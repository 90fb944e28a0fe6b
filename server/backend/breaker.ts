import { BackendError } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import type { BackendClient } from './backend-client.ts';

/** While the backend is down one call in this time goes through, in ms, to see whether it is back. */
const PROBE_EVERY_MS = 1_000;
/** Answers that are errors, one after the other, until the backend counts as down. No answer at all counts at once. */
const ERRORS_UNTIL_DOWN = 5;

export interface Breaker extends BackendClient {
  /** Whether the backend answers, as far as is known. */
  readonly isUp: boolean;
  /** Whether a call would go through now: the backend is up, or it is time to see whether it is back. */
  readonly mayBeAsked: boolean;
  /** Lets the next call through: the backend has been heard of. */
  reset(): void;
}

/**
 * Guards a backend that is down from all who would ask it, and them from waiting for it: shared by all calls, so that a
 * thousand expired pages cost one call a second.
 *
 * @param now the clock, in ms.
 */
export function createBreaker(client: BackendClient, log: Logger, now = Date.now): Breaker {
  let isUp = true;
  let errors = 0;
  let probedAt = Number.NEGATIVE_INFINITY;

  function succeeded(): void {
    errors = 0;
    if (isUp) return;
    isUp = true;
    log.warn('the content backend is back');
  }

  function failed(error: BackendError): void {
    errors += 1;
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
    if (!mayBeAsked()) throw new BackendError('refused-by-breaker', call, 'the backend is down');
    if (!isUp) probedAt = now();
    try {
      const value = await work();
      const failure = failureOf(value);
      if (failure) failed(failure);
      else succeeded();
      return value;
    } catch (error) {
      if (error instanceof BackendError) {
        // A refusal of this one call (400, 403, 404) is the answer of a backend that is well.
        if (error.kind === 'status' && (error.status ?? 500) < 500) succeeded();
        else failed(error);
      }
      throw error;
    }
  }

  return {
    baseUrl: client.baseUrl,
    getJson: (path, signal) => guarded(`GET ${path.split('?', 1)[0]}`, () => client.getJson(path, signal)),
    // The outbox has a back-off of its own for each message.
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
