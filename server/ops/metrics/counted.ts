import type { MetricObject } from '@prometheus-io/client';

/** A value of a metric, in the format of a registry of the Prometheus client. */
export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** Joins the values of labels, none of which contains a line break. */
const SEPARATOR = '\n';

export function keyOf(values: readonly string[]): string {
  return values.length === 1 ? (values[0] ?? '') : values.join(SEPARATOR);
}

export function labelsOf(names: readonly string[], key: string): Record<string, string> {
  const values = key.split(SEPARATOR);
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

/** The upper bounds of the buckets, in seconds. The last one is the limit of a request. */
export const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class Durations {
  readonly #counts = new Array<number>(BUCKETS.length + 1).fill(0);
  #seconds = 0;

  note(ms: number): void {
    const duration = ms / 1_000;
    let bucket = 0;
    while (bucket < BUCKETS.length && duration > (BUCKETS[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#seconds += duration;
  }

  samples(name: string, labels: Sample['labels']): readonly Sample[] {
    let total = 0;
    const buckets = this.#counts.map((count, index) => {
      total += count;
      return {
        labels: { le: BUCKETS[index] ?? '+Inf', ...labels },
        value: total,
        metricName: `${name}_bucket`,
      };
    });
    return [
      ...buckets,
      { labels, value: this.#seconds, metricName: `${name}_sum` },
      { labels, value: total, metricName: `${name}_count` },
    ];
  }
}

/** Makes the object that a registry reads at each scrape, in place of the client's own metrics. */
export function readAtScrape(
  metric: Pick<MetricObject, 'name' | 'help'> & { readonly type: string },
  read: () => readonly Sample[] | Promise<readonly Sample[]>,
) {
  return { ...metric, get: async () => ({ ...metric, aggregator: 'sum', values: await read() }) };
}
