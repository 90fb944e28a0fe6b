import type { Image } from '../../shared/content/image.ts';
import type { WorldMap } from '../../shared/content/world-map.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import type { Head } from '../../shared/payload/shell.ts';
import { type PageDataByRoute, type ParamsOf, pathTo, type RouteId } from '../../shared/routing/routes.ts';
import type { ContentReader, PageRange } from '../content/reading/content-reader.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import type { Search } from '../search/search-types.ts';

export interface LoaderContext<Id extends RouteId> {
  reader: ContentReader;
  params: ParamsOf<Id>;
  /** A loader reads only the parameters that its route declares. */
  query: URLSearchParams;
  path: string;
  origin: SiteOrigin;
  worldMap: WorldMap;
  search: Pick<Search, 'find' | 'isReading' | 'articleOf'>;
  labels(): Promise<Labels>;
  /** @returns the path of the picture of shared links. */
  pictureOf(head: LoaderHead): Promise<{ readonly src: string }>;
}

/** The head from a loader; `head.ts` completes it. */
export interface LoaderHead extends Partial<Omit<Head, 'title' | 'robots'>> {
  /** Without the site's name. Null for the site's name alone. */
  title: string | null;
  image?: Pick<Image, 'src' | 'alt' | 'width' | 'height'> | null;
  /** The card of a page without a picture. Without a card the picture of the settings is used. */
  card?: { title: string; label: string | null; author: string | null };
  /** The rules of an editor for search engines. */
  robots?: readonly string[] | null;
  /** Whether search engines must not list the page, whatever an editor says. */
  noindex?: boolean;
}

/** The data of a page, and the parts of its document beside it. */
export interface PageOf<Data> {
  kind: 'page';
  data: Data;
  head: LoaderHead;
  jsonLd: readonly string[];
  /** The tag of the page's entry: both are removed together. */
  about?: string;
}

export type LoaderResult<Id extends RouteId> =
  | PageOf<PageDataByRoute[Id]>
  /** The page has another address. */
  | { kind: 'redirect'; to: string; statusCode: 302 | 308 };

/** @throws HttpError 404 for an entry that does not exist; BackendError when the content cannot be loaded. */
export type Loader<Id extends RouteId> = (context: LoaderContext<Id>) => Promise<LoaderResult<Id>>;

export interface SitemapLocation {
  path: string;
  /** ISO 8601; null if unknown. */
  lastModified: string | null;
  /** A path or an absolute address. */
  picture: string | null;
}

/** Addresses too many for the cache. They are read for each sitemap. */
export interface PagedLocations {
  count(reader: ContentReader): Promise<number>;
  /** A page of the range has PAGE_SIZE rows. */
  read(reader: ContentReader, range: PageRange): AsyncIterable<readonly SitemapLocation[]>;
}

/** The default export of a route's `*.load.server.ts`. */
export interface RouteContent<Id extends RouteId> {
  load: Loader<Id>;
  /** Finds the path of the entry that had the address before, where nothing answers. */
  moved?: (reader: ContentReader, params: ParamsOf<Id>) => Promise<string | null>;
  locations: ((reader: ContentReader) => Promise<readonly SitemapLocation[]>) | PagedLocations;
}

export type RouteContents = { readonly [Id in RouteId]: RouteContent<Id> };

export function locationOf<Id extends RouteId>(
  id: Id,
  params: ParamsOf<Id>,
  { lastModified = null, picture = null }: Partial<Omit<SitemapLocation, 'path'>> = {},
): SitemapLocation {
  return { path: pathTo(id, params), lastModified, picture };
}

const ALL_PAGES = { first: 1, last: Number.POSITIVE_INFINITY };

/** @returns the paths in the sitemap, `most` of them, the one that was changed last first. */
export async function newestPaths(
  contents: RouteContents,
  reader: ContentReader,
  most: number,
): Promise<readonly string[]> {
  const found: SitemapLocation[] = [];
  for (const { locations } of Object.values(contents)) {
    if (typeof locations === 'function') found.push(...(await locations(reader)));
    else for await (const part of locations.read(reader, ALL_PAGES)) found.push(...part);
  }
  const timeOf = ({ lastModified }: SitemapLocation) => Date.parse(lastModified ?? '') || 0;
  found.sort((a, b) => timeOf(b) - timeOf(a));
  return found.slice(0, most).map(({ path }) => path);
}
