import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltSite } from '../faults/built-site.ts';
import { startFaultyBackend } from '../faults/faulty-backend.ts';
import { answerOf, startBareServer } from './bare.ts';
import { residentBytes } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { median } from './load.ts';
import {
  type ComparedRequest,
  type ComparedServers,
  fill,
  isSettled,
  measureRounds,
  OPS_TOKEN,
  PUBLIC,
  reportRounds,
  startSite,
  VISITOR,
} from './measured-site.ts';

/** Enough for the pages of all stages. */
const PAGE_CACHE_BYTES = 2 * 1024 ** 3;
const MEGABYTE = 1024 ** 2;
/** The memory target: a base for the process, plus this factor times the counted size of the pages. */
const MEMORY_MB = 130;
const MEMORY_FACTOR = 1.3;
/** Seconds that are not measured, while the site still works on the last stored pages. */
const CATCHING_UP_ROUNDS = 3;

/**
 * Measures one process at growing numbers of stored pages: hits per second, memory, and the time of an
 * invalidation. The bare server holds as many pages, because any server is slower when its bytes exceed the
 * processor's caches.
 */
export async function measureGrowth(sizes: BenchSizes, report: Report): Promise<void> {
  const most = Math.max(...sizes.growth);
  const backend = await startFaultyBackend(most, 6);
  const paths = backend.articles.map(article => article.path);
  const headers = VISITOR;
  const site = await startSite(backend, { ...PUBLIC, PAGE_CACHE_BYTES: String(PAGE_CACHE_BYTES) });
  await fill(site, paths.slice(0, 1));
  const bare = await startBareServer({ ...(await answerOf(site.url, paths[0] ?? '/', headers)), paths });
  try {
    let stored = 0;
    for (const count of sizes.growth) {
      await fill(site, paths.slice(stored, count));
      stored = count;
      await measureStage({ site, bare }, { paths: paths.slice(0, count), headers }, site, sizes, report);
    }
    await reportMemory(site, most, report);
    await reportInvalidations(
      site,
      backend.articles.slice(0, 9).map(({ documentId }) => `articles:${documentId}`),
      most,
      report,
    );
  } finally {
    await bare.close();
    await site.dispose();
    await backend.close();
  }
}

async function measureStage(
  servers: ComparedServers,
  request: ComparedRequest,
  site: BuiltSite,
  { runs, seconds }: BenchSizes,
  report: Report,
): Promise<void> {
  const over = `over ${request.paths.length} stored pages`;
  const busy = await measureRounds(servers, request, CATCHING_UP_ROUNDS, 1);
  const isStillBusy = !(await isSettled(site));
  reportRounds(
    `hits ${over}, while the disk catches up`,
    0.75,
    busy,
    report,
    isStillBusy ? 'still catching up at the end' : 'caught up before the end',
  );
  const from = performance.now();
  while (!(await isSettled(site))) await delay(300);
  const waitedMs = performance.now() - from;
  const settled = await measureRounds(servers, request, runs, seconds);
  reportRounds(
    `hits ${over}, settled`,
    0.8,
    settled,
    report,
    `settled after ${(waitedMs / 1_000).toFixed(0)} s`,
  );
}

async function reportMemory(site: BuiltSite, pages: number, report: Report): Promise<void> {
  const resident = residentBytes(site.pid);
  if (resident === null) return;
  const counted = await site.metric('site_cache_bytes');
  report({
    name: `memory, ${pages} pages stored`,
    value: resident / MEGABYTE,
    unit: 'MiB RSS',
    target: { atMost: MEMORY_FACTOR * (counted / MEGABYTE) + MEMORY_MB },
    errors: 0,
    note: `${(counted / MEGABYTE).toFixed(0)} MiB counted in ${await site.metric('site_cache_entries')} entries`,
    details: { resident, counted },
  });
}

async function reportInvalidations(
  site: BuiltSite,
  tags: readonly string[],
  pages: number,
  report: Report,
): Promise<void> {
  const invalidate = async (tag: string) => {
    const from = performance.now();
    const response = await fetch(`${site.opsUrl}/cache?tag=${tag}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${OPS_TOKEN}` },
    });
    await response.arrayBuffer();
    return performance.now() - from;
  };
  for (let times = 0; times < 5; times += 1) await invalidate('nothing');
  for (const [name, invalidated] of [
    ['one article', tags],
    ['a tag of all pages', tags.map(() => 'articles')],
  ] as const) {
    const times: number[] = [];
    for (const tag of invalidated) times.push(await invalidate(tag));
    report({
      name: `invalidation of ${name}, ${pages} pages stored, with its HTTP request`,
      value: median(times),
      unit: 'ms',
      target: { atMost: 5 },
      errors: 0,
      details: { times },
    });
  }
}
