import { askAnyway, forEachAtOnce, keepAlive } from '../client.ts';
import { INSPECTED, openHeapProbe } from '../heap-probe.ts';
import { onStage, untilNone } from '../stage.ts';

export interface CutOffSizes {
  rounds: number;
  /** Number of requests in each round. */
  requests: number;
  atOnce: number;
  cutAfterMs: number;
  /** Latency of the backend. It exceeds `cutAfterMs`, and the time that the scenario waits for all work. */
  latencyMs: number;
}

export interface CutOffOutcome {
  answered: number;
  /** Heap size after a garbage collection: before the first round, and after each round. */
  heapBytes: number[];
  /** Renders and content loads in flight at the end. */
  renders: number;
  loads: number;
  /** Open connections to the backend at the end. */
  backendConnections: number;
}

/** Fault 7: many visitors disconnect before their response. */
export function cutOff({
  rounds,
  requests,
  atOnce,
  cutAfterMs,
  latencyMs,
}: CutOffSizes): Promise<CutOffOutcome> {
  return onStage(
    { pages: 20, ttlMs: 600_000 },
    // A load that is not aborted outlasts this scenario.
    { nodeArguments: INSPECTED, env: { MAX_RENDERS: '10000', CONTENT_TIMEOUT_MS: '60000' } },
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
      const left = { renders: 0, loads: 0 };
      // A busy site may read a request after its visitor has left. Only the last count of `untilNone` is
      // therefore used.
      const underWay = async () => {
        left.renders = await site.metric('site_page_renders_in_flight');
        left.loads = await site.metric('site_content_loads_in_flight');
        return left.renders + left.loads;
      };
      try {
        // The first round is a warm-up, because it compiles code and fills pools.
        await round(Math.ceil(requests / 4));
        await untilNone(underWay, 5_000);
        const heapBytes = [await heap.usedAfterCollection()];
        for (let number = 0; number < rounds; number += 1) {
          await round(requests);
          await untilNone(underWay, 5_000);
          heapBytes.push(await heap.usedAfterCollection());
        }
        await untilNone(underWay, 5_000);
        return { answered, heapBytes, ...left, backendConnections: await backend.connections() };
      } finally {
        heap.close();
      }
    },
  );
}
