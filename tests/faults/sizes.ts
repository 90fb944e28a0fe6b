import { RUBBISH } from './faulty-backend.ts';
import type { CutOffSizes } from './scenarios/cut-off.ts';
import type { DeadBackendSizes } from './scenarios/dead-backend.ts';
import type { DrainSizes } from './scenarios/drain.ts';
import type { EventsSizes } from './scenarios/events.ts';
import type { FleetSizes } from './scenarios/fleet.ts';
import type { FloodSizes } from './scenarios/flood.ts';
import type { HangingSizes } from './scenarios/hanging.ts';
import type { HostileSizes } from './scenarios/hostile-content.ts';
import type { KillsSizes } from './scenarios/kills.ts';
import type { OutageSizes } from './scenarios/outage.ts';
import type { QueueSizes } from './scenarios/queue.ts';
import type { RestartSizes } from './scenarios/restart.ts';
import type { RubbishSizes } from './scenarios/rubbish.ts';
import type { PurgeSizes, StoreFaultSizes } from './scenarios/shared-log.ts';
import type { SlowSocketsSizes } from './scenarios/slow-sockets.ts';
import type { StampedeSizes } from './scenarios/stampede.ts';
import type { SharedStoreSizes } from './scenarios/store-faults.ts';

/** Sizes of each scenario: the only difference between its full and its short form. */
export interface Sizes {
  outage: OutageSizes;
  restart: Omit<RestartSizes, 'renamed'>;
  stampede: StampedeSizes;
  hanging: HangingSizes;
  rubbish: RubbishSizes;
  events: EventsSizes;
  cutOff: CutOffSizes;
  drain: DrainSizes;
  flood: FloodSizes;
  kills: KillsSizes;
  queue: QueueSizes;
  hostile: HostileSizes;
  slowSockets: SlowSocketsSizes;
  deadBackend: DeadBackendSizes;
  /** The eight other faults of the backend, each with a kill. */
  modes: DeadBackendSizes;
  sharedStore: SharedStoreSizes;
  fleet: FleetSizes;
  storeFaults: StoreFaultSizes;
  sharedEvents: PurgeSizes;
}

const THREE_STEPS = ['at a step', 'at a step', 'at a step'] as const;

/** Sizes for `npm run test:faults`. */
export const FULL: Sizes = {
  outage: {
    pages: 500,
    ttlMs: 2_000,
    perSecond: 200,
    beforeMs: 20_000,
    outageMs: 60_000,
    freshWithinMs: 15_000,
  },
  restart: { pages: 500, ttlMs: 2_000, settleMs: 3_000 },
  stampede: { visitors: 1_000, latencyMs: 80 },
  hanging: {
    pages: 500,
    ttlMs: 2_000,
    perSecond: 200,
    unseenPerSecond: 20,
    hangMs: 30_000,
    burst: 300,
    timeoutMs: 2_500,
  },
  rubbish: {
    faults: RUBBISH,
    pages: 500,
    ttlMs: 2_000,
    perSecond: 200,
    eachMs: 8_000,
    timeoutMs: 2_500,
    unseenEach: 20,
    recoverWithinMs: 10_000,
  },
  events: {
    pages: 500,
    ttlMs: 2_000,
    perSecond: 200,
    events: 1_000,
    eventsPerSecond: 50,
    lost: 0.1,
    lateMs: 200,
    seed: Date.now() % 1_000_000,
  },
  cutOff: { rounds: 4, requests: 20_000, atOnce: 200, cutAfterMs: 60, latencyMs: 600_000 },
  drain: { pages: 500, ttlMs: 2_000, busy: 32, idle: 20, slow: 20, beforeMs: 5_000, slowMs: 1_000 },
  flood: {
    pages: 500,
    ttlMs: 2_000,
    perSecond: 200,
    queries: 1_000_000,
    paths: 100_000,
    pathConnections: 16,
    beforeMs: 10_000,
    pageCacheBytes: 64 * 1024 * 1024,
  },
  kills: {
    kills: 200,
    messages: 3,
    stride: 1,
    moments: [...THREE_STEPS, 'on arrival', ...THREE_STEPS, 'before the answer'],
    clockRate: 1,
  },
  queue: { replicas: 200, messages: 1, waiting: 100, posted: 200 },
  hostile: { shifts: 200, contents: 500, seed: Date.now() % 1_000_000 },
  slowSockets: { sockets: 2_000, pages: 100, perSecond: 200, beforeMs: 5_000 },
  deadBackend: {
    pages: 500,
    ttlMs: 2_000,
    perSecond: 32,
    eachMs: 600_000,
    messages: 60,
    recoverWithinMs: 60_000,
  },
  fleet: { pages: 104, replicas: 6 },
  sharedStore: { replicas: 3, pages: 100, unseen: 20, perSecond: 200, controlMs: 10_000, faultMs: 15_000 },
  modes: { pages: 500, ttlMs: 2_000, perSecond: 32, eachMs: 15_000, messages: 10, recoverWithinMs: 60_000 },
  storeFaults: {
    faults: [
      'dead',
      'hung',
      'slow',
      'full',
      'flushed',
      'restarted',
      'cut off from one replica',
      'wrong password',
      'read-only',
    ],
    replicas: 3,
    articles: 64,
    edits: 20,
    everyMs: 400,
    withinMs: 20_000,
    // This is the default interval.
    sweepMs: 12_000,
  },
  sharedEvents: { replicas: 3, articles: 30, events: 300, everyMs: 300, cuts: 10 },
};

