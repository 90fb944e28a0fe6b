import { HttpError } from '../../shared/payload/http-error.ts';
import type { Site } from '../site.ts';
import { awaitStartUp } from './await-start-up.ts';
import { canonicalAddress } from './canonical-address.ts';
import { loadPage } from './load-page.ts';
import { matchPage } from './match-page.ts';
import { nearestPages } from './nearest-pages.ts';
import type { PageJob, PageOutcome, PageStep } from './page-job.ts';
import { redirect } from './redirect.ts';
import { routeMiddleware } from './route-middleware.ts';

/** The way of a page, in this order, for visitors and for renewals alike: the first that has an outcome decides. */
const steps: readonly PageStep[] = [redirect, canonicalAddress, matchPage, routeMiddleware, loadPage];

/**
 * @returns what an address leads to.
 * @throws HttpError, BackendError, or what a loader or middleware throws.
 */
export async function resolvePage(site: Site, job: PageJob): Promise<PageOutcome> {
  await awaitStartUp(site, job);
  const early = job.reader.isAddressCached ? null : loadEarly(site, job);
  try {
    for (const step of steps) {
      const outcome = await (step === loadPage && early ? early : step(site, job));
      if (outcome) return outcome;
    }
  } catch (error) {
    if (error instanceof HttpError && error.statusCode === 404)
      error.suggestions = nearestPages(job.reader, job.request.path);
    throw error;
  }
  throw new Error('No step of the page has an outcome');
}

/**
 * Where redirects or categories have to be loaded before anything can be said of an address, the page is loaded beside
 * them, as if it were what it looks like: its visitor waits for the backend once, not twice. Whatever comes of it counts
 * only if the steps before come to it.
 */
function loadEarly(site: Site, job: PageJob): ReturnType<PageStep> | null {
  const ahead: PageJob = { ...job, request: { ...job.request } };
  try {
    if (canonicalAddress(site, ahead)) return null;
    matchPage(site, ahead);
  } catch {
    // The steps will say so in their turn.
    return null;
  }
  const loaded = Promise.resolve(loadPage(site, ahead));
  // With an outcome before it nobody waits for it.
  loaded.catch(() => {});
  return loaded;
}
