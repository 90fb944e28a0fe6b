const INTERVAL_MS = 50;
/** The number of measurements. Their median ignores a single stall, such as a garbage collection. */
const COUNTED = 5;

const delays: number[] = new Array(COUNTED).fill(0);
let isWatched = false;

export function eventLoopDelayMs(): number {
  if (!isWatched) measure();
  isWatched = true;
  return delays.toSorted((a, b) => a - b)[COUNTED >> 1] ?? 0;
}

function measure(): void {
  let due = performance.now() + INTERVAL_MS;
  setInterval(() => {
    delays.shift();
    delays.push(Math.max(0, performance.now() - due));
    due = performance.now() + INTERVAL_MS;
  }, INTERVAL_MS).unref();
}

export const STARTED_AT = new Date(performance.timeOrigin).toISOString();

export function processFacts() {
  return {
    pid: process.pid,
    startedAt: STARTED_AT,
    rssBytes: process.memoryUsage.rss(),
    eventLoopDelayMs: Math.round(eventLoopDelayMs()),
  };
}
