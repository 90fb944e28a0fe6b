import type { Settings } from '../../shared/content/settings.ts';
import type { PageError, PagePayload } from '../../shared/payload.ts';
import type { RouteId, RouteParams } from '../../shared/routes.ts';
import { SITE_NAME } from '../../shared/site-constants.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { errorHead, pageHead } from '../loaders/head.ts';
import type { Loader } from '../loaders/loader.ts';
import { loaders } from '../loaders/loaders.ts';
import { loadShell, shellAtHand } from '../loaders/shell.ts';
import type { PageMatch } from '../request-scope.ts';

/** A page with all that it shows, and what only its document needs. */
export interface LoadedPage {
  kind: 'page';
  payload: PagePayload;
  jsonLd: readonly string[];
  settings: Settings | null;
}

export interface PageRedirect {
  kind: 'redirect';
  to: string;
  statusCode: number;
}

export interface PageLocation {
  match: PageMatch;
  path: string;
  query: URLSearchParams;
  origin: string;
  buildId: string;
}

/** Loads a page and its shell side by side. Rejects like the route's loader. */
export async function loadPage(
  reader: ContentReader,
  location: PageLocation,
): Promise<LoadedPage | PageRedirect> {
  const { match, path, query, origin, buildId } = location;
  const { route, params } = match;
  const [result, shell, settings] = await Promise.all([
    loaderOf(route.id)({ reader, params, query, path, origin }),
    loadShell(reader, route.layout),
    reader.settings(),
  ]);
  if (result.kind === 'redirect') return result;
  return {
    kind: 'page',
    payload: {
      buildId,
      route: route.id,
      params,
      data: { shell, page: result.data },
      head: pageHead(result.head, shell.siteName, path),
    },
    jsonLd: result.jsonLd,
    settings,
  };
}

/** @returns the page of an error: inside the default layout when the shell's content is at hand, bare when it is not. */
export function errorPage(
  reader: ContentReader,
  error: PageError,
  match: PageMatch | null,
  buildId: string,
): LoadedPage {
  const shell = shellAtHand(reader);
  return {
    kind: 'page',
    payload: {
      buildId,
      route: match?.route.id ?? null,
      params: match?.params ?? {},
      data: { shell, page: null },
      head: errorHead(error, shell?.siteName ?? SITE_NAME),
      error,
    },
    jsonLd: [],
    settings: reader.peek<Settings>('settings') ?? null,
  };
}

/** The params of a match are those of its route's path: the matcher made them from it. */
function loaderOf(id: RouteId) {
  return loaders[id] as unknown as (
    context: Omit<Parameters<Loader<RouteId>>[0], 'params'> & { params: RouteParams },
  ) => ReturnType<Loader<RouteId>>;
}
