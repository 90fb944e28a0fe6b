import type { BuiltSite } from '../faults/built-site.ts';
import { type FaultyBackend, startFaultyBackend } from '../faults/faulty-backend.ts';
import { findEngine } from '../support/engines.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { SHARED_SECRET } from '../support/shared-secret.ts';
import { residentBytes } from './cores.ts';
import type { BenchSizes, Report } from './figures.ts';
import { type LoadResult, load, median } from './load.ts';
import { firstPage, MAIN } from './measure-start.ts';
import { fill, isSettled, PUBLIC, startSite, VISITOR } from './measured-site.ts';

const MIB = 1024 * 1024;
/** Rounds in which each server is measured once. A single run is too noisy to compare servers. */
const ROUNDS_PER_RUN = 2;
const REPLICAS = 3;

/**
 * Measures the cost of a shared store for processes that need nothing from it: hits, memory, and the start.
 */
export async function measureReplicas(sizes: BenchSizes, report: Report): Promise<void> {
  if (!findEngine('redis-server')) {
    console.log('replicas: not measured, because redis-server is not installed (`npm run engines`)');
    return;
  }
  const redis = await startRedis();
  const backend = await startFaultyBackend(sizes.pages, 24);
  try {
    await measureHitsWithStore(sizes, redis, backend, report);
    await measureStartWithStore(sizes, redis, backend, report);
  } finally {
    await backend.close();
    await redis.dispose();
  }
}

async function measureHitsWithStore(
  { runs, seconds }: BenchSizes,
  redis: RedisServer,
  backend: FaultyBackend,
  report: Report,
): Promise<void> {
  const sites: BuiltSite[] = [];
  const paths = ['/', ...backend.articles.map(article => article.path)];
  async function start(name: string | null): Promise<BuiltSite> {
    const shared =
      name === null
        ? {}
        : { SHARED_URL: redis.url, SHARED_SECRET, SHARED_PREFIX: 'bench:', REPLICA_ID: name };
    const site = await startSite(backend, { ...PUBLIC, ...shared });
    sites.push(site);
    await fill(site, paths);
    while (!(await isSettled(site)));
    return site;
  }
  const hits = ({ url, pid }: BuiltSite) => load({ url, pid, paths: ['/'], headers: VISITOR, seconds });
  try {
    const [plain, twin, third] = [await start(null), await start(null), await start(null)];
    const replicas: BuiltSite[] = [];
    for (let number = 0; number < REPLICAS; number += 1) replicas.push(await start(`replica-${number}`));
    const [first] = replicas as [BuiltSite];
    for (const site of [plain, twin, third, ...replicas]) await hits(site);
    const rounds: Record<'plain' | 'twin' | 'shared', LoadResult>[] = [];
    const atOnce: Record<'plain' | 'shared', readonly LoadResult[]>[] = [];
    for (let round = 0; round < runs * ROUNDS_PER_RUN - 1; round += 1) {
      rounds.push({ plain: await hits(plain), twin: await hits(twin), shared: await hits(first) });
      atOnce.push({
        plain: await Promise.all([plain, twin, third].map(hits)),
        shared: await Promise.all(replicas.map(hits)),
      });
    }
    const micros = ({ cpuMicros }: LoadResult) => cpuMicros ?? Number.NaN;
    const twins = rounds.map(round => micros(round.twin) / micros(round.plain));
    const shared = rounds.map(round => micros(round.shared) / micros(round.plain));
    const results = [
      ...rounds.flatMap(round => Object.values(round)),
      ...atOnce.flatMap(round => Object.values(round).flat()),
    ];
    const errors = results.reduce((sum, result) => sum + result.errors, 0);
    report({
      name: 'CPU of a hit with a shared store, to one without',
      value: median(shared),
      unit: '×',
      target: { atMost: Math.max(...twins) },
      errors,
      note: `two processes without a store: ${Math.min(...twins).toFixed(2)} to ${Math.max(...twins).toFixed(2)}, median ${median(twins).toFixed(2)}; ${rounds.length} rounds`,
      details: { twins, shared, rounds },
    });
    const eachOf = (kind: 'plain' | 'shared') =>
      median(atOnce.map(round => round[kind].reduce((sum, one) => sum + micros(one), 0) / REPLICAS));
    const [alone, ofThree] = [median(rounds.map(round => micros(round.shared))), eachOf('shared')];
    const [plainAlone, plainOfThree] = [median(rounds.map(round => micros(round.plain))), eachOf('plain')];
    report({
      name: `hits of ${REPLICAS} replicas at once: CPU of a hit of one, to that of each`,
      value: alone / ofThree,
      unit: '× linear',
      target: { atLeast: 0.9 },
      errors: 0,
      note: `${alone.toFixed(1)} and ${ofThree.toFixed(1)} µs; three processes without a store: ${(plainAlone / plainOfThree).toFixed(2)}`,
      details: { alone, ofThree, plainAlone, plainOfThree, atOnce },
    });
    const [own, ofTwin, ofShared] = [plain, twin, first].map(
      ({ pid }) => (residentBytes(pid) ?? 0) / MIB,
    ) as [number, number, number];
    report({
      name: 'memory with a shared store, over that without',
      value: ofShared - own,
      unit: 'MiB RSS',
      target: null,
      errors: 0,
      note: `${ofShared.toFixed(0)}; without ${own.toFixed(0)} and ${ofTwin.toFixed(0)} MiB`,
      details: { own, ofTwin, ofShared },
    });
  } finally {
    for (const site of sites) await site.dispose();
  }
}

async function measureStartWithStore(
  { starts }: BenchSizes,
  redis: RedisServer,
  backend: FaultyBackend,
  report: Report,
): Promise<void> {
  const args = [MAIN];
  const env = { CONTENT_BASE_URL: backend.url };
  const times: { plain: number; shared: number }[] = [];
  for (let round = 0; round < starts; round += 1) {
    const plain = await firstPage({ args, env });
    const shared = await firstPage({ args, env: { ...env, SHARED_URL: redis.url, SHARED_SECRET } });
    times.push({ plain: plain.ms, shared: shared.ms });
  }
  const [plain, shared] = [median(times.map(time => time.plain)), median(times.map(time => time.shared))];
  report({
    name: 'first 200 after the start with a shared store, over that without',
    value: shared - plain,
    unit: 'ms',
    target: { atMost: 150 },
    errors: 0,
    note: `${shared.toFixed(0)} and ${plain.toFixed(0)} ms`,
    details: { times },
  });
}
