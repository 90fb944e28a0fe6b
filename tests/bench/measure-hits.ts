import { ask } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { answerOf, startBareServer } from './bare.ts';
import { residentBytes } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { median } from './load.ts';
import { type ComparedServers, compare, fill, PUBLIC, startSite, VISITOR } from './measured-site.ts';
import { type SteadyLoadResult, steadyLoad } from './steady-load.ts';

/** Measures stored pages: hits per second relative to the bare server, p99, and memory. */
export async function measureHits(sizes: BenchSizes, report: Report): Promise<void> {
  const backend = await startFaultyBackend(sizes.pages, 24);
  const site = await startSite(backend, PUBLIC);
  try {
    const paths = backend.articles.map(article => article.path);
    await fill(site, ['/', '/_payload.json', ...paths]);
    const article = paths[7] ?? '/';
    const { text, headers } = await ask(site.url, '/');
    const asset = / data-entry="([^"]+)"/.exec(text)?.[1] ?? '';
    const br = VISITOR;
    const gzip = { ...br, 'accept-encoding': 'gzip' };
    const identity = { ...br, 'accept-encoding': 'identity' };
    const requests = [
      ['page hit, gzip', { paths: ['/'], headers: gzip }, 0.8],
      ['page hit, br', { paths: ['/'], headers: br }, 0.8],
      ['304', { paths: ['/'], headers: { ...br, 'if-none-match': String(headers.etag) }, status: 304 }, 0.8],
      ['payload hit', { paths: ['/_payload.json'], headers: br }, 0.8],
      ['article hit, br', { paths: [article], headers: br }, 0.8],
      ['hashed asset, br', { paths: [asset], headers: br }, 0.8],
      ['page hit, identity', { paths: ['/'], headers: identity }, 0.6],
      ['payload hit, identity', { paths: ['/_payload.json'], headers: identity }, 0.6],
      ['article hit, identity', { paths: [article], headers: identity }, 0.6],
    ] as const;
    for (const [name, request, target] of requests) {
      if (!sizes.rows.split(',').some(word => name.includes(word))) continue;
      const bare = await startBareServer(await answerOf(site.url, request.paths[0], request.headers));
      try {
        const highest = await compare(name, target, sizes, { site, bare }, request, report);
        if (name === 'page hit, br')
          await measureHalfLoad(
            { path: request.paths[0], headers: request.headers, perSecond: highest / 2 },
            sizes,
            { site, bare },
            report,
          );
      } finally {
        await bare.close();
      }
    }
    const bytes = residentBytes(site.pid);
    if (bytes !== null) {
      report({
        name: `memory after the run, ${sizes.pages} articles stored`,
        value: bytes / 1024 / 1024,
        unit: 'MiB RSS',
        target: { atMost: 250 },
        errors: 0,
        details: { stored: await site.metric('site_cache_entries') },
      });
    }
  } finally {
    await site.dispose();
    await backend.close();
  }
}

async function measureHalfLoad(
  request: { path: string; headers: Readonly<Record<string, string>>; perSecond: number },
  { runs, seconds }: BenchSizes,
  { site, bare }: ComparedServers,
  report: Report,
): Promise<void> {
  const measure = (url: string) => steadyLoad({ url, seconds, ...request });
  // Warms up both servers and the code of this process.
  for (const { url } of [bare, site]) await measure(url);
  const results: { site: SteadyLoadResult; bare: SteadyLoadResult }[] = [];
  for (let run = 0; run < runs; run += 1)
    results.push({ bare: await measure(bare.url), site: await measure(site.url) });
  const bareP99Ms = median(results.map(result => result.bare.p99Ms));
  const times = results.map(result => result.site.p99Ms);
  report({
    name: 'p99 of hits at half of the highest load',
    value: median(times),
    unit: 'ms',
    target: { atMost: 5 },
    errors: results.reduce((sum, result) => sum + result.site.errors + result.bare.errors, 0),
    note: `${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)}; bare ${bareP99Ms.toFixed(2)} ms`,
    details: { bareP99Ms, ...request, results },
  });
}
