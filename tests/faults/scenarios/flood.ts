import { readFileSync } from 'node:fs';
import { spray } from '../spray.ts';
import { onStage, type StageSizes } from '../stage.ts';
import { startTraffic, type Visit } from '../traffic.ts';

export interface FloodSizes extends StageSizes {
  perSecond: number;
  queries: number;
  paths: number;
  /** Connections that request unknown paths. */
  pathConnections: number;
  beforeMs: number;
  pageCacheBytes: number;
}

export interface FloodOutcome {
  queryStatuses: Record<number, number>;
  pathStatuses: Record<number, number>;
  /** Visits to real pages that were not answered with 200. */
  failed: number;
  hitRateBefore: number;
  hitRateDuring: number;
  /** Size and number of all cache entries after the flood. */
  cacheBytes: number;
  cacheEntries: number;
  rssBytesBefore: number;
  rssBytesAfter: number;
}

/** Fault 9: a flood of query strings and unknown paths, while visitors read the real pages. */
export function flood(sizes: FloodSizes): Promise<FloodOutcome> {
  const { perSecond, queries, paths, pathConnections, beforeMs, pageCacheBytes } = sizes;
  return onStage(
    sizes,
    { env: { PAGE_CACHE_BYTES: String(pageCacheBytes), MAX_RENDERS: '1000' } },
    async ({ site, seen }) => {
      const traffic = startTraffic(site.url, seen, perSecond);
      await new Promise(resolve => setTimeout(resolve, beforeMs));
      const from = performance.now();
      const rssBytesBefore = rssOf(site.pid);
      const queryStatuses = await spray(
        site.url,
        index => `${seen[index % seen.length]}?utm_source=${index}`,
        {
          count: queries,
        },
      );
      const pathStatuses = await spray(site.url, index => `/nowhere-${index}`, {
        count: paths,
        connections: pathConnections,
      });
      await traffic.stop();
      const { visits } = traffic;
      return {
        queryStatuses,
        pathStatuses,
        failed: visits.filter(({ status }) => status !== 200).length,
        hitRateBefore: hitRate(visits.filter(({ at }) => at < from)),
        hitRateDuring: hitRate(visits.filter(({ at }) => at >= from)),
        cacheBytes: await site.metric('site_cache_bytes'),
        cacheEntries: await site.metric('site_cache_entries'),
        rssBytesBefore,
        rssBytesAfter: rssOf(site.pid),
      };
    },
  );
}

function hitRate(visits: readonly Visit[]): number {
  return visits.length === 0 ? 1 : visits.filter(({ isHit }) => isHit).length / visits.length;
}

/** @returns the resident memory of a process in bytes, or 0 on a system without `/proc`. */
function rssOf(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
