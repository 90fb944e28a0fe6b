import { PageFailure } from '../../shared/page-failure.ts';
import type { Site } from '../site.ts';
import { awaitStartUp } from './await-start-up.ts';
import { canonicalAddress } from './canonical-address.ts';
import { loadPage } from './load-page.ts';
import { matchPage } from './match-page.ts';
import { nearestPages } from './nearest-pages.ts';
import type { PageJob, PageOutcome, PageStep } from './page-job.ts';
import { redirect } from './redirect.ts';
import { routeMiddleware } from './route-middleware.ts';

/** The way of a page, in this order, for visitors and for renewals alike. */
const steps: readonly PageStep[] = [
  awaitStartUp,
  redirect,
  canonicalAddress,
  matchPage,
  routeMiddleware,
  loadPage,
];

/**
 * @returns what an address leads to.
 * @throws PageFailure, BackendError, or what a loader or middleware throws.
 */
export async function resolvePage(site: Site, job: PageJob): Promise<PageOutcome> {
  try {
    for (const step of steps) {
      const outcome = await step(site, job);
      if (outcome) return outcome;
    }
  } catch (error) {
    if (error instanceof PageFailure && error.statusCode === 404)
      error.suggestions = nearestPages(job.reader, job.request.path);
    throw error;
  }
  throw new Error('No step of the page has an outcome');
}
