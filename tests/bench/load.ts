import autocannon from 'autocannon';
import { cpuMs } from './cores.ts';

export interface LoadOptions {
  url: string;
  path?: string;
  headers?: Readonly<Record<string, string>>;
  seconds: number;
  /** The server's process id, to measure its CPU time. */
  pid?: number;
  /** The expected status. Any other counts as an error. */
  status?: number;
}

export interface LoadResult {
  perSecond: number;
  p99Ms: number;
  errors: number;
  /** The server's CPU time for one request, in microseconds. */
  cpuMicros: number | null;
  /** The share of one core that the server used. */
  busy: number | null;
}

const CONNECTIONS = 50;

/** Puts load on a server. An answer with another status, or none, counts as an error. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { url, path = '/', headers = {}, seconds, pid, status = 200 } = options;
  const cpuBefore = pid === undefined ? null : cpuMs(pid);
  const startedAt = performance.now();
  const result = await autocannon({
    url: url + path,
    connections: CONNECTIONS,
    duration: seconds,
    headers,
  });
  const elapsedMs = performance.now() - startedAt;
  const cpuAfter = pid === undefined ? null : cpuMs(pid);
  const used = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  const answered = Object.values(result.statusCodeStats).reduce((sum, { count }) => sum + count, 0);
  const expected = result.statusCodeStats[status]?.count ?? 0;
  return {
    perSecond: answered / result.duration,
    p99Ms: result.latency.p99,
    errors: result.errors + result.timeouts + answered - expected,
    cpuMicros: used === null || answered === 0 ? null : (used * 1_000) / answered,
    busy: used === null ? null : used / elapsedMs,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
