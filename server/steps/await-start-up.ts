import type { RequestHandler } from 'express';
import type { Site } from '../site.ts';

/** Until the content needed at start-up has been loaded once, a page waits for it, or shows the error that it met. */
export function awaitStartUp({ startUp }: Site): RequestHandler {
  return async (_req, _res, next) => {
    if (!startUp.ready) await startUp.whenReady();
    next();
  };
}