/** Sizes for `npm test`: the smallest sizes that give the same outcomes. */
export const SHORT: Sizes = {
  outage: { pages: 10, ttlMs: 300, perSecond: 30, beforeMs: 500, outageMs: 1_000, freshWithinMs: 10_000 },
  restart: { pages: 10, ttlMs: 300, settleMs: 300 },
  stampede: { visitors: 150, latencyMs: 150 },
  hanging: {
    pages: 10,
    ttlMs: 300,
    perSecond: 30,
    unseenPerSecond: 15,
    hangMs: 1_000,
    burst: 150,
    timeoutMs: 500,
  },
  rubbish: {
    // `backend-client-failures.test.ts` tests the other faults.
    faults: ['drip', 'null-entry'],
    pages: 10,
    ttlMs: 300,
    perSecond: 30,
    eachMs: 400,
    timeoutMs: 400,
    unseenEach: 2,
    recoverWithinMs: 10_000,
  },
  events: {
    pages: 12,
    ttlMs: 300,
    perSecond: 20,
    events: 25,
    eventsPerSecond: 60,
    lost: 0.1,
    lateMs: 50,
    seed: 4,
  },
  cutOff: { rounds: 1, requests: 100, atOnce: 50, cutAfterMs: 60, latencyMs: 600_000 },
  drain: { pages: 10, ttlMs: 2_000, busy: 4, idle: 5, slow: 4, beforeMs: 400, slowMs: 600 },
  flood: {
    pages: 10,
    ttlMs: 600_000,
    perSecond: 30,
    queries: 1_000,
    paths: 150,
    // A busy machine answers 503 to many concurrent renders, because its event loop is late.
    pathConnections: 1,
    beforeMs: 300,
    pageCacheBytes: 1024 * 1024,
  },
  kills: {
    kills: 4,
    messages: 3,
    stride: 40,
    moments: ['at a step', 'on arrival', 'at a step', 'before the answer'],
    clockRate: 10,
  },
  queue: { replicas: 1, messages: 5, waiting: 5, posted: 5 },
  hostile: { shifts: 1, contents: 4, seed: 6 },
  slowSockets: { sockets: 200, pages: 10, perSecond: 50, beforeMs: 300 },
  deadBackend: { pages: 10, ttlMs: 400, perSecond: 30, eachMs: 1_500, messages: 4, recoverWithinMs: 20_000 },
  fleet: { pages: 12, replicas: 2 },
  sharedStore: { replicas: 2, pages: 6, unseen: 2, perSecond: 20, controlMs: 200, faultMs: 800 },
  modes: { pages: 10, ttlMs: 400, perSecond: 30, eachMs: 1_500, messages: 4, recoverWithinMs: 20_000 },
  storeFaults: {
    // The other faults only make commands fail in different ways. `shared-log.test.ts` empties the log.
    faults: ['full', 'cut off from one replica'],
    replicas: 2,
    articles: 6,
    edits: 2,
    everyMs: 100,
    withinMs: 20_000,
    sweepMs: 500,
  },
  sharedEvents: { replicas: 2, articles: 6, events: 8, everyMs: 100, cuts: 3 },
};
