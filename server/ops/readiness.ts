/**
 * `loading`: the start-up content is not there yet. `draining`: the process ends, and balancers should send requests elsewhere. `degraded`: pages are
 * answered, but not all that the process leans on works, so that someone should look at it.
 */
export type ReadinessState = 'ready' | 'degraded' | 'loading' | 'draining';

/** Whether load balancers should send requests to this process. */
export interface Readiness {
  readonly state: ReadinessState;
  /** Whether load balancers should send requests to this process: it is ready, or degraded. */
  readonly isReady: boolean;
  /** Called when the process begins to end. */
  drain(): void;
}

/**
 * @param startUp `ready` once the process can answer pages.
 * @param isDegraded whether something does not work without which pages are answered all the same.
 */
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
