import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { ask, BROWSER_HEADERS, forEachAtOnce, keepAlive } from '../faults/client.ts';
import { type FaultyBackend, startFaultyBackend } from '../faults/faulty-backend.ts';
import { answerOf, type BareServer, startBareRenderer, startBareServer } from './bare.ts';
import { residentBytes, SERVER_CORE } from './cores.ts';
import { type LoadResult, load, median } from './load.ts';
import { type SteadyLoadResult, steadyLoad } from './steady-load.ts';

/** How long and how large: the whole measurement, or a look at whether it works. */
export interface BenchSizes {
  runs: number;
  seconds: number;
  /** Stored when memory is measured. */
  pages: number;
  /** Numbers of stored pages between which hits per second are compared. */
  growth: readonly number[];
  starts: number;
}

/** One line of the table. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** Null: for information. */
  target: { atLeast: number } | { atMost: number } | null;
  errors: number;
  /** What it was computed from. */
  details: Record<string, unknown>;
}

export type Report = (figure: Figure) => void;

const OPS_TOKEN = 'token-of-the-measurement';
const HOUR_MS = '3600000';
/** Visitors at a time while the cache grows. */
const CONNECTIONS = 50;
/** Pages asked for at a time while the cache is filled. */
const FILL_AT_ONCE = 8;

async function startSite(
  backend: FaultyBackend,
  env: Readonly<Record<string, string>> = {},
): Promise<BuiltSite> {
  return startBuiltSite({
    contentBaseUrl: backend.url,
    ...(SERVER_CORE === undefined ? {} : { core: SERVER_CORE }),
    env: { CONTENT_TTL_MS: HOUR_MS, LOG_LEVEL: 'info', OPS_TOKEN, ...env },
  });
}

async function fill(site: BuiltSite, paths: readonly string[]): Promise<void> {
  const agent = keepAlive(FILL_AT_ONCE);
  await forEachAtOnce(paths, FILL_AT_ONCE, async path => {
    const { status } = await ask(site.url, path, { agent });
    if (status !== 200) throw new Error(`${path}: ${status}`);
  });
  agent.destroy();
}

/** Measures the two in turns, so that a change of the machine's mood meets both. */
async function compare(
  name: string,
  target: number | null,
  sizes: BenchSizes,
  site: { url: string; pid: number },
  bare: BareServer,
  request: { path: string; headers: Readonly<Record<string, string>>; status?: number },
  report: Report,
): Promise<number> {
  const runs: { site: LoadResult; bare: LoadResult }[] = [];
  const measure = ({ url, pid }: { url: string; pid: number }, seconds: number) =>
    load({ url, pid, seconds, ...request });
  // Warm: compiled code on both sides.
  await measure(site, 1);
  await measure(bare, 1);
  for (let run = 0; run < sizes.runs; run += 1) {
    runs.push({ bare: await measure(bare, sizes.seconds), site: await measure(site, sizes.seconds) });
  }
  const medianOf = (pick: (run: (typeof runs)[number]) => number | null) =>
    median(runs.map(run => pick(run) ?? 0));
  const perSecond = medianOf(run => run.site.perSecond);
  const barePerSecond = medianOf(run => run.bare.perSecond);
  report({
    name,
    value: perSecond / barePerSecond,
    unit: '× bare',
    target: target === null ? null : { atLeast: target },
    errors: runs.reduce((sum, run) => sum + run.site.errors + run.bare.errors, 0),
    details: {
      perSecond,
      barePerSecond,
      cpuMicros: medianOf(run => run.site.cpuMicros),
      bareCpuMicros: medianOf(run => run.bare.cpuMicros),
      busy: medianOf(run => run.site.busy),
      bareBusy: medianOf(run => run.bare.busy),
      runs,
    },
  });
  return perSecond;
}

