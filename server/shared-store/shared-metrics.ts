import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface SharedMetrics {
  /** @param op, outcome constants of the code. */
  called(op: string, outcome: string, ms: number): void;
}

const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5];

export function createSharedMetrics(registry: Registry, isUp: () => boolean): SharedMetrics {
  const registers = [registry];
  new Gauge({
    name: 'site_shared_up',
    help: '1 while the shared store (SHARED_URL) answers and takes what is written, else 0',
    registers,
    collect() {
      this.set(Number(isUp()));
    },
  });
  const calls = new Counter({
    name: 'site_shared_calls_total',
    help: 'Commands for the shared store, by purpose and outcome: answered, refused, late, unreachable, skipped because it has just failed, or forged: a value that no replica with this SHARED_SECRET has written, by the first word of its key',
    labelNames: ['op', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'site_shared_duration_seconds',
    help: 'Time until the shared store has answered, by purpose',
    labelNames: ['op'],
    buckets: BUCKETS,
    registers,
  });
  return {
    called(op, outcome, ms) {
      calls.inc({ op, outcome });
      if (outcome === 'answered') durations.observe({ op }, ms / 1_000);
    },
  };
}
