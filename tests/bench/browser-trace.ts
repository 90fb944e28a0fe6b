import type { CDPSession } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Start, duration and CPU time in microseconds. */
  ts: number;
  dur?: number;
  tdur?: number;
}

const SCRIPT = new Set([
  'EvaluateScript',
  'v8.evaluateModule',
  'v8.compile',
  'v8.compileModule',
  'FunctionCall',
]);
const TASK = 'ThreadControllerImpl::RunTask';
/**
 * Limit in microseconds. Each task counts as blocking for its time above it, as Total Blocking Time defines.
 */
const BLOCKS_AFTER = 50_000;

/** Times of the main thread, in ms. */
export interface MainThread {
  /** CPU time of scripts: compiling, evaluating, running. */
  scripts: number;
  /** Time beyond 50 ms of each task after the first contentful paint. */
  blocking: number;
}

/** Traces a page while `work` runs. */
export async function traceMainThread(
  session: CDPSession,
  work: () => Promise<unknown>,
): Promise<MainThread> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) events.push(event as unknown as TraceEvent);
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'blink.user_timing', 'loading'] },
  });
  await work();
  const complete = new Promise(resolve => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;

  const paint = events.find(({ name }) => name === 'firstContentfulPaint');
  if (!paint) throw new Error('The page has painted nothing');
  const main = events.filter(({ ph, pid, tid }) => ph === 'X' && pid === paint.pid && tid === paint.tid);
  const tasks = main.filter(({ name, ts }) => name === TASK && ts >= paint.ts);
  if (tasks.length === 0) throw new Error(`The trace has no ${TASK}`);
  const scripts = outermost(main.filter(({ name }) => SCRIPT.has(name)));
  return {
    scripts: scripts.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000,
    blocking: outermost(tasks).reduce((sum, { dur = 0 }) => sum + Math.max(0, dur - BLOCKS_AFTER), 0) / 1_000,
  };
}

/** @returns the events that no other event contains. */
function outermost(events: readonly TraceEvent[]): TraceEvent[] {
  let end = 0;
  return [...events]
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
    .filter(({ ts, dur = 0 }) => {
      if (ts < end) return false;
      end = ts + dur;
      return true;
    });
}
