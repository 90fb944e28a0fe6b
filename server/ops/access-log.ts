import type { IncomingMessage } from 'node:http';
import { isCrawler } from '../http/device-from-request.ts';
import type { PageCacheOutcome } from '../http/request-scope.ts';
import { type Logger, logWritten, printableJson } from './log.ts';
import type { Metrics } from './metrics.ts';

/** What a request's line in the log says besides what stands in the request. */
export interface RequestRecord {
  id: string;
  route: string | null;
  /** 499 when the client has gone before its answer was complete. */
  status: number;
  startedAt: number;
  /** Of the body that was sent. */
  bytes: number;
  pageCache: PageCacheOutcome | null;
  contentCache: Readonly<Record<string, number>>;
}

/** Writes the one line of a request, and counts it. */
export function logRequest(
  log: Logger,
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
  // What is not the path is a number or one of the site's own words: there is nothing in it to be escaped.
  logWritten(
    log,
    `"id":"${record.id}","method":"${req.method}","path":${path},"route":${orNull(route)},"status":${record.status},"ms":${ms},"bytes":${record.bytes},"page":${orNull(pageCache)},"cache":${JSON.stringify(record.contentCache)},"crawler":${isCrawler(req.headers)}`,
    'request',
  );
}

function orNull(word: string | null): string {
  return word === null ? 'null' : `"${word}"`;
}
