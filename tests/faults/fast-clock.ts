// node --import tests/faults/fast-clock.ts … with CLOCK_RATE=n makes the monotonic clock and the timers run n
// times as fast. `Date` keeps the machine's time.

import { syncBuiltinESMExports } from 'node:module';
import promises from 'node:timers/promises';

const rate = Number(process.env.CLOCK_RATE);
const startedAt = performance.now();
const realNow = performance.now.bind(performance);
performance.now = () => startedAt + (realNow() - startedAt) * rate;

type SetTimer = (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => NodeJS.Timeout;
const timers = globalThis as unknown as Record<'setTimeout' | 'setInterval', SetTimer>;
for (const name of ['setTimeout', 'setInterval'] as const) {
  const real = timers[name];
  timers[name] = (work, ms = 0, ...args) => real(work, ms / rate, ...args);
}
const { setTimeout: delay } = promises;
promises.setTimeout = ((ms = 0, ...args) => delay(ms / rate, ...args)) as typeof delay;
syncBuiltinESMExports();
