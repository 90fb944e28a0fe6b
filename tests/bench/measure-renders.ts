import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltSite } from '../faults/built-site.ts';
import { ask, BROWSER_HEADERS, keepAlive } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { answerOf, startBareRenderer } from './bare.ts';
import { cpuMs } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { median } from './load.ts';
import { FILL_AT_ONCE, fill, isSettled, measureRounds, reportRounds, startSite } from './measured-site.ts';

/** Number of articles. Concurrent requests for one article would share a render. */
const ARTICLES = 400;

/**
 * Measures renders of articles whose content is in memory, compared with React alone with equal bytes around
 * its markup.
 */
export async function measureRenders(sizes: BenchSizes, report: Report): Promise<void> {
  const backend = await startFaultyBackend(ARTICLES, 24);
  // The page cache has no space, so each request is rendered.
  const unstored = await startSite(backend, { PAGE_CACHE_BYTES: '0' });
  const { 'accept-encoding': _none, ...headers } = BROWSER_HEADERS;
  const paths = backend.articles.map(({ path }) => path);
  const [path = '/'] = paths;
  try {
    await fill(unstored, paths);
    const answer = await answerOf(unstored.url, path, headers);
    const bare = await startBareRenderer(answer, path);
    try {
      const rendered = await answerOf(bare.url, path, headers);
      if (rendered.bodyBase64 !== answer.bodyBase64)
        throw new Error('The bare renderer and the site render different pages');
      const servers = { site: unstored, bare };
      // Warms up both servers, so that V8 has compiled their code.
      await measureRounds(servers, { paths, headers }, 1, 1);
      const rounds = await measureRounds(servers, { paths, headers }, sizes.runs, sizes.seconds);
      reportRounds('page rendered from content in memory, uncompressed', 0.8, rounds, report);
      await unstored.dispose();
      const bareMicros = median(rounds.map(round => round.bare.cpuMicros ?? 0));
      const site = await startSite(backend);
      try {
        await fill(site, paths);
        await measureStored(site, paths, bareMicros, sizes, report);
      } finally {
        await site.dispose();
      }
    } finally {
      await bare.close();
    }
  } finally {
    await unstored.dispose();
    await backend.close();
  }
}

/**
 * Without PUBLIC_URL each host of this machine has separate pages. A request with a new host is therefore a
 * stored miss.
 */
async function measureStored(
  site: BuiltSite,
  paths: readonly string[],
  bareMicros: number,
  sizes: BenchSizes,
  report: Report,
): Promise<void> {
  let host = 0;
  const agent = keepAlive(FILL_AT_ONCE);
  const micros: number[] = [];
  const rates: number[] = [];
  for (let run = -1; run < sizes.runs; run += 1) {
    const [from, cpu] = [performance.now(), cpuMs(site.pid) ?? 0];
    let count = 0;
    await Promise.all(
      Array.from({ length: FILL_AT_ONCE }, async () => {
        while (performance.now() - from < sizes.seconds * 1_000) {
          host += 1;
          await ask(site.url, paths[host % paths.length] ?? '/', {
            agent,
            headers: { host: `h${host}.localhost` },
          });
          count += 1;
        }
      }),
    );
    const perSecond = count / ((performance.now() - from) / 1_000);
    // Waits until the records of these pages are on disk.
    while (!(await isSettled(site))) await delay(300);
    // The first run warms up.
    if (run < 0) continue;
    rates.push(perSecond);
    micros.push((((cpuMs(site.pid) ?? 0) - cpu) * 1_000) / count);
  }
  agent.destroy();
  const ratios = micros.map(own => bareMicros / own);
  report({
    name: 'page rendered, compressed and stored',
    value: median(ratios),
    unit: '× bare, CPU',
    target: { atLeast: 0.6 },
    errors: 0,
    note: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; CPU ${median(micros).toFixed(0)} and ${bareMicros.toFixed(0)} µs; ${median(rates).toFixed(0)} pages/s on one core`,
    details: { micros, bareMicros, rates },
  });
}
