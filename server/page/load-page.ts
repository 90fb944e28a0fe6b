import type { Settings } from '../../shared/content/settings.ts';
import type { PageError, PagePayload, PayloadRedirect } from '../../shared/payload/payload.ts';
import type { RouteId, RouteParams } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import type { ContentProblem } from '../content/decode/decode-context.ts';
import { namedTypes } from '../content/described-types.ts';
import type { SiteLanguage } from '../content/site-language.ts';
import { toPageError } from '../errors.ts';
import { documentBytes, fitData, PAGE_ROOM } from '../loaders/fit-data.ts';
import { errorHead, pageHead } from '../loaders/head.ts';
import type { Loader, LoaderHead, RouteContent } from '../loaders/loader.ts';
import { routeContent } from '../loaders/loaders.ts';
import { sharePicture } from '../loaders/share-picture.ts';
import { cachedShell, loadShell, siteNameOf } from '../loaders/shell.ts';
import type { LoadedPage } from '../render/loaded-page.ts';
import type { Site } from '../site.ts';
import type { PageMatch } from './page-request.ts';
import type { NotFound, PageJob } from './resolved-page.ts';

type PageSite = Pick<Site, 'manifest' | 'languageOf' | 'config' | 'search' | 'problems'>;

/** The parts of the site with which the page of a 404 is made. */
export type NotFoundSite = Omit<PageSite, 'search' | 'problems'> & Pick<Site, 'nearestPages'>;

type Loaded = { kind: 'loaded'; page: LoadedPage } | { kind: 'redirect'; redirect: PayloadRedirect };

/** Loads the page and its shell in parallel. Rejects with the error of the route's loader or of the shell. */
export async function loadPage(
  { manifest, languageOf, config, search, problems }: PageSite,
  { reader, origin, request }: Pick<PageJob, 'reader' | 'origin' | 'request'>,
  { route, params }: PageMatch,
): Promise<Loaded> {
  // One read for all parts of the page: they might show two versions otherwise.
  const readSettings = reader.settings();
  const pictureOf = async (head: LoaderHead) => {
    const own = await readSettings;
    return sharePicture(head, request.path, {
      siteName: siteNameOf(own, origin),
      ownDefault: own.shareImage,
      design: manifest.cardDesign,
    });
  };
  const [result, { shell: wholeShell, version }, settings] = await Promise.all([
    loaderOf(route.id)({
      reader,
      params,
      query: request.query,
      path: request.path,
      origin,
      worldMap: manifest.worldMap,
      search,
      labels: async () => languageOf(await readSettings).labels,
      pictureOf,
    }),
    loadShell(reader, route.layout, origin, config.subscribeSecret !== null),
    readSettings,
  ]);
  if (result.kind === 'redirect') {
    const { to, statusCode } = result;
    return { kind: 'redirect', redirect: { to: to + request.search, statusCode, external: false } };
  }
  const share = await pictureOf(result.head);
  const { head, about = null } = result;
  // The head repeats title and description: as elements, for links that are shared, and in JSON-LD.
  const room = PAGE_ROOM - 4 * documentBytes(`${head.title}${head.description}`);
  const whole = { page: result.data, jsonLd: result.jsonLd, shell: wholeShell };
  const { data, cutAt } = fitData(whole, room);
  problems.replace(`size of ${request.path}`, cutAt === null ? [] : [tooLarge(cutAt, about, route.id)]);
  const payload: PagePayload = {
    buildId: manifest.id,
    route: route.id,
    params,
    data: { shell: data.shell, page: data.page },
    head: pageHead(head, data.shell.siteName, request.path, origin),
  };
  const language = languageOf(settings);
  const settingsVersion = reader.versionOf(['settings'], 'read');
  // JSON-LD may describe what is left out. A shell that is cut is one of this page alone.
  const jsonLd = cutAt === null ? data.jsonLd : [];
  const shellVersion = data.shell === wholeShell ? version : `${version} ${request.path}`;
  return {
    kind: 'loaded',
    page: { payload, jsonLd, shellVersion, language, settings, settingsVersion, share, about },
  };
}

/** @returns the problem of a page that is cut. It names the entry that the page is about, or the type of the route's content. */
function tooLarge(cutAt: string, about: string | null, route: RouteId): ContentProblem {
  const [, described] = namedTypes.find(([, named]) => named.route === route) ?? [];
  const entry = cutAt.startsWith('shell.') ? 'settings' : (about ?? described?.path ?? route);
  const [type = '', id = null] = entry.split(':');
  const field = cutAt.replace(/^page\.(?:(?:article|author|category|entry|page|tag)\.)?/, '');
  const reason = 'the page would have more than 2 MB: what follows here is left out, and its structured data';
  return { kind: 'value-left-out', type, id, field, updatedAt: null, reason };
}

/** @returns the path of the entry that had the address of a route's page before; null without one. */
export async function movedPath(reader: ContentReader, { route, params }: PageMatch): Promise<string | null> {
  // The cast is safe as that of `loaderOf`.
  const moved = routeContent[route.id].moved as RouteContent<RouteId>['moved'];
  return (await moved?.(reader, params as never)) ?? null;
}

/** @returns the language of the cached settings of any age, without asking the backend. */
export function languageOfCached(
  { languageOf }: Pick<Site, 'languageOf'>,
  reader: ContentReader,
): SiteLanguage {
  return languageOf(reader.peek<Settings>('settings') ?? null);
}

/** @returns the page of an error. Its shell comes from cached content alone; without cached settings header and footer have no links. */
export function errorPage(
  { manifest, languageOf, config }: Omit<PageSite, 'search' | 'problems'>,
  { reader, origin }: Pick<PageJob, 'reader' | 'origin'>,
  error: PageError,
  match: PageMatch | null,
): LoadedPage {
  const cached = cachedShell(reader, origin, config.subscribeSecret !== null);
  const shell = cached?.shell ?? null;
  const settings = reader.peek<Settings>('settings') ?? null;
  const language = languageOf(settings);
  return {
    payload: {
      buildId: manifest.id,
      route: match?.route.id ?? null,
      params: match?.params ?? {},
      data: { shell, page: null },
      head: errorHead(error, siteNameOf(settings, origin), language.labels),
      error,
    },
    jsonLd: [],
    shellVersion: cached?.version ?? '',
    settingsVersion: reader.versionOf(['settings'], 'cached'),
    language,
    settings,
    share: null,
    about: null,
  };
}

/** @returns the page of a 404, with the nearest pages by name. */
export function notFoundPage(
  site: NotFoundSite,
  job: Pick<PageJob, 'reader' | 'origin' | 'request'>,
  { error, match }: NotFound,
): LoadedPage {
  const suggestions = site.nearestPages(job.reader, job.request.path);
  const { labels } = languageOfCached(site, job.reader);
  return errorPage(site, job, toPageError(error, '', labels, suggestions), match);
}

/** The cast is safe: the matcher made the parameters from the path of the same route. */
function loaderOf(id: RouteId) {
  return routeContent[id].load as unknown as (
    context: Omit<Parameters<Loader<RouteId>>[0], 'params'> & { params: RouteParams },
  ) => ReturnType<Loader<RouteId>>;
}
