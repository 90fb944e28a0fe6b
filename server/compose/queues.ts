import { WorkQueue } from '../cache/work-queue.ts';
import type { Config } from '../config/config.ts';
import { eventLoopDelayMs } from '../ops/process/process-facts.ts';
import type { SiteOverrides } from './options.ts';

/** Limit for forms' pages rendered at a time, on top of `maxRenders`. Above it, a bare document is sent. */
const FORM_RENDERS = 4;
/** Limit for revalidations at a time, as a share of `maxRenders` and in addition to it. */
const REVALIDATION_SHARE = 1 / 4;
const MAX_RENDER_WAIT_MS = 5_000;
/** Above this delay of the event loop, in ms, only stored pages are served. */
const MAX_LOOP_DELAY_MS = 200;

export type Queues = ReturnType<typeof createQueues>;

export function createQueues({ maxRenders }: Pick<Config, 'maxRenders'>, overrides: SiteOverrides) {
  const { maxRenderWaitMs: maxWaitMs = MAX_RENDER_WAIT_MS, maxLoopDelayMs = MAX_LOOP_DELAY_MS } = overrides;
  const isLate = () => eventLoopDelayMs() > maxLoopDelayMs;
  const queueOf = (concurrency: number) => new WorkQueue({ concurrency, maxWaitMs, isRefusing: isLate });
  return {
    renderQueue: queueOf(maxRenders),
    revalidationQueue: queueOf(Math.ceil(maxRenders * REVALIDATION_SHARE)),
    formQueue: new WorkQueue({ concurrency: FORM_RENDERS, maxWaiting: 0, isRefusing: isLate }),
    isLate,
  };
}
