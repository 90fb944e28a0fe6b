import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Counted, createCount, createHistogram, type Durations } from './counted.ts';
import { steadyNow } from './steady-clock.ts';

/** The values of the gauges, read at each request for `/metrics`. Times in ms, sizes in bytes. */
export interface MetricSources {
  layers(): Record<'pages' | 'negative-pages' | 'cards' | 'content', { bytes: number; entries: number }>;
  pagesInFlight(): number;
  pagesWaiting(): number;
  contentInFlight(): number;
  /** Background work: compression of pages, and records for the disk. */
  backgroundWaiting(): Record<'encoding' | 'record', number>;
  backendIsUp(): boolean;
  /** States by path, for the types that the site has requested. */
  contentStates(): ReadonlyMap<string, string>;
  /** Accepted entries of each type, by path. */
  contentEntries(): ReadonlyMap<string, number>;
  mediaStates(): ReadonlyMap<string, boolean>;
  diskIsWritable(): boolean;
  droppedLogLines(): number;
  timeToFirstExpiryMs(): number | null;
  outbox(): { waiting: number; oldestMs: number; dead: number };
  renditions(): { running: number; waiting: number };
}

export interface Metrics {
  readonly registry: Registry;
  /** Counts an answer: by the listener, by Express, or refused because no stored page exists. */
  answered(way: 'fast' | 'express' | 'not-stored'): void;
  pageAnswered(outcome: string): void;
  contentEvent(outcome: string): void;
  /** Counts a call. Both labels must be constants of the code. */
  backendCall(type: string, outcome: string): void;
  /** @param generatedAt when the page's oldest content was loaded, in ms since the epoch. */
  pageServed(generatedAt: number): void;
  pageCacheEvent(kind: string): void;
  contentEvicted(): void;
  contentProblemFound(kind: string): void;
  webhookAnswered(outcome: string): void;
  connectionRefused(): void;
  renditionAnswered(outcome: string): void;
  cardAnswered(outcome: string): void;
  requestDone(route: string, status: number, ms: number): void;
  /** The timers of work: `rendering`, `compressing`, `fetching` and `scaling`. */
  rendering<T>(work: () => Promise<T>): Promise<T>;
  compressing<T>(work: () => Promise<T>): Promise<T>;
  fetching<T>(work: () => Promise<T>): Promise<T>;
  scaling<T>(work: () => Promise<T>): Promise<T>;
  /** Creates the gauges once, when their sources exist. */
  observe(sources: MetricSources): void;
}

/** @param info labels that identify this process. */
export function createMetrics(info: Readonly<Record<'build' | 'replica', string>>): Metrics {
  const counted: Counted[] = [];
  const counts = createCounts(counted);
  const oldestServed = createOldest();
  let sources: MetricSources | null = null;
  let registry: Registry | null = null;

  function openRegistry(): Registry {
    const opened = new Registry();
    collectDefaultMetrics({ register: opened });
    new Gauge({
      name: 'site_build_info',
      help: 'Always 1; the labels name the running build and the replica (REPLICA_ID)',
      labelNames: ['build', 'replica'],
      registers: [opened],
    }).set(info, 1);
    new Gauge({
      name: 'site_oldest_content_seconds',
      help: 'Age of the oldest content in the pages that were answered in the last minute or two; NaN with no answer',
      registers: [opened],
      collect() {
        const now = steadyNow();
        this.set((now - oldestServed.read(now)) / 1_000);
      },
    });
    for (const metric of counted) metric.addTo(opened);
    if (sources) addGauges(sources, opened);
    return opened;
  }

  return {
    get registry() {
      registry ??= openRegistry();
      return registry;
    },
    ...counts,
    pageServed: oldestServed.note,
    observe(given) {
      sources = given;
      if (registry) addGauges(given, registry);
    },
  };
}

