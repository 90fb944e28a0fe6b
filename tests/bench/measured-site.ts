import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { ask, BROWSER_HEADERS, forEachAtOnce, keepAlive } from '../faults/client.ts';
import { answerOf, type BareServer } from './bare.ts';
import { SERVER_CORE } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { type LoadResult, load, median } from './load.ts';

export const OPS_TOKEN = 'token-of-the-measurement';
const HOUR_MS = '3600000';
/** A site over HTTPS, whose answers have all security headers. */
export const PUBLIC = { PUBLIC_URL: 'https://www.example.com' };
/** Headers of its visitors. */
export const VISITOR: Readonly<Record<string, string>> = { host: 'www.example.com', ...BROWSER_HEADERS };

/** Requests in flight while the cache is filled. */
export const FILL_AT_ONCE = 8;

/** Starts the built site, pinned to its core, with content that stays fresh. */
export async function startSite(
  backend: { readonly url: string },
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

/** @returns whether all pages are compressed and have their record on disk. */
export async function isSettled(site: BuiltSite): Promise<boolean> {
  return (await site.metric('site_background_waiting')) === 0;
}

/** Share of a core. A generator that uses more limits the rate. A server that uses less is held up. */
const GENERATOR_LIMIT = 0.85;
const SERVER_LIMIT = 0.9;

export interface ComparedServers {
  site: { url: string; pid: number };
  bare: BareServer;
}

export interface ComparedRequest {
  paths: readonly string[];
  headers: Readonly<Record<string, string>>;
  /** Expected status. */
  status?: number;
}

/** Results of one round. */
export interface Round {
  site: LoadResult;
  bare: LoadResult;
}

/**
 * Measures site and bare server alternately, so that a change of the machine's speed affects both. @returns
 * the rate of the site.
 */
export async function compare(
  name: string,
  target: number | null,
  { runs, seconds }: BenchSizes,
  servers: ComparedServers,
  request: ComparedRequest,
  report: Report,
): Promise<number> {
  // Warms up both servers, so that V8 has compiled their code.
  await measureRounds(servers, request, 1, 1);
  return reportRounds(name, target, await measureRounds(servers, request, runs, seconds), report);
}

export async function measureRounds(
  { site, bare }: ComparedServers,
  { paths, headers, status = 200 }: ComparedRequest,
  rounds: number,
  seconds: number,
): Promise<Round[]> {
  const done: Round[] = [];
  const measure = async ({ url, pid }: { url: string; pid: number }) => {
    const result = await load({ url, pid, paths, headers, seconds });
    // wrk counts a 200 in place of a 304 as an answer.
    const last = await answerOf(url, paths[0] ?? '/', headers);
    return last.status === status ? result : { ...result, errors: result.errors + 1 };
  };
  for (let round = 0; round < rounds; round += 1)
    done.push({ site: await measure(site), bare: await measure(bare) });
  return done;
}

/**
 * Reports the site's rate as a share of the bare server's, by the median of the rounds. If something else
 * limits the rate, it compares the CPU time of one request. @returns the rate of the site.
 */
export function reportRounds(
  name: string,
  target: number | null,
  rounds: readonly Round[],
  report: Report,
  more = '',
): number {
  const medianOf = (pick: (round: Round) => number | null) => median(rounds.map(round => pick(round) ?? 0));
  const perSecond = medianOf(({ site }) => site.perSecond);
  const barePerSecond = medianOf(({ bare }) => bare.perSecond);
  const cpuMicros = medianOf(({ site }) => site.cpuMicros);
  const bareCpuMicros = medianOf(({ bare }) => bare.cpuMicros);
  const generatorBusy = Math.max(
    medianOf(({ site }) => site.generatorBusy),
    medianOf(({ bare }) => bare.generatorBusy),
  );
  const serverBusy = Math.min(
    medianOf(({ site }) => site.serverBusy ?? 1),
    medianOf(({ bare }) => bare.serverBusy ?? 1),
  );
  const limit =
    generatorBusy > GENERATOR_LIMIT
      ? 'the load'
      : serverBusy < SERVER_LIMIT
        ? 'other work on the machine'
        : null;
  const byRate = rounds.map(({ site, bare }) => site.perSecond / bare.perSecond);
  const byCpu = rounds.map(({ site, bare }) => (bare.cpuMicros ?? 0) / (site.cpuMicros ?? 1));
  const deciding = limit === null ? byRate : byCpu;
  const rates = `${Math.round(perSecond)}/s of ${Math.round(barePerSecond)}/s: ${median(byRate).toFixed(2)}`;
  report({
    name,
    value: median(deciding),
    unit: limit === null ? '× bare' : '× bare, CPU',
    target: target === null ? null : { atLeast: target },
    errors: rounds.reduce((sum, { site, bare }) => sum + site.errors + bare.errors, 0),
    note: [
      `${Math.min(...deciding).toFixed(2)} to ${Math.max(...deciding).toFixed(2)}`,
      limit === null ? rates : `${rates}, limited by ${limit}`,
      `CPU ${cpuMicros.toFixed(1)} and ${bareCpuMicros.toFixed(1)} µs: ${median(byCpu).toFixed(2)}`,
      `generator ${Math.round(generatorBusy * 100)} % busy`,
      ...(more === '' ? [] : [more]),
    ].join('; '),
    details: {
      ...{ perSecond, barePerSecond, cpuMicros, bareCpuMicros, generatorBusy, serverBusy },
      ...{ byRate, byCpu, rounds },
    },
  });
  return perSecond;
}
