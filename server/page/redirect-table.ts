import type { RedirectTable } from '../../shared/routing/redirects.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { isLoggedOnce } from '../errors.ts';
import type { Logger } from '../ops/log.ts';
import { steadyNow } from '../ops/steady-clock.ts';

/** After a failed load none is tried for this long, in ms: otherwise each page would wait for another failure. */
const RETRY_AFTER_MS = 1_000;

/**
 * @returns the redirects; null when they cannot be loaded: the page is then answered without them.
 * @throws the signal's reason when it is aborted.
 */
export type LoadRedirects = (job: {
  reader: ContentReader;
  log: Logger;
  signal: AbortSignal;
}) => Promise<RedirectTable | null>;

/** @returns a function that loads the redirects and remembers a failure. */
export function createRedirectLoader(): LoadRedirects {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async ({ reader, log, signal }) => {
    if (steadyNow() - failedAt < RETRY_AFTER_MS) return null;
    try {
      return await reader.redirects();
    } catch (error) {
      if (signal.aborted) throw error;
      failedAt = steadyNow();
      log[isLoggedOnce(error) ? 'debug' : 'warn']({ err: error }, 'redirects could not be loaded');
      return null;
    }
  };
}
