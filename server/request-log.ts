import type { IncomingMessage } from 'node:http';
import { isCrawler } from './device-from-request.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { PageCacheOutcome } from './request-scope.ts';

/** What a request's line in the log says besides what stands in the request. */
export interface RequestRecord {
  id: string;
  route: string | null;
  /** 499 when the client has gone before its answer was complete. */
  status: number;
  startedAt: number;
  bytes: number;
  pageCache: PageCacheOutcome | null;
  contentCache: Readonly<Record<string, number>>;
}

/** By the process's logger: the same without a search for secrets, which takes as long as writing the line. */
const requestLogs = new WeakMap<Logger, Logger>();

function requestLogOf(log: Logger): Logger {
  const known = requestLogs.get(log);
  if (known) return known;
  // The fields of a request's line are all named below; none of them can hold a secret.
  const made = log.child({}, { redact: [] });
  requestLogs.set(log, made);
  return made;
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
  requestLogOf(log).info(
    {
      id: record.id,
      method: req.method,
      path: mark < 0 ? url : url.slice(0, mark),
      route: record.route,
      status: record.status,
      ms,
      bytes: record.bytes,
      page: record.pageCache,
      cache: record.contentCache,
      crawler: isCrawler(req.headers),
    },
    'request',
  );
}
