import { createWorkQueue, QueueFullError, type WorkQueueOptions } from '../cache/work-queue.ts';
import { SiteBusyError } from '../errors.ts';

/** The queue of pages that are not stored. Stored pages are answered without it. */
export interface RenderQueue {
  /**
   * Makes a page once a place is free, in the order of the calls.
   *
   * @param signal its abort gives up the wait.
   * @throws SiteBusyError when no place is free in time, or at once while the event loop is late; the signal's reason; an error of the work.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly work: { running: number; waiting: number };
}

/**
 * @param queue how many pages are in flight at a time, and how long others wait.
 * @param isLate whether the event loop is so late that no more work may be begun.
 */
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
