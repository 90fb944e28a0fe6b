import { setTimeout as delay } from 'node:timers/promises';
import { patient } from '../../support/patience.ts';
import { askAnyway, keepAlive, type Reply } from '../client.ts';
import { type Edit, type Fleet, type FleetSizes, PASSWORD, startFleet, USER } from '../fleet.ts';
import { quantile } from '../traffic.ts';

/** Name of a fault of the shared store. */
export type StoreFault = keyof typeof FAULTS;

interface StoreFaultWays {
  begin(fleet: Fleet): unknown;
  /** Called halfway through the edits. */
  again?(fleet: Fleet): unknown;
  end(fleet: Fleet): unknown;
}

const login = (fleet: Fleet, rule: string) =>
  fleet.redis.command('ACL', 'SETUSER', USER, 'resetpass', `>${rule}`);
const SLOW_MS = 500;
const OPS_TOKEN = 'token-of-the-fault-tests';
const OPS_CONNECTIONS = 4;

const FAULTS = {
  dead: { begin: ({ redis }) => redis.kill(), end: restart },
  hung: { begin: ({ redis }) => redis.pause(), end: ({ redis }) => redis.resume() },
  slow: {
    begin: ({ replicas }) => replicas.map(({ link }) => link.delay(SLOW_MS)),
    end: ({ replicas }) => replicas.map(({ link }) => link.mend()),
  },
  full: {
    begin: ({ redis }) => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
    end: ({ redis }) => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
  },
  flushed: {
    begin: ({ redis }) => redis.command('FLUSHALL'),
    again: ({ redis }) => redis.command('FLUSHALL'),
    end: () => {},
  },
  restarted: {
    async begin(fleet) {
      await fleet.redis.kill();
      await restart(fleet);
    },
    async again(fleet) {
      await fleet.redis.kill();
      await restart(fleet);
    },
    end: () => {},
  },
  'cut off from one replica': {
    // The first replica to start has the lease.
    begin: ({ replicas }) => replicas[0]?.link.cut(),
    end: ({ replicas }) => replicas[0]?.link.mend(),
  },
  'wrong password': {
    async begin(fleet) {
      await login(fleet, 'another');
      await fleet.redis.command('CLIENT', 'KILL', 'USER', USER);
    },
    end: fleet => login(fleet, PASSWORD),
  },
  'read-only': {
    // A replica of a missing Redis server answers only reads.
    begin: ({ redis }) => redis.command('REPLICAOF', '127.0.0.1', '1'),
    end: ({ redis }) => redis.command('REPLICAOF', 'NO', 'ONE'),
  },
} as const satisfies Readonly<Record<string, StoreFaultWays>>;

async function restart({ redis }: Fleet): Promise<void> {
  await redis.start();
  await redis.command('ACL', 'SETUSER', USER, 'on', `>${PASSWORD}`, '~*', '+@all');
}

export interface StoreFaultSizes extends FleetSizes {
  faults: readonly StoreFault[];
  /** Articles published, and as many others unpublished, during each fault. */
  edits: number;
  /** Pause between two edits. */
  everyMs: number;
  /** Time within which an edit must be right on each replica. */
  withinMs: number;
  sweepMs: number;
}

export interface StoreFaultOutcome {
  fault: StoreFault;
  /** A line for each edit that was not right on a replica in time. */
  missed: string[];
  /** Longest time until an edit was right on a replica. */
  worstMs: number;
  /** A line for each article that a replica shows wrong after the fault. */
  wrong: string[];
}

/** Faults of the shared store, each while editors publish and unpublish. */
export async function storeFaults(sizes: StoreFaultSizes): Promise<StoreFaultOutcome[]> {
  const fleet = await startFleet(sizes, { CONTENT_SWEEP_MS: String(sizes.sweepMs) });
  try {
    await fleet.swept();
    const outcomes: StoreFaultOutcome[] = [];
    for (const fault of sizes.faults) {
      await fleet.allWell();
      outcomes.push(await during(fleet, fault, sizes));
    }
    return outcomes;
  } finally {
    await fleet.dispose();
  }
}

async function during(
  fleet: Fleet,
  fault: StoreFault,
  { edits, everyMs, withinMs }: StoreFaultSizes,
): Promise<StoreFaultOutcome> {
  const ways: StoreFaultWays = FAULTS[fault];
  const slugs = fleet.cms.rows('article').map(({ slug }) => String(slug));
  // Publishes the articles that the previous fault has left unpublished.
  const published = [...fleet.cms.drafts('article').map(({ slug }) => String(slug)), ...slugs].slice(
    0,
    edits,
  );
  const unpublished = slugs.filter(slug => !published.includes(slug)).slice(0, edits);
  const watched: Promise<{ edit: Edit; times: readonly (number | null)[] }>[] = [];
  await ways.begin(fleet);
  for (let number = 0; number < edits * 2; number += 1) {
    if (number === edits) await ways.again?.(fleet);
    const receiver = fleet.replicas[number % fleet.replicas.length] ?? null;
    const slug = (number % 2 === 0 ? published : unpublished)[number >> 1];
    if (slug === undefined) throw new Error('There are too few articles');
    const told = number % 2 === 0 ? fleet.publish(slug, receiver) : fleet.unpublish(slug, receiver);
    watched.push(
      told.then(async edit => ({ edit, times: await fleet.untilRight(edit, patient(withinMs), 500) })),
    );
    await delay(everyMs);
  }
  const found = await Promise.all(watched);
  await ways.end(fleet);
  await fleet.allWell();
  return {
    fault,
    missed: found.flatMap(({ edit, times }) =>
      times.flatMap((ms, number) => (ms === null ? [`replica ${number}: ${edit.slug}`] : [])),
    ),
    worstMs: Math.round(
      Math.max(...found.flatMap(({ times }) => times.map(ms => ms ?? Number.POSITIVE_INFINITY))),
    ),
    wrong: await fleet.wrong(),
  };
}

