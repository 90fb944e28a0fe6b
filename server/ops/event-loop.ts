/** The time between two measurements, in ms. */
const INTERVAL_MS = 50;
/** The number of measurements that count. A single stall, such as a long collection of garbage, is not their median. */
const COUNTED = 5;

const delays: number[] = new Array(COUNTED).fill(0);
let isWatched = false;

/** @returns how late the timers of this process are, in ms: the median of the last measurements. The first call begins to measure. */
export function eventLoopDelayMs(): number {
  if (!isWatched) measure();
  isWatched = true;
  return delays.toSorted((a, b) => a - b)[COUNTED >> 1] ?? 0;
}

function measure(): void {
  const due = performance.now() + INTERVAL_MS;
  const timer = setTimeout(() => {
    delays.shift();
    delays.push(Math.max(0, performance.now() - due));
    measure();
  }, INTERVAL_MS);
  timer.unref();
}
