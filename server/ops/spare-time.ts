import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when visitors leave room for a piece of work for which nobody waits. */
export type SpareTime = () => Promise<void>;

/** The share of its time that the event loop may be busy while such work goes on without pauses. */
const ROOM = 0.7;
/** The pause before each piece of work while the event loop is never idle, in ms. Work still goes on then: it would otherwise pile up. */
const LONGEST_PAUSE_MS = 25;
/** The time over which the event loop is watched, in ms. */
const WINDOW_MS = 25;

/** @param busyShare returns the share of its time that the event loop was busy since the last call. */
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
