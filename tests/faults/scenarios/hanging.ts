import { setTimeout as delay } from 'node:timers/promises';
import { askAnyway, type Reply, statusesOf } from '../client.ts';
import { onStage, type StageSizes } from '../stage.ts';
import { quantile, startTraffic } from '../traffic.ts';

export interface HangingSizes extends StageSizes {
  perSecond: number;
  /** Every one of them a page that nobody has seen. */
  unseenPerSecond: number;
  hangMs: number;
  /** Pages that nobody has seen, asked for all at once when the hanging begins. */
  burst: number;
  timeoutMs: number;
}

export interface HangingOutcome {
  seen: { statuses: Record<number, number>; p99Ms: number; slowestMs: number };
  unseen: { statuses: Record<number, number>; withoutRetryAfter: number; slowestMs: number };
  /** The most connections to the backend at a time, while it hung. */
  connections: number;
}

/** Fault 4: the backend takes connections and calls, and answers nothing. */
export function hanging(sizes: HangingSizes): Promise<HangingOutcome> {
  const { perSecond, unseenPerSecond, hangMs, timeoutMs, ttlMs, burst } = sizes;
  const unseenCount = Math.floor((unseenPerSecond * hangMs) / 1_000);
  return onStage(
    { ...sizes, unseen: burst + unseenCount + 1 },
    { env: { CONTENT_TIMEOUT_MS: String(timeoutMs) } },
    async ({ backend, site, seen, unseen }) => {
      await delay(ttlMs);
      // Shared content is reloaded first, so that the burst waits for each page's own content alone.
      const [first = '/', ...others] = unseen;
      await askAnyway(site.url, first);
      backend.forgetCalls();
      await backend.fail('hang');
      const traffic = startTraffic(site.url, seen, perSecond);
      const replies: Promise<Reply>[] = others.slice(0, burst).map(path => askAnyway(site.url, path));
      for (const path of others.slice(burst)) {
        replies.push(askAnyway(site.url, path));
        await delay(1_000 / unseenPerSecond);
      }
      const answered = await Promise.all(replies);
      await traffic.stop();
      const connections = backend.peakConnections;
      await backend.fail(null);
      const times = traffic.visits.map(({ ms }) => ms);
      return {
        seen: {
          statuses: statusesOf(traffic.visits),
          p99Ms: quantile(times, 0.99),
          slowestMs: Math.max(...times),
        },
        unseen: {
          statuses: statusesOf(answered),
          withoutRetryAfter: answered.filter(({ headers }) => headers['retry-after'] === undefined).length,
          slowestMs: Math.max(...answered.map(({ ms }) => ms)),
        },
        connections,
      };
    },
  );
}
