import type { Settings } from '../../shared/content/settings.ts';
import type { PageError, PagePayload } from '../../shared/payload/payload.ts';
import type { RouteId, RouteParams } from '../../shared/routing/routes.ts';
import { SITE_NAME } from '../../shared/site-constants.ts';
import type { ContentReader } from '../content/content-reader.ts';
import { errorHead, pageHead } from '../loaders/head.ts';
import type { Loader } from '../loaders/loader.ts';
import { routeContent } from '../loaders/loaders.ts';
import { loadShell, shellAtHand } from '../loaders/shell.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import type { Site } from '../site.ts';
import { matchOf, type PageMatch, type PageStep, redirectTo } from './page-job.ts';

/** Loads the page and its shell side by side. Rejects like the route's loader. */
export const loadPage: PageStep = async ({ manifest }, job) => {
  const { reader, origin, request } = job;
  const { route, params } = matchOf(job);
  const [result, shell, settings] = await Promise.all([
    loaderOf(route.id)({
      reader,
      params,
      query: request.query,
      path: request.path,
      origin,
      worldMap: manifest.worldMap,
    }),
    loadShell(reader, route.layout),
    reader.settings(),
  ]);
  if (result.kind === 'redirect') {
    return redirectTo({ to: result.to + request.search, statusCode: result.statusCode, external: false });
  }
  const payload: PagePayload = {
    buildId: manifest.id,
    route: route.id,
    params,
    data: { shell, page: result.data },
    head: pageHead(result.head, shell.siteName, request.path),
  };
  return { kind: 'page', page: { payload, jsonLd: result.jsonLd, settings, about: result.about ?? null } };
};

/** @returns the page of an error: inside the default layout when the shell's content is at hand, bare when it is not. */
export function errorPage(
  { manifest }: Site,
  reader: ContentReader,
  error: PageError,
  match: PageMatch | null,
): LoadedPage {
  const shell = shellAtHand(reader);
  return {
    payload: {
      buildId: manifest.id,
      route: match?.route.id ?? null,
      params: match?.params ?? {},
      data: { shell, page: null },
      head: errorHead(error, shell?.siteName ?? SITE_NAME),
      error,
    },
    jsonLd: [],
    settings: reader.peek<Settings>('settings') ?? null,
    about: null,
  };
}

/** The params of a match are those of its route's path: the matcher made them from it. */
function loaderOf(id: RouteId) {
  return routeContent[id].load as unknown as (
    context: Omit<Parameters<Loader<RouteId>>[0], 'params'> & { params: RouteParams },
  ) => ReturnType<Loader<RouteId>>;
}
