import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
/** A reading covers the current window and the complete window before it, in ms. */
const WINDOW_MS = 60_000;

type Delays = Readonly<Record<'p50' | 'p99' | 'max', number>>;

type IntervalHistogram = ReturnType<typeof monitorEventLoopDelay>;
let monitor: IntervalHistogram | null = null;
let before: Delays = { p50: 0, p99: 0, max: 0 };

/** Reads the delays of the event loop in the last minute or two, in seconds. The first call begins. */
export function eventLoopDelays(): Delays {
  monitor ??= begin();
  const now = delaysOf(monitor);
  return {
    p50: Math.max(before.p50, now.p50),
    p99: Math.max(before.p99, now.p99),
    max: Math.max(before.max, now.max),
  };
}

/** Ends each window by time and never by a reading, so that no reader empties it for another. */
function begin(): IntervalHistogram {
  const begun = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  begun.enable();
  setInterval(() => {
    before = delaysOf(begun);
    begun.reset();
  }, WINDOW_MS).unref();
  return begun;
}

/** Takes off the interval between two measurements, which Node counts as delay. */
function delaysOf(histogram: IntervalHistogram): Delays {
  const seconds = (ns: number) => (histogram.count === 0 ? 0 : Math.max(0, ns / 1e6 - RESOLUTION_MS) / 1_000);
  return {
    p50: seconds(histogram.percentile(50)),
    p99: seconds(histogram.percentile(99)),
    max: seconds(histogram.max),
  };
}
