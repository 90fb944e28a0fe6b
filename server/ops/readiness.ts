import { DEGRADED, type DegradedReason } from './metrics/metric-table.ts';

/**
 * `loading`: the start-up content is missing. `draining`: the process is ending. `degraded`: pages are
 * answered, but something behind them fails.
 */
export type ReadinessState = 'ready' | 'degraded' | 'loading' | 'draining';

export interface Degradation {
  readonly reason: DegradedReason;
  /** The time since which the reason holds, in ISO 8601, to within a second. */
  readonly since: string;
}

export interface Readiness {
  readonly state: ReadinessState;
  /** Whether load balancers should send requests: in the states ready and degraded. */
  readonly isReady: boolean;
  /** The reasons that hold now. */
  readonly degraded: readonly Degradation[];
  drain(): void;
  begin(): void;
  stop(): void;
}

const LOOK_EVERY_MS = 1_000;

/** @param holds whether a reason holds. Pages are served in spite of these reasons. */
export function createReadiness(
  startUp: { readonly ready: boolean },
  holds: Readonly<Record<DegradedReason, () => boolean>>,
): Readiness {
  const since = new Map<DegradedReason, string>();
  let isDraining = false;
  let looks: NodeJS.Timeout | undefined;

  function look(): readonly Degradation[] {
    for (const reason of DEGRADED)
      if (!holds[reason]()) since.delete(reason);
      else if (!since.has(reason)) since.set(reason, new Date().toISOString());
    return DEGRADED.flatMap(reason => {
      const at = since.get(reason);
      return at === undefined ? [] : [{ reason, since: at }];
    });
  }

  return {
    get state() {
      if (isDraining) return 'draining';
      if (!startUp.ready) return 'loading';
      return look().length > 0 ? 'degraded' : 'ready';
    },
    get isReady() {
      return !isDraining && startUp.ready;
    },
    get degraded() {
      return look();
    },
    drain() {
      isDraining = true;
    },
    begin() {
      looks = setInterval(look, LOOK_EVERY_MS).unref();
    },
    stop() {
      clearInterval(looks);
    },
  };
}
