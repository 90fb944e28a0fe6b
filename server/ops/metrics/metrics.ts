import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { collectDefaultMetrics, type Metric as ReadMetric, Registry } from '@prometheus-io/client';
import { steadyNow } from '../steady-clock.ts';
import { Durations, keyOf, labelsOf, readAtScrape, type Sample } from './counted.ts';
import { METRICS, type Metric, OTHER, PARTS, ZEROS } from './metric-table.ts';

type Table = typeof METRICS;
type MetricName = keyof Table;
type NamesOf<Type extends string> = {
  [N in MetricName]: Table[N]['type'] extends Type ? N : never;
}[MetricName];
type CounterName = NamesOf<'counter'>;
export type HistogramName = NamesOf<'histogram'>;
type TimeName = Extract<NamesOf<'gauge'>, `${string}_timestamp_seconds`>;
type ValueOf<Label> = Label extends readonly [string, readonly (infer Word extends string)[]] ? Word : string;
type LabelValues<N extends MetricName> = ValuesOf<Table[N]['labels']> & readonly string[];
type ValuesOf<Labels extends readonly unknown[]> = { [I in keyof Labels]: ValueOf<Labels[I]> };
type Reading<N extends MetricName> = Table[N]['labels'] extends readonly []
  ? number
  : Iterable<readonly [...values: LabelValues<N>, value: number]>;
/** Functions that read values at each scrape. Times are in s, sizes in bytes. */
export type Readers = {
  readonly [N in Exclude<MetricName, HistogramName>]?: () => Reading<N> | Promise<Reading<N>>;
};

export type Metrics = ReturnType<typeof createMetrics>;

const ROWS: readonly (readonly [string, Metric])[] = Object.entries(METRICS);
const ZEROS_OF: Readonly<Record<string, readonly (readonly string[])[]>> = ZEROS;
const REQUESTS = 'http_server_request_duration_seconds';
const [ROUTES, METHODS] = METRICS[REQUESTS].labels.map(([, words]) => new Set<string>(words));
/** Default metrics to remove: a scrape resets them, they cost CPU, or Prometheus refuses their names. */
const LEFT_OUT = [
  ...['nodejs_eventloop_lag_', 'nodejs_eventloop_utilization_'],
  ...['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'],
];
const NEVER_MS = 2 ** 31 - 1;

/** Metrics of a feature exist only if `uses` contains its variable, such as SHARED_URL. */
export function createMetrics(
  info: Readonly<Record<'build' | 'replica', string>>,
  uses: ReadonlySet<string> = new Set(),
) {
  const counts = new Map<string, Map<string, number>>();
  const durations = new Map<string, Map<string, Durations>>();
  for (const [name, { type }] of ROWS)
    if (type === 'histogram') durations.set(name, new Map());
    else counts.set(name, new Map());
  const oldestServed = createOldest();
  const readers: Record<string, (() => unknown) | undefined> = {
    site_build_info: () => [[info.build, info.replica, 1]],
    site_oldest_content_seconds: () => (steadyNow() - oldestServed.read(steadyNow())) / 1_000,
    nodejs_eventloop_delay_p50_seconds: () => eventLoopDelay('p50'),
    nodejs_eventloop_delay_p99_seconds: () => eventLoopDelay('p99'),
    nodejs_eventloop_delay_max_seconds: () => eventLoopDelay('max'),
    nodejs_eventloop_time_seconds_total() {
      const { active, idle } = performance.eventLoopUtilization();
      return [
        ['active', active / 1_000],
        ['idle', idle / 1_000],
      ];
    },
  } satisfies Readers;
  let registry: Registry | null = null;

  function durationsOf(name: string, values: readonly string[]): Durations {
    const key = keyOf(values);
    const known = durations.get(name)?.get(key) ?? new Durations();
    durations.get(name)?.set(key, known);
    return known;
  }

  function add(name: string, times: number, values: readonly string[]): void {
    const ofName = counts.get(name);
    const key = keyOf(values);
    ofName?.set(key, (ofName.get(key) ?? 0) + times);
  }

  async function samplesOf(name: string, row: Metric): Promise<readonly Sample[]> {
    const names = row.labels.map(([label]) => label);
    if (row.type === 'histogram') {
      for (const values of zerosOf(name, row)) durationsOf(name, values);
      const all = [...(durations.get(name) ?? [])];
      return all.flatMap(([key, series]) => series.samples(name, labelsOf(names, key)));
    }
    const read = readers[name];
    const found = read ? valuesOf(await read()) : (counts.get(name) ?? []);
    const values = new Map(zerosOf(name, row).map(zero => [keyOf(zero), 0]));
    for (const [key, value] of found) values.set(key, value);
    return Array.from(values, ([key, value]) => ({ labels: labelsOf(names, key), value }));
  }

  function openRegistry(): Registry {
    const opened = new Registry();
    collectDefaultMetrics({
      register: opened,
      eventLoopMonitoringPrecision: NEVER_MS,
      eventLoopUtilizationTimeout: NEVER_MS,
    });
    for (const { name } of opened.getMetricsAsArray())
      if (LEFT_OUT.some(begin => name.startsWith(begin))) opened.removeSingleMetric(name);
    const left = Object.entries(PARTS).flatMap(([variable, begins]) => (uses.has(variable) ? [] : begins));
    for (const [name, row] of ROWS) {
      if (left.some(begin => name.startsWith(begin))) continue;
      const { type, help } = row;
      // The cast is safe: a registry only calls `get`. The client's own metrics would slow down cache hits.
      opened.registerMetric(
        readAtScrape({ name, type, help }, () => samplesOf(name, row)) as unknown as ReadMetric,
      );
    }
    eventLoopDelay('max');
    return opened;
  }

  /** GET requests by route and status. Almost all requests are GET, and this lookup needs no joined key. */
  const gets = new Map<string, Map<number, Durations>>();

  return {
    get registry(): Registry {
      registry ??= openRegistry();
      return registry;
    },
    count: <N extends CounterName>(name: N, ...values: LabelValues<N>) => add(name, 1, values),
    add: <N extends CounterName>(name: N, times: number, ...values: LabelValues<N>) =>
      add(name, times, values),
    note: <N extends HistogramName>(name: N, ms: number, ...values: LabelValues<N>) =>
      durationsOf(name, values).note(ms),
    async timed<N extends HistogramName, T>(name: N, work: () => Promise<T>, values?: LabelValues<N>) {
      const began = performance.now();
      try {
        return await work();
      } finally {
        durationsOf(name, values ?? []).note(performance.now() - began);
      }
    },
    requestDone(route: string | null, method: string, status: number, ms: number) {
      const known = route === null ? 'unmatched' : ROUTES?.has(route) ? route : OTHER;
      const series = method === 'GET' ? gets.get(known)?.get(status) : undefined;
      if (series) return series.note(ms);
      const values = [known, METHODS?.has(method) ? method : OTHER, String(status)];
      const created = durationsOf(REQUESTS, values);
      created.note(ms);
      if (method === 'GET') gets.set(known, (gets.get(known) ?? new Map()).set(status, created));
    },
    stamp: (name: TimeName) => void counts.get(name)?.set('', Date.now() / 1_000),
    /** Notes when the oldest content of an answered page was loaded, in ms since the epoch. */
    pageServed: oldestServed.note,
    observe: (given: Readers) => void Object.assign(readers, given),
  };
}

