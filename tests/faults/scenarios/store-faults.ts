import { setTimeout as delay } from 'node:timers/promises';
import { patient } from '../../support/patience.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';
import { SHARED_SECRET } from '../../support/shared-secret.ts';
import { startTcpRelay, type TcpRelay } from '../../support/tcp-relay.ts';
import { type BuiltSite, startBuiltSite } from '../built-site.ts';
import { ask } from '../client.ts';
import { type FaultyBackend, startFaultyBackend } from '../faulty-backend.ts';
import { askAll } from '../stage.ts';
import { quantile, startTraffic, type Visit } from '../traffic.ts';

export interface SharedStoreSizes {
  replicas: number;
  /**
   * Number of pages that visitors request from each replica all the time. Their content is stale after a
   * second.
   */
  pages: number;
  /** Number of unstored pages that each replica is asked for during each fault. */
  unseen: number;
  perSecond: number;
  /** Duration before and during each fault, in ms. */
  controlMs: number;
  faultMs: number;
}

export interface StoreFaultOutcome {
  visits: number;
  /** Visits not answered with 200. */
  failed: number;
  p99ControlMs: number;
  p99DuringMs: number;
  /** Responses of `/readyz` during the fault, one for each replica. */
  readyz: string[];
  /** Responses of `/readyz` after the recovery of the store. */
  readyzAfter: string[];
}

interface StoreFault {
  name: string;
  /** Number of the three replicas that the fault makes degraded. */
  degrades: 'all' | 'first' | 'none';
  begin(stage: Stage): unknown;
  end(stage: Stage): unknown;
}

interface Stage {
  redis: RedisServer;
  /** Relay from each replica to the store. */
  relays: readonly TcpRelay[];
}

const slowBy = (ms: number) => (stage: Stage) => {
  for (const relay of stage.relays) relay.delayMs = ms / 2;
};

/** Faults of the shared store (issue 17, 2.5). */
export const STORE_FAULTS: readonly StoreFault[] = [
  { name: 'dead', degrades: 'all', begin: ({ redis }) => redis.kill(), end: ({ redis }) => redis.start() },
  { name: 'hung', degrades: 'all', begin: ({ redis }) => redis.pause(), end: ({ redis }) => redis.resume() },
  { name: 'slow by 500 ms', degrades: 'all', begin: slowBy(500), end: slowBy(0) },
  {
    name: 'full',
    degrades: 'all',
    async begin({ redis }) {
      await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
      await redis.command('CONFIG', 'SET', 'maxmemory', '1mb');
      // A nearly full store still accepts small values.
      await redis.command('SET', 'filling', 'x'.repeat(1_000_000)).catch(() => {});
    },
    async end({ redis }) {
      await redis.command('CONFIG', 'SET', 'maxmemory', '0');
      await redis.command('DEL', 'filling');
    },
  },
  { name: 'flushed', degrades: 'none', begin: ({ redis }) => redis.command('FLUSHALL'), end() {} },
  {
    name: 'restarted',
    degrades: 'none',
    async begin({ redis }) {
      await redis.kill();
      await redis.start();
    },
    end() {},
  },
  {
    name: 'cut off from one replica',
    degrades: 'first',
    begin: ({ relays }) => relays[0]?.cut(),
    end: ({ relays }) => relays[0]?.mend(),
  },
  {
    name: 'closed by another password',
    degrades: 'all',
    async begin({ redis }) {
      await redis.kill();
      await redis.start(['requirepass another']);
    },
    async end({ redis }) {
      await redis.kill();
      await redis.start([]);
    },
  },
  {
    name: 'read-only after a failover',
    degrades: 'all',
    begin: ({ redis }) => redis.command('REPLICAOF', '127.0.0.1', '1'),
    end: ({ redis }) => redis.command('REPLICAOF', 'NO', 'ONE'),
  },
];

/** Replicas with a shared store, in which one fault follows another. */
export interface StoreStage {
  run(fault: StoreFault): Promise<StoreFaultOutcome>;
  close(): Promise<void>;
}

