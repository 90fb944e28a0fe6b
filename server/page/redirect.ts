import { type RedirectTable, resolveRedirect } from '../../shared/routing/redirects.ts';
import type { Site } from '../site.ts';
import { type PageJob, type PageStep, redirectTo } from './page-job.ts';

/** A lookup that failed is not tried again for this long, in ms: pages must not wait for it one after the other. */
const RETRY_AFTER_MS = 1_000;

const failedAt = new WeakMap<Site, number>();

/** The redirect lookup, for every path and before any page is matched. */
export const redirect: PageStep = async (site, job) => {
  const { path, search } = job.request;
  const table = await tableFor(site, job);
  const target = table && resolveRedirect(table, path, search);
  return target ? redirectTo(target) : undefined;
};

/** Redirects that cannot be had must not take the pages down with them; but a page made without them is not stored. */
async function tableFor(site: Site, job: PageJob): Promise<RedirectTable | null> {
  if (Date.now() - (failedAt.get(site) ?? 0) >= RETRY_AFTER_MS) {
    try {
      return await job.reader.redirects();
    } catch (error) {
      if (job.signal.aborted) throw error;
      failedAt.set(site, Date.now());
      job.log.warn({ err: error }, 'redirects could not be loaded');
    }
  }
  job.isMakeshift = true;
  return null;
}
