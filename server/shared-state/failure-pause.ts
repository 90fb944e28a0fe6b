/** Failures in a row after which the store is not asked for a moment. */
const FAILURES_UNTIL_PAUSE = 5;
/** How long it is then not asked, in ms. */
const PAUSE_MS = 1_000;

/** Whether a store is asked that answers within milliseconds or not at all. */
export interface FailurePause {
  /** Whether it has failed so often that it is not asked. It stays so until an answer comes. */
  readonly isOpen: boolean;
  /** @returns whether a command may be sent. After a pause one command at a time is let through, until it is answered. */
  mayAsk(): boolean;
  answered(): void;
  failed(): void;
}

/**
 * The circuit breaker of the backend (`server/backend/breaker.ts`) sends probes after one late call, which costs a store with a limit of 50 ms its
 * good name whenever the machine is busy. Here failures are counted, and the next command is the probe (decision 075).
 *
 * @param now a monotonic clock, in ms.
 */
export function createFailurePause(now: () => number = () => performance.now()): FailurePause {
  let failures = 0;
  let isOpen = false;
  let askAt = Number.NEGATIVE_INFINITY;
  return {
    get isOpen() {
      return isOpen;
    },
    mayAsk() {
      if (!isOpen) return true;
      if (now() < askAt) return false;
      askAt = now() + PAUSE_MS;
      return true;
    },
    answered() {
      failures = 0;
      isOpen = false;
    },
    failed() {
      failures += 1;
      if (failures < FAILURES_UNTIL_PAUSE) return;
      isOpen = true;
      askAt = now() + PAUSE_MS;
    },
  };
}
