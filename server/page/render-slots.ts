import { SiteBusyError } from '../errors.ts';

export interface RenderSlots {
  /**
   * Runs the work on a page in a slot.
   *
   * @throws SiteBusyError at once when all slots are used: a queue would only make all visitors wait longer.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** @returns slots that limit how many pages are in flight. A stored page is answered without a slot. */
export function createRenderSlots(max: number): RenderSlots {
  let used = 0;
  return {
    async run(work) {
      if (used >= max) throw new SiteBusyError();
      used += 1;
      try {
        return await work();
      } finally {
        used -= 1;
      }
    },
  };
}
