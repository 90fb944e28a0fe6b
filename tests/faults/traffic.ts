import { askAnyway, keepAlive } from './client.ts';

/** How a visitor was answered. */
export interface Visit {
  status: number;
  ms: number;
  /** Whether it came out of the page cache, fresh or stale. */
  isHit: boolean;
  /** When it was sent, on the clock of `performance.now()`. */
  at: number;
}

export interface Traffic {
  /** All that was answered so far, in the order of the answers. */
  readonly visits: readonly Visit[];
  /** Sends no more, and resolves when all that was sent is answered. */
  stop(): Promise<void>;
}

const TICK_MS = 10;

/** Visits pages one after the other, at a rate that does not wait for the answers. */
export function startTraffic(base: string, paths: readonly string[], perSecond: number): Traffic {
  const agent = keepAlive(256);
  const visits: Visit[] = [];
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
    for (; sent < due; sent += 1) {
      const at = performance.now();
      const visit = askAnyway(base, paths[sent % paths.length] ?? '/', { agent }).then(
        ({ status, ms, headers }) => {
          visits.push({
            status,
            ms,
            isHit: String(headers['cache-status']).startsWith('site; hit'),
            at,
          });
          underWay.delete(visit);
        },
      );
      underWay.add(visit);
    }
  }, TICK_MS);
  return {
    visits,
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}

/** @returns the value below which a share of the values is, such as 0.99. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
