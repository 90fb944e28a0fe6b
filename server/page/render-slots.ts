import { HttpError } from '../../shared/payload/http-error.ts';

/** Too much is under way for one page more. */
export class SiteBusyError extends HttpError {
  constructor() {
    super('The site is very busy right now. Please try again in a moment.', 503);
    this.name = 'SiteBusyError';
  }
}

export interface RenderSlots {
  /**
   * Does the work on a page, from its content to its last byte.
   *
   * @throws SiteBusyError at once when all slots are taken: a queue would only keep everybody waiting longer.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** @returns slots for pages in the making. Who asks for a stored page needs none. */
export function createRenderSlots(max: number): RenderSlots {
  let taken = 0;
  return {
    async run(work) {
      if (taken >= max) throw new SiteBusyError();
      taken += 1;
      try {
        return await work();
      } finally {
        taken -= 1;
      }
    },
  };
}