const FIRST_STATE_MS = 20_000;

/** Starts a store, a backend and the replicas, and requests the pages from each replica. */
export async function startStoreStage(sizes: SharedStoreSizes): Promise<StoreStage> {
  const redis = await startRedis();
  const backend = await startFaultyBackend(sizes.pages + sizes.unseen * STORE_FAULTS.length);
  const relays = await Promise.all(Array.from({ length: sizes.replicas }, () => startTcpRelay(redis.port)));
  const sites: BuiltSite[] = [];
  const close = async () => {
    await Promise.all(sites.map(site => site.dispose()));
    await Promise.all(relays.map(relay => relay.close()));
    redis.resume();
    await redis.dispose();
    await backend.close();
  };
  try {
    for (const [index, { port }] of relays.entries())
      sites.push(await startReplica(backend, `redis://127.0.0.1:${port}`, `replica-${index}`));
    const paths = backend.articles.map(({ path }) => path);
    const seen = paths.slice(0, sizes.pages);
    for (const { url } of sites) await askAll(url, seen);
    const unseen = paths.slice(sizes.pages);
    return {
      close,
      run: fault => runFault({ redis, relays }, sites, fault, sizes, seen, unseen.splice(0, sizes.unseen)),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function startReplica(backend: FaultyBackend, sharedUrl: string, name: string): Promise<BuiltSite> {
  return startBuiltSite({
    contentBaseUrl: backend.url,
    env: {
      ...{ SHARED_URL: sharedUrl, SHARED_SECRET, SHARED_PREFIX: 'faults:' },
      ...{ REPLICA_ID: name, CONTENT_TTL_MS: '1000' },
    },
  });
}

async function runFault(
  stage: Stage,
  sites: readonly BuiltSite[],
  fault: StoreFault,
  { perSecond, controlMs, faultMs }: SharedStoreSizes,
  seen: readonly string[],
  unseen: readonly string[],
): Promise<StoreFaultOutcome> {
  const traffic = sites.map(({ url }) => startTraffic(url, seen, perSecond / sites.length));
  await delay(controlMs);
  const from = performance.now();
  await fault.begin(stage);
  const first = await Promise.all(sites.map(({ url }) => askAll(url, unseen)));
  await delay(Math.max(0, faultMs - (performance.now() - from)));
  const degraded = { all: sites.length, first: 1, none: 0 }[fault.degrades];
  const readyz = await readyOf(sites, words => words.filter(isDegraded).length >= degraded);
  const until = performance.now();
  await fault.end(stage);
  const readyzAfter = await readyOf(sites, words => !words.some(isDegraded));
  await Promise.all(traffic.map(one => one.stop()));
  const visits = traffic.flatMap(one => one.visits);
  const p99 = (of: readonly Visit[]) =>
    quantile(
      of.map(({ ms }) => ms),
      0.99,
    );
  const answers = [...visits, ...first.flat()];
  return {
    visits: answers.length,
    failed: answers.filter(({ status }) => status !== 200).length,
    p99ControlMs: p99(visits.filter(({ at }) => at < from)),
    p99DuringMs: p99(visits.filter(({ at }) => at >= from && at < until)),
    readyz,
    readyzAfter,
  };
}

const isDegraded = (answer: string) => answer === '200 degraded';

/**
 * Polls until the responses are as expected, or the time is over.
 * @returns the last responses, such as `200 ready`.
 */
async function readyOf(
  sites: readonly BuiltSite[],
  isAsExpected: (answers: readonly string[]) => boolean,
): Promise<string[]> {
  const deadline = performance.now() + patient(FIRST_STATE_MS);
  for (;;) {
    const replies = await Promise.all(sites.map(({ url }) => ask(url, '/readyz')));
    const answers = replies.map(({ status, text }) => `${status} ${text}`);
    if (isAsExpected(answers) || performance.now() > deadline) return answers;
    await delay(50);
  }
}
