/**
 * `loading`: the start-up content is not there yet. `draining`: the process ends. `degraded`: pages are
 * answered, but something behind them fails.
 */
export type ReadinessState = 'ready' | 'degraded' | 'loading' | 'draining';

export interface Readiness {
  readonly state: ReadinessState;
  /** Whether load balancers should send requests to this process: it is ready, or degraded. */
  readonly isReady: boolean;
  drain(): void;
}

/** @param isDegraded whether something fails without which pages are still answered. */
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
