import { createWorkQueue, QueueFullError, type WorkQueueOptions } from '../../cache/work-queue.ts';
import { SiteBusyError } from '../../errors.ts';

/** The queue of pages that are not stored. Stored pages bypass it. */
export interface RenderQueue {
  /**
   * Runs work in the order of the calls.
   *
   * @throws SiteBusyError if no place is free in time, or while the event loop is late; the signal's reason.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly work: { running: number; waiting: number };
}

/** @param isLate whether the event loop is too late for more work. */
export function createRenderQueue(queue: WorkQueueOptions, isLate: () => boolean): RenderQueue {
  const places = createWorkQueue(queue);
  return {
    async run(work, signal) {
      if (isLate()) throw new SiteBusyError();
      try {
        return await places.run(work, signal);
      } catch (error) {
        throw error instanceof QueueFullError ? new SiteBusyError() : error;
      }
    },
    get work() {
      return places.work;
    },
  };
}
