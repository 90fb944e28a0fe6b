import { askAnyway, keepAlive } from './client.ts';

/** The response to a visitor's request. */
export interface Visit {
  status: number;
  ms: number;
  /** Whether the response came from the page cache, fresh or stale. */
  isHit: boolean;
  /** Time of the request by `performance.now()`. */
  at: number;
}

export interface Traffic {
  /** All answered requests so far, in the order of their responses. */
  readonly visits: readonly Visit[];
  /** Sends no more requests. Resolves when all sent requests are answered. */
  stop(): Promise<void>;
}

const TICK_MS = 10;

/** Requests pages in turn at a fixed rate, without waiting for the responses. */
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

/** @param share such as 0.99 @returns the value that this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
