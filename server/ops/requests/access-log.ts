import type { IncomingMessage } from 'node:http';
import { type ProcessLogger, printableJson, writeInfoLine } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { RequestLines } from './request-lines.ts';

/** The fields of the access log that the request itself does not have. */
export interface RequestRecord {
  id: string;
  route: string | null;
  /** 499 when the client has disconnected before its answer was complete. */
  status: number;
  /** By `performance.now()`. */
  startedAt: number;
  bytes: number;
  /** `hit`, `stale`, `miss` or `bypass`; null for an answer that is no page. */
  pageCache: string | null;
  /** Reads of content by their outcome: `{ hit: 4, miss: 1 }`. */
  contentCache: Readonly<Record<string, number>>;
  crawler: boolean;
}

export interface RequestLogParts {
  readonly log: ProcessLogger;
  readonly metrics: Metrics;
  readonly requestLines: RequestLines;
}

/** Counts a request in the metrics, and logs it unless its address has too many entries. */
export function logRequest(
  { log, metrics, requestLines }: RequestLogParts,
  req: IncomingMessage,
  url: string,
  record: RequestRecord,
): void {
  const ms = Math.round((performance.now() - record.startedAt) * 10) / 10;
  metrics.requestDone(record.route ?? '', record.status, ms);
  if (record.pageCache) metrics.pageAnswered(record.pageCache);
  if (!requestLines(req, record.status)) return;
  const { route, pageCache } = record;
  const mark = url.indexOf('?');
  const path = printableJson(mark < 0 ? url : url.slice(0, mark));
  // Only the path comes from outside. The other values are numbers and words of this program.
  writeInfoLine(
    log,
    `"code":"http-request","id":"${record.id}","method":"${req.method}","path":${path},"route":${orNull(route)},"status":${record.status},"ms":${ms},"bytes":${record.bytes},"page":${orNull(pageCache)},"cache":${JSON.stringify(record.contentCache)},"crawler":${record.crawler}`,
    'request',
  );
}

function orNull(word: string | null): string {
  return word === null ? 'null' : `"${word}"`;
}

/** What the access log and, with `npm run dev`, `Server-Timing` say about a request. */
export class RequestTrace {
  #route: string | null = null;
  #pageCache: string | null = null;
  readonly #contentReads: Record<string, number> = {};

  /** @param route null for an answer without a route, such as a redirect. */
  route(route: string | null): void {
    this.#route = route;
  }

  /** @param outcome `hit`, `stale`, `miss` or `bypass`. */
  pageCache(outcome: string): void {
    this.#pageCache = outcome;
  }

  /** @param outcome of the content cache for one read. */
  contentRead(outcome: string): void {
    this.#contentReads[outcome] = (this.#contentReads[outcome] ?? 0) + 1;
  }

  record(): {
    route: string | null;
    pageCache: string | null;
    contentCache: Readonly<Record<string, number>>;
  } {
    return { route: this.#route, pageCache: this.#pageCache, contentCache: this.#contentReads };
  }

  /** @param startedAt by `performance.now()`. */
  serverTiming(startedAt: number): string {
    const reads = Object.entries(this.#contentReads).map(([outcome, times]) => `${outcome} ${times}`);
    const total = (performance.now() - startedAt).toFixed(1);
    return `page;desc="${this.#pageCache}", content;desc="${reads.join(', ')}", total;dur=${total}`;
  }
}
