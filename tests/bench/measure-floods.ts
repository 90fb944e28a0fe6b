import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BuiltSite } from '../faults/built-site.ts';
import { askAnyway, keepAlive, statusesOf } from '../faults/client.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { cpuMs } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import type { FloodResult } from './flood.ts';
import { FLOODS, type FloodKind } from './flood-kinds.ts';
import { median } from './load.ts';
import { fill, startSite } from './measured-site.ts';
import type { SteadyLoadResult } from './steady-load.ts';

const FLOOD = path.resolve(import.meta.dirname, 'flood.ts');
const VISITS = path.resolve(import.meta.dirname, 'visits.ts');
/** Visits of a cached page, and requests of the flood, per second. */
const VISITS_PER_SECOND = 1_000;
const FLOOD_PER_SECOND = 200;
/** How much longer a flood lasts than the visits beside it, in seconds: it begins earlier. */
const LEAD_SECONDS = 1;
const COLD_AT_ONCE = 500;

/**
 * Measures the p99 of a cached page alone and beside floods of requests that are cheap to send, in turns, and how many of many different
 * cold pages are answered when they are asked for at the same moment.
 */
export async function measureFloods(sizes: BenchSizes, report: Report): Promise<void> {
  const backend = await startFaultyBackend(sizes.articles, 24);
  const site = await startSite(backend, { FORM_RATE_LIMIT: '1' });
  try {
    const cached = backend.articles.at(-1)?.path ?? '/';
    await fill(site, [cached, '/', '/blog', '/blog/guides', '/sitemap.xml', '/blog/feed.xml']);
    const visit = (seconds: number) =>
      run<SteadyLoadResult>(VISITS, site.url, cached, String(VISITS_PER_SECOND), String(seconds));
    const seconds = Math.min(sizes.seconds, 3);
    await visit(seconds);
    for (const kind of Object.keys(FLOODS) as FloodKind[]) {
      // Each request has a number of its own, so that each cold page is asked for once.
      let next = 0;
      const flood = async (seconds: number) => {
        next += FLOOD_PER_SECOND * seconds;
        return run<FloodResult>(FLOOD, site.url, kind, ...[FLOOD_PER_SECOND, seconds, next].map(String));
      };
      // The first flood warms up the code. The second one, without visits, shows what a request costs.
      await flood(seconds);
      const cpuBefore = cpuMs(site.pid) ?? 0;
      await flood(seconds);
      const cpuMicros = ((cpuMs(site.pid) ?? 0) - cpuBefore) / ((FLOOD_PER_SECOND * seconds) / 1_000);
      const runs: { alone: SteadyLoadResult; beside: SteadyLoadResult; flood: FloodResult }[] = [];
      for (let round = 0; round < sizes.runs; round += 1) {
        const alone = await visit(seconds);
        const flooding = flood(seconds + 3 * LEAD_SECONDS);
        await new Promise(resolve => setTimeout(resolve, LEAD_SECONDS * 1_000));
        const beside = await visit(seconds);
        runs.push({ alone, beside, flood: await flooding });
      }
      const ownMs = median(runs.map(({ alone }) => alone.p99Ms));
      const besideMs = median(runs.map(({ beside }) => beside.p99Ms));
      report({
        name: `p99 of a cached page beside ${FLOOD_PER_SECOND}/s of ${kind}`,
        value: besideMs / ownMs,
        unit: '× its own',
        target: { atMost: 3 },
        errors: runs.reduce((sum, { alone, beside }) => sum + alone.errors + beside.errors, 0),
        note: `${ownMs.toFixed(2)} ms alone, ${besideMs.toFixed(2)} ms beside, ${cpuMicros.toFixed(0)} µs of CPU for one of them; ${JSON.stringify(runs.map(({ flood: { statuses } }) => statuses))}`,
        details: {
          ownMs,
          besideMs,
          cpuMicros,
          statuses: runs.map(({ flood: { statuses } }) => statuses),
          runs,
        },
      });
    }
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

/** Runs a script of the bench. @returns what it prints as JSON. */
async function run<T>(script: string, ...args: readonly string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return JSON.parse(stdout);
}

/** Asks for different pages that are not stored at one moment. */
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
