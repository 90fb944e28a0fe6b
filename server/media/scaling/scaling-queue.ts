import { createWorkQueue } from '../../cache/work-queue.ts';
import { type Scaler, ScalerEndedError } from './scaler.ts';
import type { ScaleWork } from './scaling-messages.ts';

export interface ScalingQueue {
  /**
   * Runs work in the order of the calls.
   * @param options.signal ends the wait. Running work continues, because native code cannot be interrupted.
   * @throws QueueFullError; the signal's reason; an error of the work.
   */
  run<T>(work: () => Promise<T>, options: { isAlone: boolean; signal: AbortSignal }): Promise<T>;
  readonly work: { running: number; waiting: number };
}

/** @param concurrency the most work at a time. Work with `isAlone` runs without other work. */
export function createScalingQueue(concurrency: number, maxWaiting: number): ScalingQueue {
  /** Runs one item at a time: an item waits there for its start, and also for its end if `isAlone`. */
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
      // Return an object, because an async function would wait for a returned promise.
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

export interface PictureScaler {
  /** @throws QueueFullError; the signal's reason; any error of the scaler except ScalerEndedError. */
  scale(order: ScaleWork, options: { isAlone: boolean; signal: AbortSignal }): Promise<Uint8Array>;
  readonly work: ScalingQueue['work'];
}

/** The most small pictures scaled at a time. Any other picture is scaled alone. */
const CONCURRENCY = 2;
const MAX_WAITING = 100;

/** @param timed runs and times a piece of work, for the metrics. */
export function createPictureScaler(
  scaler: Pick<Scaler, 'scale'>,
  timed: <T>(work: () => Promise<T>) => Promise<T> = work => work(),
): PictureScaler {
  const queue = createScalingQueue(CONCURRENCY, MAX_WAITING);
  return {
    async scale(order, { isAlone, signal }) {
      const scale = () => timed(() => scaler.scale(order));
      try {
        return await queue.run(scale, { isAlone, signal });
      } catch (error) {
        // Scale the picture alone, because another picture may have ended the process.
        if (error instanceof ScalerEndedError) return queue.run(scale, { isAlone: true, signal });
        throw error;
      }
    },
    get work() {
      return queue.work;
    },
  };
}