export interface PurgeSizes extends FleetSizes {
  events: number;
  everyMs: number;
  /** How often all connections to the store are cut. */
  cuts: number;
}

export interface PurgeOutcome {
  events: number;
  missed: string[];
  wrong: string[];
  p50Ms: number;
  p99Ms: number;
  worstMs: number;
  /**
   * The slowest events with times in ms: until the response, until the slowest replica was right, since the
   * last cut.
   */
  slowest: readonly { toldMs: number; ms: number; sinceCutMs: number }[];
}

/** Number of slowest events to show. */
const SHOWN_EVENTS = 8;

/** Time after which an event counts as missed. Without the sweep nothing else would report it. */
const MISSED_AFTER_MS = 5_000;

/** Fault 15: all connections of a working store are cut. Each event must still reach each replica at once. */
export async function sharedEvents(sizes: PurgeSizes): Promise<PurgeOutcome> {
  const { events, everyMs, cuts } = sizes;
  // The sweep is off, so only the log reports changes.
  const fleet = await startFleet(sizes, { CONTENT_SWEEP_MS: '0' });
  try {
    await fleet.allWell();
    const slugs = fleet.cms.rows('article').map(({ slug }) => String(slug));
    const watched: Promise<{
      edit: Edit;
      times: readonly (number | null)[];
      toldMs: number;
      sinceCutMs: number;
    }>[] = [];
    let cutAt = Number.NEGATIVE_INFINITY;
    for (let number = 0; number < events; number += 1) {
      const slug = slugs[number % slugs.length] ?? '';
      const receiver = fleet.replicas[number % fleet.replicas.length] ?? null;
      const isDraft = fleet.cms.drafts('article').some(row => row.slug === slug);
      const told =
        isDraft || number % 3 !== 0 ? fleet.publish(slug, receiver) : fleet.unpublish(slug, receiver);
      watched.push(
        told.then(async edit => ({
          edit,
          toldMs: Math.round(performance.now() - edit.at),
          sinceCutMs: Math.round(edit.at - cutAt),
          times: await fleet.untilRight(edit, patient(MISSED_AFTER_MS), 20),
        })),
      );
      if (number % Math.ceil(events / cuts) === 1) {
        cutAt = performance.now();
        await fleet.redis.cutConnections();
      }
      await delay(everyMs);
    }
    const found = await Promise.all(watched);
    const times = found.flatMap(one => one.times.flatMap(ms => ms ?? []));
    return {
      events,
      missed: found.flatMap(({ edit, times }) =>
        times.flatMap((ms, number) => (ms === null ? [`replica ${number}: ${edit.slug}`] : [])),
      ),
      wrong: await fleet.wrong(),
      p50Ms: Math.round(quantile(times, 0.5)),
      p99Ms: Math.round(quantile(times, 0.99)),
      worstMs: Math.round(Math.max(...times)),
      slowest: found
        .map(({ times, toldMs, sinceCutMs }) => ({
          ...{ toldMs, sinceCutMs },
          ms: Math.round(Math.max(...times.map(ms => ms ?? Number.POSITIVE_INFINITY))),
        }))
        .sort((one, other) => other.ms - one.ms)
        .slice(0, SHOWN_EVENTS),
    };
  } finally {
    await fleet.dispose();
  }
}

export interface PurgeRateSizes extends FleetSizes {
  purges: number;
  everyMs: number;
}

export interface PurgeRateOutcome {
  /** Number of refused purges. */
  refused: number;
  /** Time of sending in ms. */
  sentMs: number;
  /** Time in ms from the last purge until each replica had applied all purges. */
  behindMs: number;
}

/** Fault 17: operators send many purges, and each replica must keep up. */
export async function purgeRate(sizes: PurgeRateSizes): Promise<PurgeRateOutcome> {
  const fleet = await startFleet(sizes, { OPS_TOKEN });
  try {
    await fleet.allWell();
    // The ops port accepts few connections.
    const agent = keepAlive(OPS_CONNECTIONS);
    const ids = fleet.cms.rows('article').map(({ documentId }) => documentId);
    const from = performance.now();
    const sent: Promise<Reply>[] = [];
    for (let number = 0; number < sizes.purges; number += 1) {
      const { site } = fleet.replicas[number % fleet.replicas.length] ?? {};
      const address = `/cache?tag=${encodeURIComponent(`articles:${ids[number % ids.length]}`)}`;
      const headers = { authorization: `Bearer ${OPS_TOKEN}` };
      sent.push(askAnyway(site?.opsUrl ?? '', address, { method: 'DELETE', headers, agent }));
      await delay(Math.max(0, from + (number + 1) * sizes.everyMs - performance.now()));
    }
    const answers = await Promise.all(sent);
    const sentMs = performance.now() - from;
    agent.destroy();
    await fleet.sameLog();
    return {
      refused: answers.filter(({ status }) => status !== 200).length,
      sentMs: Math.round(sentMs),
      behindMs: Math.round(performance.now() - from - sentMs),
    };
  } finally {
    await fleet.dispose();
  }
}
