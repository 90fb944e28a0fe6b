import { askAnyway, statusesOf } from '../client.ts';
import { onStage } from '../stage.ts';

export interface StampedeSizes {
  visitors: number;
  latencyMs: number;
}

export interface StampedeOutcome {
  statuses: Record<number, number>;
  renders: number;
  /** Backend calls made more than once. */
  repeatedCalls: string[];
}

/**
 * Fault 3: many visitors request one unstored page at the same time. The sweep is off, because it would
 * repeat calls.
 */
export function stampede({ visitors, latencyMs }: StampedeSizes): Promise<StampedeOutcome> {
  return onStage(
    { pages: 0, unseen: 1, ttlMs: 60_000 },
    { env: { CONTENT_SWEEP_MS: '0' } },
    async ({ backend, site, unseen }) => {
      const renders = await site.metric('site_render_duration_seconds_count');
      backend.forgetCalls();
      backend.latencyMs = latencyMs;
      const path = unseen[0] ?? '/';
      const replies = await Promise.all(Array.from({ length: visitors }, () => askAnyway(site.url, path)));
      return {
        statuses: statusesOf(replies),
        renders: (await site.metric('site_render_duration_seconds_count')) - renders,
        repeatedCalls: [...backend.calls].filter(([, times]) => times > 1).map(([call]) => call),
      };
    },
  );
}
