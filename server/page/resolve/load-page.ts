import type { BuildManifest } from '../../../shared/payload/build-manifest.ts';
import type { PageError } from '../../../shared/payload/http-error.ts';
import type { PagePayload } from '../../../shared/payload/payload.ts';
import type { PayloadRedirect } from '../../../shared/routing/redirects.ts';
import type { RouteParams } from '../../../shared/routing/route.ts';
import type { RouteId } from '../../../shared/routing/routes.ts';
import { siteTypes } from '../../../site/types.ts';
import type { Config } from '../../config/config.ts';
import type { ContentReader } from '../../content/reading/content-reader.ts';
import type { LanguageOf, SiteLanguage } from '../../content/reading/site-language.ts';
import type { ProblemLog } from '../../decode/problem-log.ts';
import { toPageError } from '../../errors.ts';
import { documentBytes, fitData, PAGE_ROOM } from '../../loading/fit-data.ts';
import { errorHead, pageHead } from '../../loading/head.ts';
import type { Loader, LoaderHead, RouteContent, RouteContents } from '../../loading/loader.ts';
import { sharePicture } from '../../loading/share-picture.ts';
import { cachedShell, loadShell, logoOf, siteNameOf } from '../../loading/shell.ts';
import type { LoadedPage } from '../../render/html-request.ts';
import type { Search } from '../../search/search.ts';
import type { ContentProblem } from '../../wire/decode-context.ts';
import { namedTypes } from '../../wire/described-types.ts';
import type { PageMatch } from '../page-request.ts';
import type { FindNearestPages } from './nearest-pages.ts';
import type { NotFound, PageJob } from './resolved-page.ts';

export interface LanguageParts {
  readonly languageOf: LanguageOf;
}

export interface ErrorPageParts extends LanguageParts {
  readonly config: Config;
  readonly manifest: BuildManifest;
}

export interface LoadParts extends ErrorPageParts {
  readonly contents: RouteContents;
  readonly search: Search;
  readonly problems: Pick<ProblemLog, 'replace'>;
}

export interface NotFoundParts extends ErrorPageParts {
  readonly nearestPages: FindNearestPages;
}

type Loaded = { kind: 'loaded'; page: LoadedPage } | { kind: 'redirect'; redirect: PayloadRedirect };

/** Loads a page and its shell in parallel. Rejects with the error of the loader or shell. */
export async function loadPage(
  { contents, manifest, languageOf, config, search, problems }: LoadParts,
  { reader, origin, request }: Pick<PageJob, 'reader' | 'origin' | 'request'>,
  { route, params }: PageMatch,
): Promise<Loaded> {
  // Read the settings once, so that all parts of the page have the same version.
  const readSettings = reader.settings();
  const pictureOf = async (head: LoaderHead) => {
    const own = await readSettings;
    return sharePicture(head, request.path, {
      siteName: siteNameOf(own, origin),
      ownDefault: own.shareImage,
      logo: logoOf(own, ({ src }) => src),
      manifest,
    });
  };
  const [result, { shell: wholeShell, version }, settings] = await Promise.all([
    loaderOf(
      contents,
      route.id,
    )({
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
  const { about = null } = result;
  const language = languageOf(settings);
  const head = language.typeset(result.head);
  // Reserve room for title and description, which the head repeats in elements and JSON-LD.
  const room = PAGE_ROOM - 4 * documentBytes(`${head.title}${head.description}`);
  const whole = { ...language.typeset({ page: result.data, shell: wholeShell }), jsonLd: result.jsonLd };
  const { data, cutAt } = fitData(whole, room);
  problems.replace(`size of ${request.path}`, cutAt === null ? [] : [tooLarge(cutAt, about, route.id)]);
  const payload: PagePayload = {
    buildId: manifest.id,
    route: route.id,
    params,
    data: { shell: data.shell, page: data.page },
    head: pageHead(head, data.shell.siteName, request.path, origin),
  };
  const settingsVersion = reader.versionOf([siteTypes.settings.path], 'read');
  // Drop JSON-LD, which may describe cut parts. A cut shell belongs to this page only.
  const jsonLd = cutAt === null ? data.jsonLd : [];
  const shellVersion = data.shell === whole.shell ? version : `${version} ${request.path}`;
  return {
    kind: 'loaded',
    page: { payload, jsonLd, shellVersion, language, settings, settingsVersion, share, about },
  };
}

function tooLarge(cutAt: string, about: string | null, route: RouteId): ContentProblem {
  const [, described] = namedTypes.find(([, named]) => named.route === route) ?? [];
  const entry = cutAt.startsWith('shell.') ? siteTypes.settings.path : (about ?? described?.path ?? route);
  const [type = '', id = null] = entry.split(':');
  const field = cutAt.replace(/^page\.(?:(?:article|author|category|entry|page|tag)\.)?/, '');
  const reason = 'the page would have more than 2 MB: what follows here is left out, and its structured data';
  return { kind: 'value-left-out', type, id, field, updatedAt: null, reason };
}

export async function movedPath(
  { contents }: Pick<LoadParts, 'contents'>,
  reader: ContentReader,
  { route, params }: PageMatch,
): Promise<string | null> {
  const moved = contents[route.id].moved as RouteContent<RouteId>['moved'];
  return (await moved?.(reader, params as never)) ?? null;
}

export function languageOfCached({ languageOf }: LanguageParts, reader: ContentReader): SiteLanguage {
  return languageOf(reader.cachedSettings());
}

/** Builds an error page. Its shell comes from the cache and may lack links. */
export function errorPage(
  { manifest, languageOf, config }: ErrorPageParts,
  { reader, origin }: Pick<PageJob, 'reader' | 'origin'>,
  error: PageError,
  match: PageMatch | null,
): LoadedPage {
  const cached = cachedShell(reader, origin, config.subscribeSecret !== null);
  const settings = reader.cachedSettings();
  const language = languageOf(settings);
  const shell = language.typeset(cached?.shell ?? null);
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
    settingsVersion: reader.versionOf([siteTypes.settings.path], 'cached'),
    language,
    settings,
    share: null,
    about: null,
  };
}

export function notFoundPage(
  parts: NotFoundParts,
  job: Pick<PageJob, 'reader' | 'origin' | 'request'>,
  { error, match }: NotFound,
): LoadedPage {
  const suggestions = parts.nearestPages(job.reader, job.request.path);
  const { labels } = languageOfCached(parts, job.reader);
  return errorPage(parts, job, toPageError(error, '', labels, suggestions), match);
}

/** The cast is safe: the matcher has made the parameters from the route's own path. */
function loaderOf(contents: RouteContents, id: RouteId) {
  return contents[id].load as unknown as (
    context: Omit<Parameters<Loader<RouteId>>[0], 'params'> & { params: RouteParams },
  ) => ReturnType<Loader<RouteId>>;
}
