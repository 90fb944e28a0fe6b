import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

export type SpareTime = () => Promise<void>;

/** The busy share of the event loop below which background work does not pause. */
const ROOM = 0.7;
/** The longest pause before a piece of work, in ms. Without a limit, work would pile up on a busy machine. */
const LONGEST_PAUSE_MS = 25;
const WINDOW_MS = 25;

export function createSpareTime(busyShare: () => number = watchEventLoop()): SpareTime {
  return async () => {
    const excess = (busyShare() - ROOM) / (1 - ROOM);
    if (excess > 0) await delay(LONGEST_PAUSE_MS * excess);
  };
}

function watchEventLoop(): () => number {
  let before = performance.eventLoopUtilization();
  let at = performance.now();
  let share = 0;
  return () => {
    const now = performance.now();
    if (now - at >= WINDOW_MS) {
      const current = performance.eventLoopUtilization();
      share = performance.eventLoopUtilization(current, before).utilization;
      before = current;
      at = now;
    }
    return share;
  };
}
