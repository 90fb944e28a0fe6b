import { eventLoopDelayMs } from './event-loop.ts';

/** The start of the process, in ISO 8601. */
export const STARTED_AT = new Date(performance.timeOrigin).toISOString();

/** @returns how this process is doing. */
export function processFacts() {
  return {
    pid: process.pid,
    startedAt: STARTED_AT,
    rssBytes: process.memoryUsage.rss(),
    eventLoopDelayMs: Math.round(eventLoopDelayMs()),
  };
}
