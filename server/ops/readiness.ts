/** `loading`: the start-up content is not there yet. `draining`: the process ends, and balancers should send requests elsewhere. */
export type ReadinessState = 'ready' | 'loading' | 'draining';

/** Whether load balancers should send requests to this process. */
export interface Readiness {
  readonly state: ReadinessState;
  /** Called when the process begins to end. */
  drain(): void;
}

/** @param startUp `ready` once the process can answer pages. */
export function createReadiness(startUp: { readonly ready: boolean }): Readiness {
  let isDraining = false;
  return {
    get state() {
      if (isDraining) return 'draining';
      return startUp.ready ? 'ready' : 'loading';
    },
    drain() {
      isDraining = true;
    },
  };
}
