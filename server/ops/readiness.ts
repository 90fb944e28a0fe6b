import { DEGRADED, type DegradedReason } from './metrics/metric-table.ts';

export type Readiness = ReturnType<typeof createReadiness>;

const LOOK_EVERY_MS = 1_000;

/** `holds` says for each reason of `degraded` whether it applies. Pages are served all the same. */
export function createReadiness(
  startUp: { readonly ready: boolean },
  holds: Readonly<Record<DegradedReason, () => boolean>>,
) {
  const since = new Map<DegradedReason, string>();
  let isDraining = false;
  let looks: NodeJS.Timeout | undefined;

  /** @returns the reasons, with the time since which each holds, in ISO 8601, to within a second. */
  function look() {
    for (const reason of DEGRADED)
      if (!holds[reason]()) since.delete(reason);
      else if (!since.has(reason)) since.set(reason, new Date().toISOString());
    return DEGRADED.flatMap(reason => {
      const at = since.get(reason);
      return at === undefined ? [] : [{ reason, since: at }];
    });
  }

  return {
    /**
     * `loading`: the start-up content is missing. `draining`: the process is ending. `degraded`: pages are
     * answered, but something behind them fails.
     */
    get state(): 'ready' | 'degraded' | 'loading' | 'draining' {
      if (isDraining) return 'draining';
      if (!startUp.ready) return 'loading';
      return look().length > 0 ? 'degraded' : 'ready';
    },
    get isReady(): boolean {
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
