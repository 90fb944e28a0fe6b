import type { Config } from '../config/config.ts';
import { eventLoopDelayMs } from '../ops/process/process-facts.ts';
import { createRenderQueue, type RenderQueue } from '../page/produce/render-queue.ts';

/** Besides `maxRenders`. Further form posts are answered by a bare document. */
const FORM_RENDERS = 4;
/** Stored pages that are generated again at a time, besides `maxRenders`, as a share of it. */
const REVALIDATION_SHARE = 1 / 4;
/** ms. */
const MAX_RENDER_WAIT_MS = 5_000;
/** While the event loop is later than this, in ms, no page is begun that is not stored. */
const MAX_LOOP_DELAY_MS = 200;

/** No queue holds up another one. */
export interface Queues {
  readonly renderQueue: RenderQueue;
  readonly revalidationQueue: RenderQueue;
  readonly formQueue: RenderQueue;
  readonly isLate: () => boolean;
}

interface QueueLimits {
  /** ms. */
  readonly maxRenderWaitMs?: number;
  /** ms. */
  readonly maxLoopDelayMs?: number;
}

export function createQueues({ maxRenders }: Pick<Config, 'maxRenders'>, overrides: QueueLimits): Queues {
  const { maxRenderWaitMs: maxWaitMs = MAX_RENDER_WAIT_MS, maxLoopDelayMs = MAX_LOOP_DELAY_MS } = overrides;
  const isLate = () => eventLoopDelayMs() > maxLoopDelayMs;
  const queueOf = (concurrency: number) => createRenderQueue({ concurrency, maxWaitMs }, isLate);
  return {
    renderQueue: queueOf(maxRenders),
    revalidationQueue: queueOf(Math.ceil(maxRenders * REVALIDATION_SHARE)),
    formQueue: createRenderQueue({ concurrency: FORM_RENDERS, maxWaiting: 0 }, isLate),
    isLate,
  };
}
