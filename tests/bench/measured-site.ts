import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { ask, forEachAtOnce, keepAlive } from '../faults/client.ts';
import type { FaultyBackend } from '../faults/faulty-backend.ts';
import type { BareServer } from './bare.ts';
import { SERVER_CORE } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { type LoadResult, load, median } from './load.ts';

export const OPS_TOKEN = 'token-of-the-measurement';
const HOUR_MS = '3600000';

/** The number of requests in flight while the cache is filled. */
export const FILL_AT_ONCE = 8;

/** Starts the built site, pinned to its core, with content that stays fresh. */
export async function startSite(
  backend: FaultyBackend,
  env: Readonly<Record<string, string>> = {},
): Promise<BuiltSite> {
  return startBuiltSite({
    contentBaseUrl: backend.url,
    ...(SERVER_CORE === undefined ? {} : { core: SERVER_CORE }),
    env: { CONTENT_TTL_MS: HOUR_MS, LOG_LEVEL: 'info', OPS_TOKEN, ...env },
  });
}

/** Requests pages, so that the site stores them. */
export async function fill(site: BuiltSite, paths: readonly string[]): Promise<void> {
  const agent = keepAlive(FILL_AT_ONCE);
  await forEachAtOnce(paths, FILL_AT_ONCE, async path => {
    const { status } = await ask(site.url, path, { agent });
    if (status !== 200) throw new Error(`${path}: ${status}`);
  });
  agent.destroy();
}

/** Measures site and bare server alternately, so that a change of the machine's speed affects both. */
export async function compare(
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
  // Warm up both servers, so that V8 has compiled their code.
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
