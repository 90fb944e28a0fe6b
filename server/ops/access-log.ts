import type { IncomingMessage } from 'node:http';
import { type ProcessLogger, printableJson, writeInfoLine } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { RequestLines } from './request-lines.ts';

/** The fields of the access log that cannot be read from the request itself. */
export interface RequestRecord {
  id: string;
  route: string | null;
  /** 499 when the client has disconnected before its answer was complete. */
  status: number;
  /** By `performance.now()`. */
  startedAt: number;
  /** Length of the body that was sent. */
  bytes: number;
  /** The outcome of the page cache: `hit`, `stale`, `miss` or `bypass`; null for an answer that is no page. */
  pageCache: string | null;
  /** Reads of content by their outcome: `{ hit: 4, miss: 1 }`. */
  contentCache: Readonly<Record<string, number>>;
  /** Whether the user agent belongs to a crawler. */
  crawler: boolean;
}

/** Writes the access log line of a request, unless its address has too many, and counts the request in the metrics. */
export function logRequest(
  { log, metrics, requestLines }: { log: ProcessLogger; metrics: Metrics; requestLines: RequestLines },
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
  // Only the path comes from outside. The other values are numbers and words of this program, which need no escaping.
  writeInfoLine(
    log,
    `"id":"${record.id}","method":"${req.method}","path":${path},"route":${orNull(route)},"status":${record.status},"ms":${ms},"bytes":${record.bytes},"page":${orNull(pageCache)},"cache":${JSON.stringify(record.contentCache)},"crawler":${record.crawler}`,
    'request',
  );
}

function orNull(word: string | null): string {
  return word === null ? 'null' : `"${word}"`;
}
