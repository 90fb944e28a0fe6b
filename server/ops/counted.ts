import { Counter, type Metric, type Registry } from 'prom-client';

/** A metric counted by the process. prom-client reads it at each request for `/metrics`. */
export interface Counted {
  addTo(registry: Registry): void;
}

interface Described {
  readonly name: string;
  readonly help: string;
}

/** Counts without prom-client, whose counter slows cache hits: it checks and joins labels at each call. */
export function createCount(
  metric: Described,
  labels: readonly string[],
): Counted & { add(...values: readonly string[]): void } {
  const counts = new Map<string, number>();
  return {
    add(...values) {
      const key = values.length === 1 ? (values[0] ?? '') : values.join(SEPARATOR);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    addTo(registry) {
      new Counter({
        ...metric,
        labelNames: [...labels],
        registers: [registry],
        collect() {
          this.reset();
          for (const [key, count] of counts) this.inc(named(labels, key.split(SEPARATOR)), count);
        },
      });
    },
  };
}

/** Joins the values of labels, none of which contains a line break. */
const SEPARATOR = '\n';

/** The upper bounds of the buckets, in seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export interface Durations {
  note(ms: number): void;
}

interface CountedDurations extends Durations {
  /** The number of durations in each bucket, and above the last one. */
  readonly counts: readonly number[];
  readonly seconds: number;
}

/** Creates a fast histogram of durations. Without labels it shows zeros from the start. */
export function createHistogram(
  metric: Described,
  labels: readonly string[],
): Counted & { of(...values: readonly string[]): Durations } {
  const all = new Map<string, CountedDurations>();
  const of = (...values: readonly string[]) => {
    const key = values.join(SEPARATOR);
    const known = all.get(key) ?? createDurations();
    all.set(key, known);
    return known;
  };
  if (labels.length === 0) of();
  return {
    of,
    addTo(registry) {
      // A registry calls only `get`, and prom-client's histogram cannot take existing counts.
      const read = {
        ...metric,
        get: async () => ({
          ...metric,
          type: 'histogram',
          aggregator: 'sum',
          values: [...all].flatMap(([key, durations]) =>
            valuesOf(metric.name, named(labels, key.split(SEPARATOR)), durations),
          ),
        }),
      };
      registry.registerMetric(read as unknown as Metric);
    },
  };
}

function createDurations(): CountedDurations {
  const counts = new Array<number>(BUCKETS.length + 1).fill(0);
  let seconds = 0;
  return {
    counts,
    get seconds() {
      return seconds;
    },
    note(ms) {
      const duration = ms / 1_000;
      let bucket = 0;
      while (bucket < BUCKETS.length && duration > (BUCKETS[bucket] ?? 0)) bucket += 1;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      seconds += duration;
    },
  };
}

function valuesOf(
  name: string,
  labels: Readonly<Record<string, string>>,
  { counts, seconds }: CountedDurations,
) {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return {
      labels: { le: BUCKETS[index] ?? '+Inf', ...labels },
      value: total,
      metricName: `${name}_bucket`,
    };
  });
  return [
    ...buckets,
    { labels, value: seconds, metricName: `${name}_sum` },
    { labels, value: total, metricName: `${name}_count` },
  ];
}

function named(labels: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']));
}
