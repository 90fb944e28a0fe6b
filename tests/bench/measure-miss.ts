import { ask } from '../faults/client.ts';
import type { BenchSizes, Report } from './figures.ts';
import { type GeneratedContent, startGeneratedContent } from './generated-content.ts';
import { median } from './load.ts';
import { OPS_TOKEN, startSite } from './measured-site.ts';

/** The time of the backend for each call, in ms. */
const LATENCY_MS = 80;
/** Visits of each page before the measurement: V8 has optimised the code then. */
const WARM_UP = 12;
const TARGET = { atMost: 8 };

/** Measures pages of which no content is known as it is now: the time to the first byte beyond that of the backend, and the round trips. */
export async function measureMiss(sizes: BenchSizes, report: Report): Promise<void> {
  const misses = sizes.starts * 4;
  const content = await startGeneratedContent({ articles: 1_000, categories: 6, redirects: 20, pages: 20 });
  const site = await startSite(content.backend);
  let article = 0;
  const pages: Readonly<Record<string, () => string>> = {
    'landing page': () => '/',
    'category page': () => '/blog/category-0',
    article() {
      article += 1;
      return content.articlePath(article);
    },
    'index of the blog': () => '/blog',
  };
  const visit = async (address: string) => {
    content.revision += 1;
    const headers = { authorization: `Bearer ${OPS_TOKEN}` };
    await ask(site.opsUrl, '/cache?tag=*', { method: 'DELETE', headers });
    content.backend.calls.length = 0;
    const { status, text, firstByteMs } = await ask(site.url, address);
    const isCurrent = text.includes(`revision ${content.revision}`);
    return { ms: firstByteMs - LATENCY_MS, isWrong: status !== 200 || !isCurrent, ...tripsOf(content) };
  };
  try {
    for (const pathOf of Object.values(pages))
      for (let visits = 0; visits < WARM_UP; visits += 1) await visit(pathOf());
    content.latencyMs = LATENCY_MS;
    for (const [name, pathOf] of Object.entries(pages)) {
      const visits: Awaited<ReturnType<typeof visit>>[] = [];
      for (let count = 0; count < misses; count += 1) visits.push(await visit(pathOf()));
      const times = visits.map(({ ms }) => ms).toSorted((a, b) => a - b);
      report({
        name: `miss of the ${name}: first byte after the ${LATENCY_MS} ms of the backend`,
        value: median(times),
        unit: 'ms',
        target: TARGET,
        errors: visits.filter(({ isWrong, isLate }) => isWrong || isLate).length,
        details: { times, calls: median(visits.map(({ calls }) => calls)) },
      });
    }
  } finally {
    await site.dispose();
    await content.backend.close();
  }
}

/** @returns the number of calls, and whether one of them began only after the answer to another. */
function tripsOf({ backend, latencyMs }: GeneratedContent): { calls: number; isLate: boolean } {
  const times = backend.calls.map(({ at }) => at);
  return {
    calls: times.length,
    isLate: latencyMs > 0 && Math.max(...times) - Math.min(...times) >= latencyMs,
  };
}
