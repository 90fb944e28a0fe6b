import type { BuiltSite } from '../faults/built-site.ts';
import { BROWSER_HEADERS } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import type { BenchSizes, Report } from './figures.ts';
import { type LoadResult, load, median } from './load.ts';
import { fill, OPS_TOKEN, startSite } from './measured-site.ts';

/** Visitors at a time while the cache grows. */
const CONNECTIONS = 50;

/**
 * Hits per second with few and with many pages stored, and the cost of a purge. A process for each number of pages, all
 * measured in turns: the machine's mood changes more between two minutes than the figure may.
 */
export async function measureGrowth(sizes: BenchSizes, report: Report): Promise<void> {
  const most = Math.max(...sizes.growth);
  const backend = await startFaultyBackend(most, 6);
  const paths = backend.articles.map(article => article.path);
  // As many for each connection whatever is stored: many addresses take the load itself longer than few.
  const each = Math.ceil(most / CONNECTIONS);
  const stored: { count: number; site: BuiltSite; runs: LoadResult[] }[] = [];
  try {
    for (const count of sizes.growth) {
      const site = await startSite(backend);
      stored.push({ count, site, runs: [] });
      await fill(site, paths.slice(0, count));
    }
    // The first is to warm up.
    for (let run = 0; run < sizes.runs + 1; run += 1) {
      for (const { count, site, runs } of stored) {
        const asked = paths.slice(0, count);
        const result = await load({
          url: site.url,
          headers: BROWSER_HEADERS,
          seconds: sizes.seconds,
          pid: site.pid,
          connections: CONNECTIONS,
          pathsOf: connection => turnOf(asked, connection * each, each),
        });
        if (run > 0) runs.push(result);
      }
    }
    const rates = stored.map(({ runs }) => median(runs.map(({ perSecond }) => perSecond)));
    const largest = stored.at(-1)?.site;
    if (!largest) throw new Error('Nothing to measure');
    report({
      name: `hits per second at ${sizes.growth.join(', ')} pages: slowest to fastest`,
      value: Math.min(...rates) / Math.max(...rates),
      unit: '×',
      target: { atLeast: 0.9 },
      errors: stored.flatMap(({ runs }) => runs).reduce((sum, each) => sum + each.errors, 0),
      details: { perSecond: rates, stored: await largest.metric('site_cache_entries') },
    });
    const purge = async (tag: string) => {
      const from = performance.now();
      const response = await fetch(`${largest.opsUrl}/cache?tag=${tag}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${OPS_TOKEN}` },
      });
      await response.arrayBuffer();
      return performance.now() - from;
    };
    for (let times = 0; times < 5; times += 1) await purge('nothing');
    const narrow: number[] = [];
    for (const { documentId } of backend.articles.slice(0, 9))
      narrow.push(await purge(`articles:${documentId}`));
    const wide: number[] = [];
    for (let times = 0; times < 9; times += 1) wide.push(await purge('articles'));
    for (const [name, times] of [
      ['one article', narrow],
      ['a tag that all of them carry', wide],
    ] as const) {
      report({
        name: `purge of ${name} among ${most} pages, its HTTP request included`,
        value: median(times),
        unit: 'ms',
        target: { atMost: 5 },
        errors: 0,
        details: { times },
      });
    }
  } finally {
    for (const { site } of stored) await site.dispose();
    await backend.close();
  }
}

/** So many of the paths, from one of them on, round and round. */
function turnOf(paths: readonly string[], from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => paths[(from + index) % paths.length] ?? '/');
}
