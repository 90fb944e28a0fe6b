import { resolveRedirect } from '../../shared/redirects.ts';
import { type PageStep, redirectTo } from './page-job.ts';

/** The redirect lookup, for every path and before any page is matched. */
export const redirect: PageStep = async (_site, job) => {
  const { request, reader, log, signal } = job;
  const table = await reader.redirects().catch((error: unknown) => {
    if (signal.aborted) throw error;
    // Redirects that cannot be had must not take the pages down with them.
    log.warn({ err: error }, 'redirects could not be loaded');
    job.isMakeshift = true;
    return null;
  });
  const target = table && resolveRedirect(table, request.path, request.search);
  return target ? redirectTo(target) : undefined;
};
