import type { RedirectTable } from '../../../shared/routing/redirects.ts';
import { isLoggedOnce } from '../../errors.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import type { PageJob } from './resolved-page.ts';

/** The pause after a failure, in ms. Without it, every page would wait for another attempt. */
const RETRY_AFTER_MS = 1_000;

/** Resolves with null when the redirects cannot be loaded. Rejects with the signal's reason. */
export type LoadRedirects = (
  job: Pick<PageJob, 'reader' | 'log' | 'signal'>,
) => Promise<RedirectTable | null>;

export function createRedirectLoader(): LoadRedirects {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async ({ reader, log, signal }) => {
    if (steadyNow() - failedAt < RETRY_AFTER_MS) return null;
    try {
      return await reader.redirects();
    } catch (error) {
      if (signal.aborted) throw error;
      failedAt = steadyNow();
      log[isLoggedOnce(error) ? 'debug' : 'warn'](
        { code: 'page-redirects-failed', err: error },
        'redirects could not be loaded',
      );
      return null;
    }
  };
}