function createCounts(counted: Counted[]): Omit<Metrics, 'registry' | 'pageServed' | 'observe'> {
  const count = (name: string, help: string, ...labels: string[]) => {
    const counter = createCount({ name, help }, labels);
    counted.push(counter);
    return counter.add;
  };
  const histogram = (name: string, help: string, ...labels: string[]) => {
    const durations = createHistogram({ name, help }, labels);
    counted.push(durations);
    return durations.of;
  };
  const event = count('site_page_cache_events_total', 'Events of the page cache, by kind', 'event');
  const evicted = count('site_cache_evictions_total', 'Entries evicted to make room, by layer', 'layer');
  const requests = histogram(
    'site_request_duration_seconds',
    'Requests, by route and status',
    ...['route', 'status'],
  );
  const requestsOf = new Map<string, Map<number, Durations>>();
  const renders = histogram('site_render_duration_seconds', 'Rendering a page')();
  const compressions = histogram('site_compress_duration_seconds', 'Compressing a page')();
  const fetches = histogram('site_fetch_duration_seconds', 'Calls of the content backend')();
  const scalings = histogram('site_scale_duration_seconds', 'Scaling a picture')();

  return {
    answered: count(
      'site_answers_total',
      'Requests, by the way of the answer: fast (a file of the build or a stored page, by the listener) or express',
      'way',
    ),
    pageAnswered: count(
      'site_page_answers_total',
      'Pages and payloads answered, by what the page cache did',
      'outcome',
    ),
    contentEvent: count(
      'site_content_reads_total',
      'Reads of content, by what the content cache did',
      'outcome',
    ),
    contentProblemFound: count(
      'site_content_problems_total',
      'Problems found in the content, by kind, each once until the content changes',
      'kind',
    ),
    backendCall: count(
      'site_backend_calls_total',
      'Calls for content, by content type and outcome',
      ...['type', 'outcome'],
    ),
    contentEvicted: () => evicted('content'),
    webhookAnswered: count(
      'site_webhook_events_total',
      'Events of the content webhook, by outcome: accepted, or the reason of the refusal',
      'outcome',
    ),
    connectionRefused: count(
      'site_connections_refused_total',
      'Connections that were closed at once, because too many were open',
    ),
    renditionAnswered: count(
      'site_rendition_answers_total',
      'Requests for renditions of pictures, by outcome',
      'outcome',
    ),
    cardAnswered: count(
      'site_share_card_answers_total',
      'Requests for the cards of shared links, by outcome',
      'outcome',
    ),
    pageCacheEvent(kind) {
      event(kind);
      if (kind === 'evicted') evicted('pages');
      if (kind === 'negative-evicted') evicted('negative-pages');
    },
    requestDone(route, status, ms) {
      const ofRoute = requestsOf.get(route) ?? new Map<number, Durations>();
      const durations = ofRoute.get(status) ?? requests(route, String(status));
      durations.note(ms);
      requestsOf.set(route, ofRoute.set(status, durations));
    },
    rendering: work => timed(renders, work),
    compressing: work => timed(compressions, work),
    fetching: work => timed(fetches, work),
    scaling: work => timed(scalings, work),
  };
}

function addGauges(sources: MetricSources, registry: Registry): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  for (const part of ['bytes', 'entries'] as const) {
    new Gauge({
      name: `site_cache_${part}`,
      help: `Stored ${part}, by layer`,
      labelNames: ['layer'],
      registers,
      collect() {
        for (const [layer, size] of Object.entries(sources.layers())) this.set({ layer }, size[part]);
      },
    });
  }
  gauge('site_page_renders_in_flight', 'Renders in flight, or waiting for a place', sources.pagesInFlight);
  gauge('site_pages_waiting', 'Pages that wait for a place to be rendered', sources.pagesWaiting);
  gauge('site_content_loads_in_flight', 'Loads of content in flight', sources.contentInFlight);
  new Gauge({
    name: 'site_background_waiting',
    help: 'Work that waits until visitors leave room: the compression of uncompressed pages, and records for the disk',
    labelNames: ['work'],
    registers,
    collect() {
      for (const [work, waiting] of Object.entries(sources.backgroundWaiting())) this.set({ work }, waiting);
    },
  });
  gauge(
    'site_backend_up',
    '1 while the content backend answers and no known content type is refused, emptied or down; else 0',
    () => Number(sources.backendIsUp()),
  );
  new Gauge({
    name: 'site_content_state',
    help: '1 for the state of each content type that was asked for: ok, empty, emptied, refused or down',
    labelNames: ['type', 'state'],
    registers,
    collect() {
      this.reset();
      for (const [type, state] of sources.contentStates()) this.set({ type, state }, 1);
    },
  });
  new Gauge({
    name: 'site_content_entries',
    help: 'Entries of each content type, as they were believed last: a loss that is not believed does not lower it',
    labelNames: ['type'],
    registers,
    collect() {
      for (const [type, entries] of sources.contentEntries()) this.set({ type }, entries);
    },
  });
  new Gauge({
    name: 'site_media_up',
    help: '1 while a server of media answers, else 0: the backend, or an origin of MEDIA_ORIGINS',
    labelNames: ['server'],
    registers,
    collect() {
      for (const [server, isUp] of sources.mediaStates()) this.set({ server }, Number(isUp));
    },
  });
  gauge('site_disk_writable', 'Whether the data folder could be written at the last try', () =>
    Number(sources.diskIsWritable()),
  );
  new Counter({
    name: 'site_log_lines_dropped_total',
    help: 'Lines of the log that were dropped, because the reader of the log had stopped',
    registers,
    collect() {
      this.reset();
      this.inc(sources.droppedLogLines());
    },
  });
  gauge(
    'site_first_expiry_seconds',
    'Time until the first stored page may not be served any more; NaN with none stored',
    () => (sources.timeToFirstExpiryMs() ?? Number.NaN) / 1_000,
  );
  gauge('site_renditions_in_flight', 'Pictures that are being scaled', () => sources.renditions().running);
  gauge(
    'site_renditions_waiting',
    'Pictures that wait for their turn to be scaled',
    () => sources.renditions().waiting,
  );
  gauge('site_outbox_waiting', 'Messages that wait for their delivery', () => sources.outbox().waiting);
  gauge(
    'site_outbox_oldest_seconds',
    'Age of the oldest message that waits',
    () => sources.outbox().oldestMs / 1_000,
  );
  gauge('site_outbox_dead', 'Messages that could not be delivered', () => sources.outbox().dead);
}

/** A reading covers the current window and the complete window before it, in ms. */
const WINDOW_MS = 60_000;

/** A minimum of times in the last one to two minutes; NaN without times. */
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

async function timed<T>(durations: Durations, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    durations.note(performance.now() - began);
  }
}
