import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltSite } from '../faults/built-site.ts';
import { BROWSER_HEADERS } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { answerOf, startBareServer } from './bare.ts';
import type { BenchSizes, Report } from './figures.ts';
import { type FullLoadResult, fullLoad } from './full-load.ts';
import { median } from './load.ts';
import { fill, OPS_TOKEN, startSite } from './measured-site.ts';

/** Site and bare server are measured alternately for this long, in seconds, so that a change of the machine's speed affects both. */
const TURN_SECONDS = 0.5;

interface Stage {
  count: number;
  site: FullLoadResult[];
  bare: FullLoadResult[];
}

/**
 * Measures hits per second of one process at growing numbers of stored pages, and the time of an invalidation. The bare server holds
 * the same number of pages, because any server is slower when its bytes do not fit into the processor's caches.
 */
export async function measureGrowth(sizes: BenchSizes, report: Report): Promise<void> {
  const most = Math.max(...sizes.growth);
  const backend = await startFaultyBackend(most, 6);
  const paths = backend.articles.map(article => article.path);
  const headers: Readonly<Record<string, string>> = BROWSER_HEADERS;
  const site = await startSite(backend);
  await fill(site, paths.slice(0, 1));
  const bare = await startBareServer({ ...(await answerOf(site.url, paths[0] ?? '/', headers)), paths });
  const turns = Math.ceil((sizes.runs * sizes.seconds) / TURN_SECONDS);
  const stages: Stage[] = [];
  try {
    for (const count of sizes.growth) {
      const asked = paths.slice(0, count);
      await fill(site, asked);
      await allCompressed(site);
      const measure = ({ url, pid }: { url: string; pid: number }, seconds: number) =>
        fullLoad({ url, pid, seconds, paths: asked, headers });
      // Warm up both servers, so that V8 has compiled their code.
      for (const server of [bare, site]) await measure(server, sizes.seconds);
      const stage: Stage = { count, site: [], bare: [] };
      stages.push(stage);
      for (let turn = 0; turn < turns; turn += 1) {
        stage.bare.push(await measure(bare, TURN_SECONDS));
        stage.site.push(await measure(site, TURN_SECONDS));
      }
    }
    const rateOf = (results: readonly FullLoadResult[]) => median(results.map(({ perSecond }) => perSecond));
    const ratios = stages.map(stage => rateOf(stage.site) / rateOf(stage.bare));
    const [first = 0, ...later] = ratios;
    report({
      name: `hits per second at ${sizes.growth.join(', ')} pages, relative to the bare server: the lowest rate divided by the first`,
      value: Math.min(...later) / first,
      unit: '×',
      target: { atLeast: 0.9 },
      errors: stages
        .flatMap(stage => [...stage.site, ...stage.bare])
        .reduce((sum, result) => sum + result.errors, 0),
      details: {
        ratios,
        perSecond: stages.map(stage => rateOf(stage.site)),
        barePerSecond: stages.map(stage => rateOf(stage.bare)),
        cpuMicros: stages.map(stage => median(stage.site.map(({ cpuMicros }) => cpuMicros ?? 0))),
        bareCpuMicros: stages.map(stage => median(stage.bare.map(({ cpuMicros }) => cpuMicros ?? 0))),
        stored: await site.metric('site_cache_entries'),
      },
    });
    const invalidate = async (tag: string) => {
      const from = performance.now();
      const response = await fetch(`${site.opsUrl}/cache?tag=${tag}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${OPS_TOKEN}` },
      });
      await response.arrayBuffer();
      return performance.now() - from;
    };
    for (let times = 0; times < 5; times += 1) await invalidate('nothing');
    const narrow: number[] = [];
    for (const { documentId } of backend.articles.slice(0, 9))
      narrow.push(await invalidate(`articles:${documentId}`));
    const wide: number[] = [];
    for (let times = 0; times < 9; times += 1) wide.push(await invalidate('articles'));
    for (const [name, times] of [
      ['one article', narrow],
      ['a tag of all pages', wide],
    ] as const) {
      report({
        name: `invalidation of ${name}, ${most} pages stored, with its HTTP request`,
        value: median(times),
        unit: 'ms',
        target: { atMost: 5 },
        errors: 0,
        details: { times },
      });
    }
  } finally {
    await bare.close();
    await site.dispose();
    await backend.close();
  }
}

/** Waits until the site has made all second encodings, because their compression would slow the measurement. */
async function allCompressed(site: BuiltSite): Promise<void> {
  let before = -1;
  for (;;) {
    const bytes = await site.metric('site_cache_bytes');
    if (bytes === before) return;
    before = bytes;
    await delay(300);
  }
}
