import type { CutOffSizes } from './scenarios/cut-off.ts';
import type { DrainSizes } from './scenarios/drain.ts';
import type { EventsSizes } from './scenarios/events.ts';
import type { FloodSizes } from './scenarios/flood.ts';
import type { HangingSizes } from './scenarios/hanging.ts';
import type { HostileSizes } from './scenarios/hostile-content.ts';
import type { KillsSizes } from './scenarios/kills.ts';
import type { OutageSizes } from './scenarios/outage.ts';
import type { RestartSizes } from './scenarios/restart.ts';
import type { RubbishSizes } from './scenarios/rubbish.ts';
import type { SlowSocketsSizes } from './scenarios/slow-sockets.ts';
import type { StampedeSizes } from './scenarios/stampede.ts';

/** The sizes of each scenario. The full and the short form of a scenario differ only in their sizes. */
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
  hostile: HostileSizes;
  slowSockets: SlowSocketsSizes;
}

/** The sizes for `npm run test:faults`. */
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
  cutOff: { rounds: 4, requests: 20_000, atOnce: 200, cutAfterMs: 60, latencyMs: 500 },
  drain: { pages: 500, ttlMs: 2_000, busy: 32, idle: 20, slow: 20, beforeMs: 5_000, slowMs: 1_000 },
  flood: {
    pages: 500,
    ttlMs: 2_000,
    perSecond: 200,
    queries: 1_000_000,
    paths: 100_000,
    beforeMs: 10_000,
    pageCacheBytes: 64 * 1024 * 1024,
  },
  kills: { kills: 200, messages: 3, stride: 1 },
  hostile: { shifts: 200, contents: 500, seed: Date.now() % 1_000_000 },
  slowSockets: { sockets: 2_000, pages: 100, perSecond: 200, beforeMs: 5_000 },
};

/** The sizes for `npm test`: the smallest that show the same outcomes. */
export const SHORT: Sizes = {
  outage: { pages: 25, ttlMs: 500, perSecond: 50, beforeMs: 800, outageMs: 1_500, freshWithinMs: 10_000 },
  restart: { pages: 15, ttlMs: 500, settleMs: 700 },
  stampede: { visitors: 150, latencyMs: 150 },
  hanging: {
    pages: 15,
    ttlMs: 400,
    perSecond: 30,
    unseenPerSecond: 15,
    hangMs: 1_500,
    burst: 150,
    timeoutMs: 500,
  },
  rubbish: {
    pages: 10,
    ttlMs: 300,
    perSecond: 30,
    eachMs: 400,
    timeoutMs: 400,
    unseenEach: 2,
    recoverWithinMs: 10_000,
  },
  events: {
    pages: 24,
    ttlMs: 800,
    perSecond: 40,
    events: 80,
    eventsPerSecond: 60,
    lost: 0.1,
    lateMs: 50,
    seed: 4,
  },
  cutOff: { rounds: 2, requests: 150, atOnce: 50, cutAfterMs: 60, latencyMs: 10_000 },
  drain: { pages: 10, ttlMs: 2_000, busy: 4, idle: 5, slow: 4, beforeMs: 400, slowMs: 600 },
  flood: {
    pages: 10,
    ttlMs: 600_000,
    perSecond: 30,
    queries: 3_000,
    paths: 300,
    beforeMs: 300,
    pageCacheBytes: 1024 * 1024,
  },
  kills: { kills: 8, messages: 3, stride: 16 },
  hostile: { shifts: 3, contents: 12, seed: 6 },
  slowSockets: { sockets: 200, pages: 10, perSecond: 50, beforeMs: 300 },
};
