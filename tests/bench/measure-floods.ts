import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BuiltSite } from '../faults/built-site.ts';
import { askAnyway, BROWSER_HEADERS, keepAlive, statusesOf } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { requestFor } from './connection.ts';
import { cpuMs } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import type { FloodResult } from './flood.ts';
import { FLOODS, type FloodKind, type FloodRequest, MADE } from './flood-kinds.ts';
import { median } from './load.ts';
import { fill, PUBLIC, startSite } from './measured-site.ts';
import { loadOf } from './raw-load.ts';
import type { SteadyLoadResult } from './steady-load.ts';

const FLOOD = path.resolve(import.meta.dirname, 'flood.ts');
const VISITS = path.resolve(import.meta.dirname, 'visits.ts');
/** Visits of a cached page, and requests of the flood, per second. */
const VISITS_PER_SECOND = 1_000;
const FLOOD_PER_SECOND = 200;
/** Most CPU time of an answer, in multiples of a stored page. */
const MOST_HITS = 6;
const SECRETS = {
  WEBHOOK_SECRET: 'webhook-secret-of-the-bench-and-of-none',
  PREVIEW_SECRET: 'preview-secret-of-the-bench-and-of-none',
  PREVIEW_TOKEN: 'preview-token-of-the-bench',
  SUBSCRIBE_SECRET: 'subscribe-secret-of-the-bench-and-of-none',
};
/** Seconds by which a flood begins earlier than the visits beside it. */
const LEAD_SECONDS = 1;
const COLD_AT_ONCE = 500;

/**
 * Measures floods of cheap requests. One figure is the CPU time of a request in multiples of a stored page.
 * The other is the p99 of a cached page alone and beside each flood. Also measures how many concurrent
 * requests for different cold pages are answered.
 */
export async function measureFloods(sizes: BenchSizes, report: Report): Promise<void> {
  const backend = await startFaultyBackend(sizes.articles, 24);
  const site = await startSite(backend, {
    ...PUBLIC,
    ...SECRETS,
    FORM_RATE_LIMIT: '1',
    ACCESS_LOG_LINES: '100',
  });
  try {
    const cached = backend.articles.at(-1)?.path ?? '/';
    await fill(site, [cached, '/', '/blog', '/blog/guides', '/sitemap.xml', '/blog/feed.xml']);
    const visit = (seconds: number) =>
      run<SteadyLoadResult>(VISITS, site.url, cached, String(VISITS_PER_SECOND), String(seconds));
    // Each request has a different number, so that each cold page is requested once.
    let next = 0;
    const flood = async (kind: FloodKind, seconds: number) => {
      next += FLOOD_PER_SECOND * seconds;
      return run<FloodResult>(FLOOD, site.url, kind, ...[FLOOD_PER_SECOND, seconds, next].map(String));
    };
    /** @returns the CPU time of one request in microseconds, at the server's full rate. */
    const cpuOf = async (kind: FloodKind, seconds: number) => {
      const before = cpuMs(site.pid) ?? 0;
      const { answered, statuses } = await loadOf(site.url, seconds, () => {
        next += 1;
        const { headers, ...request }: FloodRequest = FLOODS[kind](next);
        return requestFor(site.url, { ...request, headers: { ...BROWSER_HEADERS, ...headers } });
      });
      return { micros: (((cpuMs(site.pid) ?? 0) - before) * 1_000) / answered, statuses };
    };
    const seconds = Math.min(sizes.seconds, 3);
    await visit(seconds);
    const words = sizes.rows.split(',');
    const kinds = (Object.keys(FLOODS) as FloodKind[]).filter(kind =>
      words.some(word => kind.includes(word)),
    );
    for (const kind of kinds) {
      next = 0;
      // The first flood is a warm-up.
      await flood(kind, seconds);
      const runs: { alone: SteadyLoadResult; beside: SteadyLoadResult; flood: FloodResult }[] = [];
      for (let round = 0; round < sizes.runs; round += 1) {
        const alone = await visit(seconds);
        const flooding = flood(kind, seconds + 3 * LEAD_SECONDS);
        await new Promise(resolve => setTimeout(resolve, LEAD_SECONDS * 1_000));
        const beside = await visit(seconds);
        runs.push({ alone, beside, flood: await flooding });
      }
      const ownMs = median(runs.map(({ alone }) => alone.p99Ms));
      const besideMs = median(runs.map(({ beside }) => beside.p99Ms));
      const statuses = runs.map(({ flood }) => flood.statuses);
      report({
        name: `p99 of a cached page beside ${FLOOD_PER_SECOND}/s of ${kind}`,
        value: besideMs / ownMs,
        unit: '× its own',
        target: { atMost: 3 },
        errors: runs.reduce((sum, { alone, beside }) => sum + alone.errors + beside.errors, 0),
        note: `${ownMs.toFixed(2)} ms alone, ${besideMs.toFixed(2)} ms beside; ${JSON.stringify(statuses)}`,
        details: { ownMs, besideMs, statuses, runs },
      });
      // The CPU time is measured without visits. A second at the full rate compiles the code of the flood.
      await cpuOf(kind, 1);
      const own = await cpuOf(kind, seconds);
      const hit = await cpuOf('a stored page', seconds);
      report({
        name: `CPU of ${kind}`,
        value: own.micros / hit.micros,
        unit: '× a hit',
        target: MADE.has(kind) ? null : { atMost: MOST_HITS },
        errors: 0,
        note: `${own.micros.toFixed(0)} and ${hit.micros.toFixed(0)} µs; ${JSON.stringify(own.statuses)}`,
        details: { own, hit },
      });
    }
    if (sizes.rows !== '') return;
    await measureColdPages(
      site,
      backend.articles.slice(-COLD_AT_ONCE - 1, -1).map(article => article.path),
      report,
    );
  } finally {
    await site.dispose();
    await backend.close();
  }
}

/** Runs a script of the bench. @returns its JSON output. */
async function run<T>(script: string, ...args: readonly string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return JSON.parse(stdout);
}

/** Requests different unstored pages all at once. */
async function measureColdPages(site: BuiltSite, paths: readonly string[], report: Report): Promise<void> {
  const agent = keepAlive(paths.length);
  const finished: number[] = [];
  const replies = await Promise.all(
    paths.map(async (page, index) => {
      const reply = await askAnyway(site.url, page, { agent });
      if (reply.status === 200) finished.push(index);
      return reply;
    }),
  );
  agent.destroy();
  const answered = replies.filter(({ status }) => status === 200);
  const lastMs = Math.max(...replies.map(({ ms }) => ms));
  report({
    name: `${paths.length} different cold pages at once: answered with the page`,
    value: answered.length,
    unit: 'pages',
    target: { atLeast: paths.length },
    errors: 0,
    note: `the last after ${lastMs.toFixed(0)} ms`,
    details: {
      statuses: statusesOf(replies),
      lastMs,
      medianMs: median(answered.map(({ ms }) => ms)),
      firstPlaces: finished.slice(0, 20),
    },
  });
}
