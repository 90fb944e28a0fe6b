import { setTimeout as delay } from 'node:timers/promises';
import { revisionIn } from '../faulty-backend.ts';
import { askAll, onStage, type StageSizes, untilNone } from '../stage.ts';
import { quantile, startTraffic, type Visit } from '../traffic.ts';

export interface OutageSizes extends StageSizes {
  perSecond: number;
  beforeMs: number;
  outageMs: number;
  freshWithinMs: number;
}

export interface OutageOutcome {
  /** Visits not answered with 200, over the whole scenario. */
  failed: number;
  visits: number;
  /** Visits during the outage that were not answered from the cache. */
  missed: number;
  p99BeforeMs: number;
  p99DuringMs: number;
  /** Renders during the outage, when no new content exists. */
  rendersDuring: number;
  /** Pages that showed old content at the end. */
  old: number;
  /** Time from the backend's return until all pages showed new content. */
  freshAfterMs: number;
  /** Time of the first renders of all pages, before the outage: what this machine can do. */
  filledMs: number;
}

/** Fault 1: the backend refuses connections for a time. After its return all content is new. */
export function outage(sizes: OutageSizes): Promise<OutageOutcome> {
  const { perSecond, beforeMs, outageMs, freshWithinMs } = sizes;
  return onStage(sizes, {}, async ({ backend, site, seen, filledMs }) => {
    const traffic = startTraffic(site.url, seen, perSecond);
    await delay(beforeMs);
    await backend.fail('refuse');
    const deadFrom = performance.now();
    const renders = await site.metric('site_render_duration_seconds_count');
    for (const article of backend.articles) article.revision = 2;
    await delay(outageMs);
    const rendersDuring = (await site.metric('site_render_duration_seconds_count')) - renders;
    const deadUntil = performance.now();
    await backend.fail(null);

    const { left, ms } = await untilNone(async () => {
      const replies = await askAll(site.url, seen);
      return replies.filter(({ text }) => revisionIn(text) !== 2).length;
    }, freshWithinMs);
    await traffic.stop();
    const { visits } = traffic;
    const before = visits.filter(({ at }) => at < deadFrom);
    const during = visits.filter(({ at }) => at >= deadFrom && at < deadUntil);
    const p99 = (of: readonly Visit[]) =>
      quantile(
        of.map(visit => visit.ms),
        0.99,
      );
    return {
      failed: visits.filter(({ status }) => status !== 200).length,
      visits: visits.length,
      missed: during.filter(({ isHit }) => !isHit).length,
      p99BeforeMs: p99(before),
      p99DuringMs: p99(during),
      rendersDuring,
      old: left,
      freshAfterMs: ms,
      filledMs,
    };
  });
}
