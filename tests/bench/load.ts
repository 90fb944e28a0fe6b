import { cpuMs, ownCpuMs } from './cores.ts';
import { rawLoad, type Target } from './raw-load.ts';
import { HAS_WRK, wrkLoad } from './wrk-load.ts';

export const GENERATOR = HAS_WRK ? 'wrk' : 'sockets of the bench itself, because wrk is not installed';

export interface LoadResult {
  perSecond: number;
  errors: number;
  /**
   * CPU time of the server for one request, all threads included, in microseconds. Null if the system does
   * not report it.
   */
  cpuMicros: number | null;
  /** Share of their cores that server and generator used, or null if the system does not report it. */
  serverBusy: number | null;
  generatorBusy: number | null;
}

/**
 * Sends as many requests as a server can answer: one in flight on each of 50 connections.
 * @param target the requests, and the server's process id to measure its CPU time
 */
export async function load({ pid, ...target }: Target & { pid: number }): Promise<LoadResult> {
  const [serverBefore, ownBefore] = [cpuMs(pid), ownCpuMs()];
  const { answered, ms, errors } = await (HAS_WRK ? wrkLoad : rawLoad)(target);
  const [used, ownUsed] = [since(cpuMs(pid), serverBefore), since(ownCpuMs(), ownBefore)];
  return {
    perSecond: (answered / ms) * 1_000,
    errors: answered === 0 ? errors + 1 : errors,
    cpuMicros: used === null ? null : (used * 1_000) / answered,
    serverBusy: used === null ? null : used / ms,
    generatorBusy: ownUsed === null ? null : ownUsed / ms,
  };
}

function since(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : now - before;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