function zerosOf(name: string, { labels }: Metric): readonly (readonly string[])[] {
  const listed = ZEROS_OF[name];
  if (listed) return listed;
  let all: readonly (readonly string[])[] = [[]];
  for (const [, words] of labels) all = all.flatMap(values => (words ?? []).map(word => [...values, word]));
  return all;
}

function valuesOf(reading: unknown): readonly (readonly [key: string, value: number])[] {
  if (typeof reading === 'number') return [['', reading]];
  // The cast is safe: `Readers` has the type of each reading.
  const rows = [...(reading as Iterable<readonly [...string[], number]>)];
  return rows.map(row => [keyOf(row.slice(0, -1).map(String)), Number(row.at(-1))]);
}

/** The length of a window, in ms. A reading covers the current window and the complete one before it. */
const WINDOW_MS = 60_000;

function createOldest() {
  let current = Number.POSITIVE_INFINITY;
  let before = Number.POSITIVE_INFINITY;
  let turnedAt = 0;
  return {
    note(time: number): void {
      if (time < current) current = time;
    },
    read(now: number): number {
      const oldest = Math.min(current, before);
      if (now - turnedAt >= WINDOW_MS) {
        before = current;
        current = Number.POSITIVE_INFINITY;
        turnedAt = now;
      }
      return Number.isFinite(oldest) ? oldest : Number.NaN;
    },
  };
}

const RESOLUTION_MS = 10;
type Delays = Readonly<Record<'p50' | 'p99' | 'max', number>>;

type IntervalHistogram = ReturnType<typeof monitorEventLoopDelay>;
let monitor: IntervalHistogram | null = null;
let before: Delays = { p50: 0, p99: 0, max: 0 };

/** Reads a delay of the event loop in the last minute or two, in seconds. The first call starts measuring. */
function eventLoopDelay(which: keyof Delays): number {
  monitor ??= begin();
  return Math.max(before[which], delaysOf(monitor)[which]);
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

/** Subtracts the interval between two measurements, which Node counts as delay. */
function delaysOf(histogram: IntervalHistogram): Delays {
  const seconds = (ns: number) => (histogram.count === 0 ? 0 : Math.max(0, ns / 1e6 - RESOLUTION_MS) / 1_000);
  return {
    p50: seconds(histogram.percentile(50)),
    p99: seconds(histogram.percentile(99)),
    max: seconds(histogram.max),
  };
}
