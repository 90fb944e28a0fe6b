import { createWorkQueue } from '../cache/work-queue.ts';
import { type Scaler, ScalerEndedError } from './scaler.ts';
import type { ScaleWork } from './scaling-messages.ts';

/** A queue of work of which some wants to be alone. */
export interface ScalingQueue {
  /**
   * Runs the work in its turn, in the order of the calls.
   *
   * @param options.isAlone whether nothing else may run beside the work.
   * @param options.signal its abort ends the wait for a turn. Running work runs on, because native code cannot be interrupted.
   * @throws QueueFullError; the signal's reason; an error of the work.
   */
  run<T>(work: () => Promise<T>, options: { isAlone: boolean; signal: AbortSignal }): Promise<T>;
  readonly work: { running: number; waiting: number };
}

/**
 * @param concurrency pieces of work that run at a time, unless one wants to be alone.
 * @param maxWaiting pieces of work that may wait.
 */
export function createScalingQueue(concurrency: number, maxWaiting: number): ScalingQueue {
  /** The first in the line waits until it may begin. Work that is alone stays in the line until it ends. */
  const line = createWorkQueue({ concurrency: 1, maxWaiting: maxWaiting - 1 });
  const running = new Set<Promise<unknown>>();
  let isFirstWaiting = false;

  async function mayBegin(isAlone: boolean): Promise<void> {
    isFirstWaiting = true;
    const most = isAlone ? 1 : concurrency;
    while (running.size >= most) await Promise.race(running);
    isFirstWaiting = false;
  }

  return {
    async run(work, { isAlone, signal }) {
      // The work is returned in a box: an async function would wait for the work itself.
      const { end } = await line.run(async () => {
        await mayBegin(isAlone);
        signal.throwIfAborted();
        const end = work();
        const settled = end
          .catch(() => {})
          .then(() => {
            running.delete(settled);
          });
        running.add(settled);
        if (isAlone) await settled;
        return { end };
      }, signal);
      return end;
    },
    get work() {
      return { running: running.size, waiting: line.work.waiting + Number(isFirstWaiting) };
    },
  };
}

/** The turns of all work for the scaling process. */
export interface ScalingTurns {
  /**
   * Has the scaling process do a piece of work in its turn.
   *
   * @param options.isAlone whether nothing else may run beside the work.
   * @throws QueueFullError; the signal's reason; an error of the scaler, but no ScalerEndedError.
   */
  scale(order: ScaleWork, options: { isAlone: boolean; signal: AbortSignal }): Promise<Uint8Array>;
  readonly work: ScalingQueue['work'];
}

/** Small pictures scaled at a time. Any other picture is scaled alone. */
const CONCURRENCY = 2;
/** Most pictures that may wait to be scaled. */
const MAX_WAITING = 100;

/** @param timed runs a piece of work, so that metrics can time it. */
export function createScalingTurns(
  scaler: Pick<Scaler, 'scale'>,
  timed: <T>(work: () => Promise<T>) => Promise<T> = work => work(),
): ScalingTurns {
  const queue = createScalingQueue(CONCURRENCY, MAX_WAITING);
  return {
    async scale(order, { isAlone, signal }) {
      const scale = () => timed(() => scaler.scale(order));
      try {
        return await queue.run(scale, { isAlone, signal });
      } catch (error) {
        // Another picture may have ended the process. Alone this one shows whether it is to blame.
        if (error instanceof ScalerEndedError) return queue.run(scale, { isAlone: true, signal });
        throw error;
      }
    },
    get work() {
      return queue.work;
    },
  };
}
