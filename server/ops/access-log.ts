import type { IncomingMessage } from 'node:http';
import { type ProcessLogger, printableJson, writeInfoLine } from './log.ts';
import type { Metrics } from './metrics.ts';

/** The parts of a request's line in the log that the request itself does not have. */
export interface RequestRecord {
  id: string;
  route: string | null;
  /** 499 when the client has gone before its answer was complete. */
  status: number;
  startedAt: number;
  /** Length of the body that was sent. */
  bytes: number;
  /** The outcome of the page cache: `hit`, `stale`, `miss` or `bypass`; null where the answer is no page. */
  pageCache: string | null;
  /** Reads of content by their outcome: `{ hit: 4, miss: 1 }`. */
  contentCache: Readonly<Record<string, number>>;
  /** Whether the user agent is one of a crawler. */
  crawler: boolean;
}

/** Writes the one line of a request, and counts it. */
export function logRequest(
  log: ProcessLogger,
  metrics: Metrics,
  req: IncomingMessage,
  url: string,
  record: RequestRecord,
): void {
  const ms = Math.round((performance.now() - record.startedAt) * 10) / 10;
  const mark = url.indexOf('?');
  metrics.requestDone(record.route ?? '', record.status, ms);
  if (record.pageCache) metrics.pageAnswered(record.pageCache);
  const { route, pageCache } = record;
  const path = printableJson(mark < 0 ? url : url.slice(0, mark));
  // All members but the path are numbers or words of this program, which need no escaping.
  writeInfoLine(
    log,
    `"id":"${record.id}","method":"${req.method}","path":${path},"route":${orNull(route)},"status":${record.status},"ms":${ms},"bytes":${record.bytes},"page":${orNull(pageCache)},"cache":${JSON.stringify(record.contentCache)},"crawler":${record.crawler}`,
    'request',
  );
}

function orNull(word: string | null): string {
  return word === null ? 'null' : `"${word}"`;
}
