/**
 * `loading`: the start-up content is missing. `draining`: the process is ending. `degraded`: pages are
 * answered, but something behind them fails.
 */
export type ReadinessState = 'ready' | 'degraded' | 'loading' | 'draining';

export interface Readiness {
  readonly state: ReadinessState;
  /** Whether load balancers should send requests: in the states ready and degraded. */
  readonly isReady: boolean;
  drain(): void;
}

/** @param isDegraded whether something fails that pages do not need. */
export function createReadiness(
  startUp: { readonly ready: boolean },
  isDegraded: () => boolean = () => false,
): Readiness {
  let isDraining = false;
  return {
    get state() {
      if (isDraining) return 'draining';
      if (!startUp.ready) return 'loading';
      return isDegraded() ? 'degraded' : 'ready';
    },
    get isReady() {
      return !isDraining && startUp.ready;
    },
    drain() {
      isDraining = true;
    },
  };
}
