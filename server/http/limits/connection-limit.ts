import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Logger } from '../../ops/log.ts';
import type { Metrics } from '../../ops/metrics/metrics.ts';

/** Limit for visitors' connections, however many files are allowed. An idle one takes about 10 KB. */
const MAX_CONNECTIONS = 10_000;
/** File descriptors for other uses. An idle process has 33. */
const RESERVED_FILES = 192;
export const MAX_OPS_CONNECTIONS = 32;
const WARNING_PAUSE_MS = 60_000;
const SEARCH_PAUSE_MS = 1_000;

export function connectionLimit(openFiles: number | null): number {
  if (openFiles === null) return MAX_CONNECTIONS;
  return Math.min(MAX_CONNECTIONS, openFiles - Math.min(RESERVED_FILES, Math.ceil(openFiles / 2)));
}

export function openFilesLimit(): number | null {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

export function limitConnections(
  server: Server,
  max: number,
  { log, metrics }: { log: Logger; metrics: Pick<Metrics, 'count'> },
): void {
  server.maxConnections = max;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let searchedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    metrics.count('site_connections_refused_total');
    const now = performance.now();
    if (now - searchedAt >= SEARCH_PAUSE_MS) {
      searchedAt = now;
      server.closeIdleConnections();
    }
    if (now - warnedAt < WARNING_PAUSE_MS) return;
    warnedAt = now;
    log.warn({ code: 'http-connections-refused', max }, 'connections are refused, because too many are open');
  });
}