/** Everything that is measured with stored pages: ratios, p99, memory. */
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
  // Warm: the code of the load as well.
  for (const { url } of [bare, site]) await steadyLoad({ url, perSecond, seconds, ...request });
  const results: { site: SteadyLoadResult; bare: SteadyLoadResult }[] = [];
  for (let run = 0; run < runs; run += 1) {
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

/** A page that has to be rendered, its content in memory, against React alone. */
export async function measureRenders(sizes: BenchSizes, report: Report): Promise<void> {
  const backend = await startFaultyBackend(20, 24);
  const site = await startSite(backend);
  const { 'accept-encoding': _none, ...plain } = BROWSER_HEADERS;
  try {
    const path = backend.articles[7]?.path ?? '/';
    await fill(site, [path]);
    // A page that is one visitor's own is rendered for each request and piped straight to the response.
    const unstored = `${path}?sent=subscribe`;
    const answer = await answerOf(site.url, unstored, plain);
    const bare = await startBareRenderer(answer, unstored);
    try {
      const rendered = await answerOf(bare.url, unstored, plain);
      const sameBytes = rendered.bodyBase64 === answer.bodyBase64;
      if (!sameBytes) throw new Error('The bare renderer does not render the same page');
      await compare(
        'page rendered from content in memory, not stored',
        0.8,
        sizes,
        site,
        bare,
        { path: unstored, headers: plain },
        report,
      );
      // Each Host is another page as long as PUBLIC_URL is not set: all of them are misses, and all are stored.
      let host = 0;
      const stored: LoadResult[] = [];
      const agent = keepAlive(FILL_AT_ONCE);
      for (let run = 0; run < sizes.runs; run += 1) {
        const from = performance.now();
        let count = 0;
        await Promise.all(
          Array.from({ length: FILL_AT_ONCE }, async () => {
            while (performance.now() - from < sizes.seconds * 1_000) {
              host += 1;
              await ask(site.url, path, { agent, headers: { host: `h${host}.example.com` } });
              count += 1;
            }
          }),
        );
        const perSecond = count / ((performance.now() - from) / 1_000);
        stored.push({ perSecond, p99Ms: 0, errors: 0, cpuMicros: null, busy: null });
      }
      agent.destroy();
      report({
        name: 'the same, compressed twice and stored (one core for all of it)',
        value: median(stored.map(({ perSecond }) => perSecond)),
        unit: 'pages/s',
        target: null,
        errors: 0,
        details: { runs: stored.map(({ perSecond }) => perSecond) },
      });
    } finally {
      await bare.close();
    }
  } finally {
    await site.dispose();
    await backend.close();
  }
}

/** From the start of the process to its first page; the backend answers at once. */
export async function measureStart(sizes: BenchSizes, report: Report): Promise<void> {
  const backend = await startFaultyBackend(20);
  const times: number[] = [];
  try {
    for (let start = 0; start < sizes.starts; start += 1) {
      const from = performance.now();
      const site = await startBuiltSite({
        contentBaseUrl: backend.url,
        ...(SERVER_CORE === undefined ? {} : { core: SERVER_CORE }),
        unready: true,
      });
      try {
        const { status } = await ask(site.url, '/');
        if (status !== 200) throw new Error(`The first answer is ${status}`);
        times.push(performance.now() - from);
      } finally {
        await site.dispose();
      }
    }
  } finally {
    await backend.close();
  }
  report({
    name: 'first 200 after the start of the process',
    value: median(times),
    unit: 'ms',
    target: { atMost: 400 },
    errors: 0,
    details: { times },
  });
}

/** A visitor of a page whose content is not there either; the backend takes its time for each call. */
export async function measureMiss(sizes: BenchSizes, report: Report): Promise<void> {
  const latencyMs = 80;
  const misses = sizes.starts * 4;
  const backend = await startFaultyBackend(misses + 6);
  const site = await startSite(backend);
  try {
    const [warm, ...paths] = backend.articles.map(article => article.path);
    // The code is warm, and what all pages share is there; the page's own content is not.
    for (const path of [warm ?? '/', ...paths.slice(0, 5)]) await ask(site.url, path);
    backend.latencyMs = latencyMs;
    const times: number[] = [];
    let repeated = 0;
    let calls = 0;
    for (const path of paths.slice(5)) {
      backend.forgetCalls();
      times.push((await ask(site.url, path)).firstByteMs);
      calls += backend.calls.size;
      repeated += [...backend.calls.values()].filter(times => times > 1).length;
    }
    report({
      name: 'one miss, backend of 80 ms: first byte',
      value: median(times),
      unit: 'ms',
      target: { atMost: 95 },
      errors: repeated,
      details: { times, calls, repeated },
    });
    // All of the content is past its freshness as well: what a quiet site's first visitor of the hour meets.
    const cold: number[] = [];
    let coldRepeated = 0;
    for (const path of paths.slice(5, 5 + sizes.starts)) {
      await fetch(`${site.opsUrl}/cache?tag=*`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${OPS_TOKEN}` },
      });
      backend.forgetCalls();
      cold.push((await ask(site.url, `${path}/_payload.json`)).firstByteMs);
      coldRepeated += [...backend.calls.values()].filter(times => times > 1).length;
    }
    report({
      name: 'the same with all content purged',
      value: median(cold),
      unit: 'ms',
      target: null,
      errors: coldRepeated,
      details: { times: cold },
    });
  } finally {
    await site.dispose();
    await backend.close();
  }
}

/**
 * Hits per second with few and with many pages stored, and the cost of a purge. A process for each number of pages, all
 * measured in turns: the machine's mood changes more between two minutes than the figure may.
 */
export async function measureGrowth(sizes: BenchSizes, report: Report): Promise<void> {
  const most = Math.max(...sizes.growth);
  const backend = await startFaultyBackend(most, 6);
  const paths = backend.articles.map(article => article.path);
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
          pathsOf: connection => slice(asked, connection, CONNECTIONS),
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

/** The part of the paths that one connection goes through. */
function slice(paths: readonly string[], connection: number, connections: number): string[] {
  const own = paths.filter((_, index) => index % connections === connection % connections);
  return own.length > 0 ? own : [paths[connection % paths.length] ?? '/'];
}
