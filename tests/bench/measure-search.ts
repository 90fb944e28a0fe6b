import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SearchPageData } from '../../shared/payload/search-data.ts';
import { searchAddress } from '../../site/routes/search/search-address.ts';
import { type BuiltSite, startBuiltSite } from '../faults/built-site.ts';
import { ask, keepAlive } from '../faults/client.ts';
import { cpuMs, residentBytes, SERVER_CORE } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { startSearchedContent, wordOf } from './searched-content.ts';
import { readTicks, TICK_PROBE } from './ticks.ts';

/** Number of queries of each kind. All differ, so each reaches the index. */
const QUERIES = 200;
/** Pause between two queries while the index is built, in ms. */
const BUILDING_PAUSE_MS = 100;
const MOST_MS = 30;
const LONGEST_TICK_MS = 20;
const MB = 1024 * 1024;
const READING = 'still being read';

/** A kind of query, with the address of each query. */
type Kind = (at: number) => string;

/** @param categories the number of categories */
const kindsOf = (categories: number): Readonly<Record<string, Kind>> => ({
  'one word, in a thirtieth of the articles': at => searchAddress(wordOf(1_000 + at)),
  'two words': at => searchAddress(`${wordOf(300 + at)} ${wordOf(520 + at)}`),
  'five words, which no article has together': at =>
    searchAddress([300, 520, 900, 1_400, 2_100].map(first => wordOf(first + at)).join(' ')),
  'a beginning of four letters': at => searchAddress(wordOf(2_000 + at).slice(0, 4)),
  'a beginning of two letters': at =>
    searchAddress(wordOf(at % 50).slice(0, 2), { page: 1 + Math.floor(at / 50) }),
  'a typo': at => searchAddress(withTypo(wordOf(1_000 + at))),
  'two words, one with a typo': at => searchAddress(`${wordOf(320 + at)} ${withTypo(wordOf(1_300 + at))}`),
  'a word of nearly all articles': at => searchAddress(wordOf(at % 20), { page: 1 + Math.floor(at / 20) }),
  'a word, within a category': at =>
    searchAddress(wordOf(100 + at), { category: `category-${at % categories}` }),
  'a word that no article has': at => searchAddress(`qqzz${wordOf(at)}`),
});

/**
 * Measures the search over many articles: queries during and after the build of the index, long ticks, and
 * memory.
 */
export async function measureSearch({ content }: BenchSizes, report: Report): Promise<void> {
  const cms = await startSearchedContent(content);
  const site = await startBuiltSite({
    contentBaseUrl: cms.backend.url,
    ...(SERVER_CORE === undefined ? {} : { core: SERVER_CORE }),
    nodeArguments: ['--import', TICK_PROBE],
    // Searches from one address are limited.
    env: { CONTENT_TTL_MS: '3600000', TRUST_PROXY: 'loopback', PUBLIC_URL: 'any' },
  });
  const over = `${content.articles} articles`;
  try {
    const longestTick = await readTicks(site);
    // Discards the ticks of the start.
    await longestTick();
    const built = await measureBuilding(site);
    report({
      name: `${over}: queries while the index is built`,
      ...timesOf(built.times, null),
      errors: built.errors,
    });
    report({
      name: `${over}: longest tick while the index is built`,
      ...{ value: await longestTick(), unit: 'ms tick', target: { atMost: LONGEST_TICK_MS }, errors: 0 },
      note: `built in ${(built.ms / 1_000).toFixed(0)} s, the file has ${((await indexBytes(site)) / MB).toFixed(0)} MB`,
      details: { ms: built.ms },
    });
    for (const [name, kind] of Object.entries(kindsOf(content.categories))) {
      const before = cpuMs(site.pid) ?? 0;
      const { times, errors, found } = await measureKind(site, kind);
      const cpu = ((cpuMs(site.pid) ?? 0) - before) / QUERIES;
      report({
        name: `${over}: ${name}`,
        ...timesOf(
          times,
          MOST_MS,
          `${cpu.toFixed(1)} ms of CPU each; ${found} of ${QUERIES} found something`,
        ),
        errors,
      });
    }
    report({
      name: `${over}: longest tick while it is queried`,
      ...{ value: await longestTick(), unit: 'ms tick', target: { atMost: LONGEST_TICK_MS }, errors: 0 },
      details: {},
    });
    report({
      name: `${over}: memory of the process with its index`,
      ...{ value: (residentBytes(site.pid) ?? 0) / MB, unit: 'MB', target: { atMost: 400 }, errors: 0 },
      details: {},
    });
  } finally {
    await site.dispose();
    await cms.backend.close();
  }
}

/** Sends queries until the index has all entries. */
async function measureBuilding(site: BuiltSite): Promise<{ ms: number; times: number[]; errors: number }> {
  const from = performance.now();
  const times: number[] = [];
  let errors = 0;
  for (let at = 0; ; at += 1) {
    const { ms, status, page } = await query(site, searchAddress(wordOf(10_000 + at)), at);
    times.push(ms);
    if (status !== 200) errors += 1;
    if (page && !page.status.some(sentence => sentence.includes(READING)))
      return { ms: performance.now() - from, times, errors };
    await delay(BUILDING_PAUSE_MS);
  }
}

async function measureKind(
  site: BuiltSite,
  kind: Kind,
): Promise<{ times: number[]; errors: number; found: number }> {
  const times: number[] = [];
  let [errors, found] = [0, 0];
  for (let at = 0; at < QUERIES; at += 1) {
    const { ms, status, page } = await query(site, kind(at), at);
    times.push(ms);
    if (status !== 200) errors += 1;
    if (page && page.results.length > 0) found += 1;
  }
  return { times, errors, found };
}

const agent = keepAlive(1);

/** Requests the data of a page of hits, as a navigation does: ten hits with their snippets. */
async function query(
  site: BuiltSite,
  address: string,
  at: number,
): Promise<{ ms: number; status: number; page: SearchPageData | null }> {
  const forwarded = { 'x-forwarded-for': `198.51.${Math.floor(at / 200) % 250}.${at % 200}` };
  const reply = await ask(site.url, address.replace('?', '/_payload.json?'), { agent, headers: forwarded });
  const page = reply.status === 200 ? (JSON.parse(reply.text).data?.page ?? null) : null;
  return { ms: reply.ms, status: reply.status, page };
}

/** @returns the value of a figure: the time within which 99 of 100 were answered. */
function timesOf(times: readonly number[], atMost: number | null, more = '') {
  const sorted = times.toSorted((a, b) => a - b);
  const share = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  const [half, most] = [share(0.5), sorted.at(-1) ?? 0];
  return {
    ...{ value: share(0.99), unit: 'ms, p99', target: atMost === null ? null : { atMost } },
    note: [`median ${half.toFixed(1)} ms, longest ${most.toFixed(0)} ms of ${times.length}`, more]
      .filter(Boolean)
      .join('; '),
    details: { times },
  };
}

function withTypo(word: string): string {
  return `${word.slice(0, 2)}x${word.slice(2)}`;
}

async function indexBytes({ dataDir }: BuiltSite): Promise<number> {
  const names = await readdir(dataDir, { recursive: true });
  const name = names.find(each => each.endsWith('index.db'));
  return name === undefined ? 0 : statSync(path.join(dataDir, name)).size;
}
