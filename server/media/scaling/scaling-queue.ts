import { WorkQueue } from '../../cache/work-queue.ts';
import { type Scaler, ScalerEndedError } from './scaler.ts';
import type { ScaleWork } from './scaling-messages.ts';

export type PictureScaler = ReturnType<typeof createPictureScaler>;

/** Limit for small pictures scaled at a time. Any other picture is scaled alone. */
const CONCURRENCY = 2;
const MAX_WAITING = 100;

/** @param timed runs and times a piece of work, for the metrics. */
export function createPictureScaler(
  scaler: Pick<Scaler, 'scale'>,
  timed: <T>(work: () => Promise<T>) => Promise<T> = work => work(),
) {
  const queue = new WorkQueue({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING });
  return {
    /** @throws SiteBusyError; the signal's reason; any error of the scaler except ScalerEndedError. */
    async scale(order: ScaleWork, { isAlone, signal }: { isAlone: boolean; signal: AbortSignal }) {
      const scale = () => timed(() => scaler.scale(order));
      try {
        return await queue.run(scale, signal, { isAlone });
      } catch (error) {
        // Retry the picture alone, because another picture may have ended the process.
        if (error instanceof ScalerEndedError) return queue.run(scale, signal, { isAlone: true });
        throw error;
      }
    },
    get work() {
      return queue.work;
    },
  };
}
