import { HttpError } from '../../../shared/payload/http-error.ts';
import { canonicalForm } from '../../../shared/routing/canonical-form.ts';
import { matchRoute } from '../../../shared/routing/match-route.ts';
import { pageAddress, splitPageNumber } from '../../../shared/routing/page-numbers.ts';
import { isGone, type RedirectTable, resolveRedirect, usedRows } from '../../../shared/routing/redirects.ts';
import type { RouteMiddlewareRegistry } from '../../../shared/routing/route-middleware.ts';
import type { RouteDefinition } from '../../../shared/routing/routes.ts';
import { siteTypes } from '../../../site/types.ts';
import { leadsBack } from '../../addresses/redirect-table.ts';
import type { PageMatch } from '../page-request.ts';
import { type LoadParts, loadPage, movedPath } from './load-page.ts';
import type { LoadRedirects } from './redirect-table.ts';
import type { PageJob, ResolvedPage } from './resolved-page.ts';
import { runRouteMiddleware } from './route-middleware.ts';

export interface ResolveParts extends LoadParts {
  readonly startUp: { readonly ready: boolean; whenReady(): Promise<void> };
  readonly routes: readonly RouteDefinition[];
  readonly middleware: RouteMiddlewareRegistry;
  readonly loadRedirects: LoadRedirects;
}

/**
 * Resolves an address for visitors and revalidations. The first applicable rule decides.
 * @throws HttpError with a status other than 404, BackendError, and other errors of loaders or middleware.
 */
export async function resolvePage(parts: ResolveParts, job: PageJob): Promise<ResolvedPage> {
  const { request, match, reader } = job;
  const { path, search } = request;
  if (!parts.startUp.ready) await parts.startUp.whenReady();

  const canonical = canonicalAddress(parts.routes, path);
  const invalid = match && validationError(match, path);
  // Load the page together with redirects and categories that are not cached: the visitor waits only once.
  // Use the page only if no earlier rule decides.
  const loadsEarly = match && !invalid && canonical === null && !reader.isAddressCached;
  const early = loadsEarly ? loadPage(parts, job, match) : null;
  early?.catch(() => {});

  const redirects = await parts.loadRedirects(job);
  if (redirects && isGone(redirects, path))
    return { kind: 'not-found', error: HttpError.gone(path), match, partial: false };
  const redirect = redirects && resolveRedirect(redirects, path, search);
  if (redirect && !(await isRowOfPresentPage(parts, job, redirects)))
    return { kind: 'redirect', redirect, rows: usedRows(redirects, path) };

  if (canonical !== null)
    return { kind: 'redirect', redirect: { to: canonical + search, statusCode: 308, external: false } };
  // Redirect a numbered address of a static export to the list's page here. No route has such an address.
  const numbered = match === null ? splitPageNumber(path) : null;
  if (numbered !== null)
    return {
      kind: 'redirect',
      redirect: { to: livePage(numbered, request.query), statusCode: 308, external: false },
    };

  const partial = redirects === null;
  try {
    if (!match) throw HttpError.notFound(path);
    if (invalid) throw invalid;

    const refused = await runRouteMiddleware(parts.middleware, match, request, reader);
    if (refused) return { kind: 'redirect', redirect: refused };

    const loaded = await (early ?? loadPage(parts, job, match));
    return loaded.kind === 'redirect' ? loaded : { kind: 'page', page: loaded.page, match, partial };
  } catch (error) {
    if (!(error instanceof HttpError) || error.statusCode !== 404) throw error;
    const to = match && !invalid ? await movedPath(parts, reader, match) : null;
    if (to !== null)
      return { kind: 'redirect', redirect: { to: to + search, statusCode: 308, external: false } };
    return { kind: 'not-found', error, match, partial };
  }
}

/** Whether a redirect leads to a former address of the page at this path: a loop. Reports the redirect. */
async function isRowOfPresentPage(
  parts: ResolveParts,
  { request: { path }, reader }: PageJob,
  redirects: RedirectTable,
): Promise<boolean> {
  const { routes, problems } = parts;
  const former = await leadsBack(redirects, path, async target => {
    const match = matchRoute(routes, canonicalAddress(routes, target) ?? target);
    return match && (await movedPath(parts, reader, match));
  });
  const reason = `${path}: it leads to ${former}, the former address of the entry that has ${path} now, so the row is left out. Delete the row, or the last part of ${former} in 'Former addresses' of the entry`;
  const type = siteTypes.redirect.path;
  const problem = { kind: 'redirect-left-out', type, id: null, field: 'from' } as const;
  problems.replace(`redirect of ${path}`, former === null ? [] : [{ ...problem, reason, updatedAt: null }]);
  return former !== null;
}

function livePage({ list, page }: { list: string; page: number }, query: URLSearchParams): string {
  const others = new URLSearchParams(query);
  others.delete('page');
  const address = pageAddress(list, page);
  const separator = address.includes('?') ? '&' : '?';
  return others.size === 0 ? address : `${address}${separator}${others}`;
}

/** Returns null for a canonical path, or if no route matches the canonical form. */
function canonicalAddress(routes: readonly RouteDefinition[], path: string): string | null {
  const segments = path.split('/').filter(segment => segment !== '');
  const canonical = `/${segments.map(canonicalSegment).join('/')}`;
  return canonical === path || !matchRoute(routes, canonical) ? null : canonical;
}

function canonicalSegment(segment: string): string {
  return encodeURIComponent(canonicalForm(decodeURIComponent(segment)));
}

function validationError({ route, params }: PageMatch, path: string): Error | null {
  try {
    const valid = route.validate?.(params) ?? true;
    if (valid === true) return null;
    const { statusCode = 404, statusMessage, message } = valid || {};
    return new HttpError(message ?? HttpError.notFound(path).message, statusCode, statusMessage);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
