import type { ZonePart } from '../../shared/content/descriptions.ts';
import type { Image } from '../../shared/content/image.ts';
import type { WorldMap } from '../../shared/content/world-map.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import type { Head } from '../../shared/payload/shell.ts';
import { type PageDataByRoute, type ParamsOf, pathTo, type RouteId } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/reading/content-reader.ts';
import type { PageRange } from '../content/reading/read-values.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import type { Search } from '../search/search.ts';

export interface LoaderContext<Id extends RouteId> {
  reader: ContentReader;
  params: ParamsOf<Id>;
  /** The query. A loader reads only parameters that its route declares. */
  query: URLSearchParams;
  path: string;
  origin: SiteOrigin;
  worldMap: WorldMap;
  search: Pick<Search, 'find' | 'isReading' | 'articleOf'>;
  labels(): Promise<Labels>;
  pictureOf(head: LoaderHead): Promise<{ readonly src: string }>;
}

/** The head from a loader, which `head.ts` completes. */
export interface LoaderHead extends Partial<Omit<Head, 'title' | 'robots'>> {
  /** The title without the site's name; null to use the site's name alone. */
  title: string | null;
  image?: Pick<Image, 'src' | 'alt' | 'width' | 'height'> | null;
  /** The card of a page without a picture. Without a card, the settings' picture is used. */
  card?: { title: string; label: string | null; author: string | null };
  robots?: readonly string[] | null;
  /** Whether search engines must not list the page, even if an editor allows it. */
  noindex?: boolean;
}

export interface PageOf<Data> {
  kind: 'page';
  data: Data;
  head: LoaderHead;
  jsonLd: readonly string[];
  /** The tag of the page's entry. If the entry is removed, the page is removed from the cache. */
  about?: string;
}

export type LoaderResult<Id extends RouteId> =
  | PageOf<PageDataByRoute[Id]>
  | { kind: 'redirect'; to: string; statusCode: 302 | 308 };

/** @throws HttpError 404 for a missing entry; BackendError if the content cannot be loaded. */
export type Loader<Id extends RouteId> = (context: LoaderContext<Id>) => Promise<LoaderResult<Id>>;

export interface SitemapLocation {
  path: string;
  /** The last change in ISO 8601; null if unknown. */
  lastModified: string | null;
  picture: string | null;
}

/** The addresses of a list that is too long for the cache. Each sitemap reads them again. */
export interface PagedLocations {
  count(reader: ContentReader): Promise<number>;
  /** Reads a range of pages with PAGE_SIZE rows each. */
  read(reader: ContentReader, range: PageRange): AsyncIterable<readonly SitemapLocation[]>;
}

export interface EntryWithZone {
  readonly id: string;
  readonly sections: readonly ZonePart[];
}

/** The default export of a route's `*.load.server.ts`. */
export interface RouteContent<Id extends RouteId> {
  load: Loader<Id>;
  /** Finds the current path of an entry whose former address now gives a 404. */
  moved?: (reader: ContentReader, params: ParamsOf<Id>) => Promise<string | null>;
  /** Reads the entry whose dynamic zone the page shows, for the forms in it. */
  zone?: (reader: ContentReader, params: ParamsOf<Id>) => Promise<EntryWithZone | null>;
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
