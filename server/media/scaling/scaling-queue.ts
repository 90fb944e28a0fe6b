import { WorkQueue } from '../../cache/work-queue.ts';
import { type Scaler, ScalerEndedError } from './scaler.ts';
import type { ScaleWork } from './scaling-messages.ts';

export interface PictureScaler {
  /** @throws SiteBusyError; the signal's reason; any error of the scaler except ScalerEndedError. */
  scale(order: ScaleWork, options: { isAlone: boolean; signal: AbortSignal }): Promise<Uint8Array>;
  readonly work: WorkQueue['work'];
}

/** Limit for small pictures scaled at a time. Any other picture is scaled alone. */
const CONCURRENCY = 2;
const MAX_WAITING = 100;

/** @param timed runs and times a piece of work, for the metrics. */
export function createPictureScaler(
  scaler: Pick<Scaler, 'scale'>,
  timed: <T>(work: () => Promise<T>) => Promise<T> = work => work(),
): PictureScaler {
  const queue = new WorkQueue({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING });
  return {
    async scale(order, { isAlone, signal }) {
      const scale = () => timed(() => scaler.scale(order));
      try {
        return await queue.run(scale, signal, { isAlone });
      } catch (error) {
        // Scale the picture alone, because another picture may have ended the process.
        if (error instanceof ScalerEndedError) return queue.run(scale, signal, { isAlone: true });
        throw error;
      }
    },
    get work() {
      return queue.work;
    },
  };
}
