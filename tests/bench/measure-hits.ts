import type { BuiltSite } from '../faults/built-site.ts';
import { ask, BROWSER_HEADERS } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { answerOf, type BareServer, startBareServer } from './bare.ts';
import { residentBytes } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { median } from './load.ts';
import { compare, fill, startSite } from './measured-site.ts';
import { type SteadyLoadResult, steadyLoad } from './steady-load.ts';

/** Measures stored pages: hits per second relative to the bare server, p99, and memory. */
export async function measureHits(sizes: BenchSizes, report: Report): Promise<void> {
  const backend = await startFaultyBackend(sizes.pages, 24);
  const site = await startSite(backend);
  try {
    const paths = backend.articles.map(article => article.path);
    await fill(site, paths);
    const page = paths[7] ?? '/';
    const payload = `${page}/_payload.json`;
    await ask(site.url, payload);
    const html = (await ask(site.url, page)).text;
    const asset = / data-entry="([^"]+)"/.exec(html)?.[1] ?? '';
    const etag = String((await ask(site.url, page)).headers.etag);
    const browser: Readonly<Record<string, string>> = BROWSER_HEADERS;
    const requests = [
      ['page hit, br', 0.65, { path: page, headers: browser }],
      ['page hit, gzip', 0.65, { path: page, headers: { ...browser, 'accept-encoding': 'gzip' } }],
      ['304', 0.65, { path: page, headers: { ...browser, 'if-none-match': etag }, status: 304 }],
      ['payload hit', 0.65, { path: payload, headers: browser }],
      ['hashed asset', 0.5, { path: asset, headers: browser }],
    ] as const;
    for (const [name, target, request] of requests) {
      const bare = await startBareServer(await answerOf(site.url, request.path, request.headers));
      try {
        const highest = await compare(name, target, sizes, site, bare, request, report);
        if (name === 'page hit, br') await measureHalfLoad(highest / 2, request, sizes, site, bare, report);
      } finally {
        await bare.close();
      }
    }
    const bytes = residentBytes(site.pid);
    if (bytes !== null) {
      report({
        name: `memory after the run, ${sizes.pages} pages stored`,
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
  perSecond: number,
  request: { path: string; headers: Readonly<Record<string, string>> },
  { runs, seconds }: BenchSizes,
  site: BuiltSite,
  bare: BareServer,
  report: Report,
): Promise<void> {
  // Warm up both servers and this process's own code.
  for (const { url } of [bare, site]) await steadyLoad({ url, perSecond, seconds, ...request });
  const results: { site: SteadyLoadResult; bare: SteadyLoadResult }[] = [];
  // Two more runs than for the rates, because a single stall of the machine determines the p99 of a run.
  for (let run = 0; run < runs + 2; run += 1) {
    results.push({
      bare: await steadyLoad({ url: bare.url, perSecond, seconds, ...request }),
      site: await steadyLoad({ url: site.url, perSecond, seconds, ...request }),
    });
  }
  report({
    name: 'p99 of hits at half of the highest load',
    value: median(results.map(result => result.site.p99Ms)),
    unit: 'ms',
    target: { atMost: 5 },
    errors: results.reduce((sum, result) => sum + result.site.errors + result.bare.errors, 0),
    details: { bareP99Ms: median(results.map(result => result.bare.p99Ms)), perSecond, results },
  });
}
