import { askAnyway, forEachAtOnce, keepAlive } from '../client.ts';
import { INSPECTED, openHeapProbe } from '../heap-probe.ts';
import { onStage, untilNone } from '../stage.ts';

export interface CutOffSizes {
  rounds: number;
  /** The number of requests in each round. */
  requests: number;
  atOnce: number;
  cutAfterMs: number;
  /** The latency of the backend, longer than `cutAfterMs`. */
  latencyMs: number;
}

export interface CutOffOutcome {
  answered: number;
  /** The size of the heap after a garbage collection: before the first round, and after each round. */
  heapBytes: number[];
  /** Renders and content loads in flight at the end. */
  renders: number;
  loads: number;
  /** Connections to the backend that are open at the end. */
  backendConnections: number;
}

/** Fault 7: many visitors disconnect before they are answered. */
export function cutOff({
  rounds,
  requests,
  atOnce,
  cutAfterMs,
  latencyMs,
}: CutOffSizes): Promise<CutOffOutcome> {
  return onStage(
    { pages: 20, ttlMs: 600_000 },
    { nodeArguments: INSPECTED, env: { MAX_RENDERS: '10000' } },
    async ({ backend, site }) => {
      const heap = await openHeapProbe(site);
      backend.latencyMs = latencyMs;
      let answered = 0;
      let next = 0;
      const round = async (count: number) => {
        const agent = keepAlive(atOnce);
        await forEachAtOnce(Array.from({ length: count }), atOnce, async () => {
          next += 1;
          const reply = await askAnyway(site.url, `/blog/guides/nowhere-${next}`, { agent, cutAfterMs });
          if (reply.status !== 0) answered += 1;
        });
        agent.destroy();
      };
      const underWay = async () =>
        (await site.metric('site_pages_in_the_making')) + (await site.metric('site_content_being_loaded'));
      try {
        // Warm up, because compiled code and pools are no leak.
        await round(Math.ceil(requests / 4));
        await untilNone(underWay, 5_000);
        const heapBytes = [await heap.usedAfterCollection()];
        for (let number = 0; number < rounds; number += 1) {
          await round(requests);
          await untilNone(underWay, 5_000);
          heapBytes.push(await heap.usedAfterCollection());
        }
        await untilNone(underWay, 5_000);
        return {
          answered,
          heapBytes,
          renders: await site.metric('site_pages_in_the_making'),
          loads: await site.metric('site_content_being_loaded'),
          backendConnections: await backend.connections(),
        };
      } finally {
        heap.close();
      }
    },
  );
}
