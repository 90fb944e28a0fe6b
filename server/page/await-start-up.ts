import type { PageStep } from './page-job.ts';

/** Until the content needed at start-up has been loaded once, a page waits for it, or shows the error that it met. */
export const awaitStartUp: PageStep = async ({ startUp }) => {
  if (!startUp.ready) await startUp.whenReady();
  return undefined;
};
