import { ask, BROWSER_HEADERS, keepAlive } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { answerOf, startBareRenderer } from './bare.ts';
import type { BenchSizes, Report } from './figures.ts';
import { median } from './load.ts';
import { compare, FILL_AT_ONCE, fill, startSite } from './measured-site.ts';

/** Measures renders of a page whose content is in memory. React alone, without the site, is the comparison. */
export async function measureRenders(sizes: BenchSizes, report: Report): Promise<void> {
  const backend = await startFaultyBackend(20, 24);
  const site = await startSite(backend);
  const { 'accept-encoding': _none, ...plain } = BROWSER_HEADERS;
  try {
    const path = backend.articles[7]?.path ?? '/';
    await fill(site, [path]);
    // The page of an error is never stored: each request renders it.
    const unstored = '/%';
    const answer = await answerOf(site.url, unstored, plain);
    const bare = await startBareRenderer(answer, '/');
    try {
      const rendered = await answerOf(bare.url, unstored, plain);
      const isEqual = rendered.bodyBase64 === answer.bodyBase64;
      if (!isEqual) throw new Error('The bare renderer and the site render different pages');
      await compare(
        'error page rendered from content in memory, not stored',
        0.8,
        sizes,
        { site, bare },
        { paths: [unstored], headers: plain, status: 400 },
        report,
      );
      // Without PUBLIC_URL each host of this machine has its own pages, so a request with a new one is a miss and is stored.
      let host = 0;
      const rates: number[] = [];
      const agent = keepAlive(FILL_AT_ONCE);
      for (let run = 0; run < sizes.runs; run += 1) {
        const from = performance.now();
        let count = 0;
        await Promise.all(
          Array.from({ length: FILL_AT_ONCE }, async () => {
            while (performance.now() - from < sizes.seconds * 1_000) {
              host += 1;
              await ask(site.url, path, { agent, headers: { host: `h${host}.localhost` } });
              count += 1;
            }
          }),
        );
        rates.push(count / ((performance.now() - from) / 1_000));
      }
      agent.destroy();
      report({
        name: 'page rendered, compressed twice and stored, all on one core',
        value: median(rates),
        unit: 'pages/s',
        target: null,
        errors: 0,
        details: { runs: rates },
      });
    } finally {
      await bare.close();
    }
  } finally {
    await site.dispose();
    await backend.close();
  }
}
