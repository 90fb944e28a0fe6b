import { setTimeout as delay } from 'node:timers/promises';
import { askAnyway, type Reply, statusesOf } from '../client.ts';
import { onStage, type StageSizes } from '../stage.ts';
import { quantile, startTraffic } from '../traffic.ts';

export interface HangingSizes extends StageSizes {
  perSecond: number;
  /** Rate of requests for unstored pages. Each page is requested once. */
  unseenPerSecond: number;
  hangMs: number;
  /** Unstored pages requested together when the fault begins. */
  burst: number;
  timeoutMs: number;
}

export interface HangingOutcome {
  seen: { statuses: Record<number, number>; p99Ms: number; slowestMs: number };
  unseen: { statuses: Record<number, number>; withoutRetryAfter: number; slowestMs: number };
  /** Greatest number of concurrent connections to the backend during the fault. */
  connections: number;
}

/** Fault 4: the backend accepts connections and never answers. */
export function hanging(sizes: HangingSizes): Promise<HangingOutcome> {
  const { perSecond, unseenPerSecond, hangMs, timeoutMs, ttlMs, burst } = sizes;
  const unseenCount = Math.floor((unseenPerSecond * hangMs) / 1_000);
  return onStage(
    { ...sizes, unseen: burst + unseenCount + 1 },
    { env: { CONTENT_TIMEOUT_MS: String(timeoutMs) } },
    async ({ backend, site, seen, unseen }) => {
      await delay(ttlMs);
      // Reloads the shared content first, so that each request of the burst waits only for the content of its
      // page.
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
