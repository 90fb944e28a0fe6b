import { HttpError } from '../../shared/payload/http-error.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { isGone, type RedirectTable, resolveRedirect } from '../../shared/routing/redirects.ts';
import { leadsBack } from '../content/redirects/leads-back.ts';
import type { Site } from '../site.ts';
import { canonicalAddress } from './canonical-address.ts';
import { loadPage, movedPath } from './load-page.ts';
import type { PageJob, ResolvedPage } from './resolved-page.ts';
import { runRouteMiddleware } from './route-middleware.ts';
import { validationError } from './validate-match.ts';

/** The parts of the site with which an address is resolved. */
export type ResolvingSite = Pick<
  Site,
  | 'startUp'
  | 'routes'
  | 'middleware'
  | 'manifest'
  | 'languageOf'
  | 'config'
  | 'loadRedirects'
  | 'problems'
  | 'search'
>;

/**
 * Resolves an address, for visitors and revalidations alike. The first step that applies decides: a redirect of the content,
 * the canonical address, the route and its validation, the route's middleware, the loader, the former addresses of entries.
 *
 * @throws HttpError of another status than 404, BackendError, and every other error of a loader or middleware.
 */
export async function resolvePage(site: ResolvingSite, job: PageJob): Promise<ResolvedPage> {
  const { request, match, reader } = job;
  const { path, search } = request;
  if (!site.startUp.ready) await site.startUp.whenReady();

  const canonical = canonicalAddress(site.routes, path);
  const invalid = match && validationError(match, path);
  // Redirects and categories decide what an address leads to. When they are not cached, the page is loaded in parallel with them, so
  // that a visitor waits for the backend once and not twice. The loaded page is used only if no earlier step decides.
  const loadsEarly = match && !invalid && canonical === null && !reader.isAddressCached;
  const early = loadsEarly ? loadPage(site, job, match) : null;
  early?.catch(() => {});

  const redirects = await site.loadRedirects(job);
  if (redirects && isGone(redirects, path))
    return { kind: 'not-found', error: HttpError.gone(path), match, partial: false };
  const redirect = redirects && resolveRedirect(redirects, path, search);
  if (redirect && !(await isRowOfPresentPage(site, job, redirects))) return { kind: 'redirect', redirect };

  if (canonical !== null)
    return { kind: 'redirect', redirect: { to: canonical + search, statusCode: 308, external: false } };

  const partial = redirects === null;
  try {
    if (!match) throw HttpError.notFound(path);
    if (invalid) throw invalid;

    const refused = await runRouteMiddleware(site.middleware, match, request, reader);
    if (refused) return { kind: 'redirect', redirect: refused };

    const loaded = await (early ?? loadPage(site, job, match));
    return loaded.kind === 'redirect' ? loaded : { kind: 'page', page: loaded.page, match, partial };
  } catch (error) {
    if (!(error instanceof HttpError) || error.statusCode !== 404) throw error;
    const to = match && !invalid ? await movedPath(reader, match) : null;
    if (to !== null)
      return { kind: 'redirect', redirect: { to: to + search, statusCode: 308, external: false } };
    return { kind: 'not-found', error, match, partial };
  }
}

/** @returns whether a redirect leads back to its own path, which is the present address of an entry. The row is reported, and the page shown. */
async function isRowOfPresentPage(
  { routes, problems }: ResolvingSite,
  { request: { path }, reader }: PageJob,
  redirects: RedirectTable,
): Promise<boolean> {
  const former = await leadsBack(redirects, path, async target => {
    const match = matchRoute(routes, canonicalAddress(routes, target) ?? target);
    return match && (await movedPath(reader, match));
  });
  const reason = `${path}: it leads to ${former}, the former address of the entry that has ${path} now, so the row is left out. Delete the row, or the last part of ${former} in 'Former addresses' of the entry`;
  const problem = { kind: 'redirect-left-out', type: 'redirects', id: null, field: 'from' } as const;
  problems.replace(`redirect of ${path}`, former === null ? [] : [{ ...problem, reason, updatedAt: null }]);
  return former !== null;
}
