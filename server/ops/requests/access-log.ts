import type { IncomingMessage } from 'node:http';
import { type ProcessLogger, printableJson, writeInfoLine } from '../log.ts';
import { LIMITS, type LimitName, type UnavailableCause } from '../metrics/metric-table.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** The longest name of a host with a port, in characters. */
const MAX_HOST = 259;

/** `crawler`: a client that says it is one. `program`: a monitor, a library or a tool. */
export type ClientClass = 'browser' | 'crawler' | 'program';

type Cause = UnavailableCause | LimitName;

function isLimit(cause: Cause | null): cause is LimitName {
  return LIMITS.some(name => name === cause);
}

interface RequestRecord {
  id: string;
  /** Null for a response without a route, such as a redirect. */
  route: string | null;
  /** The status; 499 if the client disconnected before the end of the response. */
  status: number;
  /** The start by `performance.now()`. */
  startedAt: number;
  bytes: number;
  pageCache: 'hit' | 'stale' | 'miss' | 'bypass' | null;
  /** Why the response is a 503, or which limit makes it a 429; null for other responses. */
  cause: Cause | null;
  /** The reads of content by outcome: `{ hit: 4, miss: 1 }`. */
  contentCache: Readonly<Record<string, number>>;
  /** The id of the trace. Cache hits have none. */
  traceId?: string | null;
  host: string;
  client: ClientClass;
  message: string | null;
}

/** The last request's host as JSON, cached because most requests have the same host. */
let lastHost = '';
let lastHostJson = '""';

export interface RequestLogParts {
  readonly log: ProcessLogger;
  readonly metrics: Metrics;
  readonly requestLines: RequestLines;
}

/** Counts a request in the metrics. Logs it unless its IP address has too many entries. */
export function logRequest(
  { log, metrics, requestLines }: RequestLogParts,
  req: IncomingMessage,
  url: string,
  record: RequestRecord,
): void {
  const ms = Math.round((performance.now() - record.startedAt) * 10) / 10;
  countRequest(metrics, req.method ?? '', record, ms);
  if (!requestLines(req, record.status)) return;
  const { route, pageCache, cause } = record;
  const mark = url.indexOf('?');
  const path = printableJson(mark < 0 ? url : url.slice(0, mark));
  if (record.host !== lastHost) {
    lastHost = record.host;
    lastHostJson = printableJson(lastHost.slice(0, MAX_HOST));
  }
  // Path and host are the only texts from outside. Other values are numbers and constants.
  writeInfoLine(
    log,
    `"code":"http-request","id":"${record.id}"${record.traceId ? `,"trace_id":"${record.traceId}"` : ''},"method":"${req.method}","path":${path},"route":${orNull(route)},"status":${record.status},"ms":${ms},"bytes":${record.bytes},"page":${orNull(pageCache)}${cause === null ? '' : `,"cause":"${cause}"`},"cache":${JSON.stringify(record.contentCache)},"host":${lastHostJson},"client":"${record.client}"${record.message === null ? '' : `,"message":"${record.message}"`}`,
    'request',
  );
}

function countRequest(metrics: Metrics, method: string, record: RequestRecord, ms: number): void {
  const { route, status, pageCache, cause } = record;
  metrics.requestDone(route, method, status, ms);
  if (pageCache) metrics.count('site_page_answers_total', pageCache);
  if (status === 503) metrics.count('site_unavailable_total', isLimit(cause) ? 'other' : (cause ?? 'other'));
  else if (isLimit(cause)) metrics.count('site_rate_limited_total', cause);
}

function orNull(word: string | null): string {
  return word === null ? 'null' : `"${word}"`;
}

export class RequestTrace implements Pick<RequestRecord, 'route' | 'pageCache' | 'cause' | 'message'> {
  route: string | null = null;
  pageCache: RequestRecord['pageCache'] = null;
  cause: Cause | null = null;
  message: string | null = null;
  readonly contentCache: Record<string, number> = {};

  contentRead(outcome: string): void {
    this.contentCache[outcome] = (this.contentCache[outcome] ?? 0) + 1;
  }

  serverTiming(startedAt: number): string {
    const reads = Object.entries(this.contentCache).map(([outcome, times]) => `${outcome} ${times}`);
    const total = (performance.now() - startedAt).toFixed(1);
    return `page;desc="${this.pageCache}", content;desc="${reads.join(', ')}", total;dur=${total}`;
  }
}

const SECOND_MS = 1_000;

type RequestLines = (req: IncomingMessage, status: number) => boolean;

/**
 * Limits log entries of requests, because a flood from one address would fill the disk.
 * @param perSecond the most entries of an address; 0: unlimited. Statuses from 500 on are always logged.
 * @param addressOf finds the client's address. Requests without a known address are always logged.
 */
export function createRequestLines(
  log: ProcessLogger,
  perSecond: number,
  addressOf: (req: IncomingMessage) => string | null,
): RequestLines {
  if (perSecond === 0) return () => true;
  const requests = new Map<string, number>();
  let leftOut = 0;
  let isCounting = false;

  function endSecond(): void {
    if (leftOut > 0)
      log.info(
        { code: 'request-lines-left-out', requests: leftOut },
        'access log: requests from busy IP addresses were left out',
      );
    requests.clear();
    leftOut = 0;
    isCounting = false;
  }

  return (req, status) => {
    const address = status < 500 ? addressOf(req) : null;
    if (address === null) return true;
    if (!isCounting) setTimeout(endSecond, SECOND_MS).unref();
    isCounting = true;
    const count = (requests.get(address) ?? 0) + 1;
    requests.set(address, count);
    if (count <= perSecond) return true;
    leftOut += 1;
    return false;
  };
}
