import type { Image } from '../../shared/content/image.ts';
import type { WorldMap } from '../../shared/content/world-map.ts';
import type { Labels } from '../../shared/labels/labels.ts';
import type { Head, PageDataByRoute } from '../../shared/payload/payload.ts';
import { type ParamsOf, pathTo, type RouteId } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';
import type { PageRange } from '../content/lists/article-addresses.ts';
import type { SiteOrigin } from '../http/request-origin.ts';
import type { Search } from '../search/search.ts';

/** The input of a loader. */
export interface LoaderContext<Id extends RouteId> {
  reader: ContentReader;
  params: ParamsOf<Id>;
  /** The query of the request; a loader reads only the parameters that its route declares. */
  query: URLSearchParams;
  /** The page's canonical path. */
  path: string;
  origin: SiteOrigin;
  /** The map that the build has drawn. */
  worldMap: WorldMap;
  search: Pick<Search, 'find' | 'isReading' | 'articleOf'>;
  /** @returns the words of the site. Rejects when the settings cannot be loaded. */
  labels(): Promise<Labels>;
  /** @returns the path of the picture of links to the page, which search engines are told, too. Rejects like `labels`. */
  pictureOf(head: LoaderHead): Promise<{ readonly src: string }>;
}

/** The head of a page as its loader gives it; `head.ts` adds the parts that all pages share. */
export interface LoaderHead extends Partial<Omit<Head, 'title' | 'robots'>> {
  /** The title without the site's name. Null: the title is the site's name alone. */
  title: string | null;
  /** The picture of an editor for shared links. */
  image?: Pick<Image, 'src' | 'alt' | 'width' | 'height'> | null;
  /** The card that is drawn for the page where it has no picture. Without it the page has the picture of the settings, if there is one. */
  card?: { title: string; label: string | null; author: string | null };
  /** The rules of an editor for search engines; null for none. */
  robots?: readonly string[] | null;
  /** Whether search engines must not list the page, whatever an editor says. */
  noindex?: boolean;
}

export type LoaderResult<Id extends RouteId> =
  | {
      kind: 'page';
      data: PageDataByRoute[Id];
      head: LoaderHead;
      jsonLd: readonly string[];
      /** The tag of the entry that the page is about: the page is removed together with that entry. */
      about?: string;
    }
  /** The page has another address. */
  | { kind: 'redirect'; to: string; statusCode: 302 | 308 };

/**
 * Loads the data of a page.
 *
 * @throws HttpError 404 for an entry that does not exist; BackendError when the content cannot be loaded.
 */
export type Loader<Id extends RouteId> = (context: LoaderContext<Id>) => Promise<LoaderResult<Id>>;

/** An address in the sitemap. */
export interface SitemapLocation {
  path: string;
  /** When the page was changed last, in ISO 8601; null if nothing tells. */
  lastModified: string | null;
  /** The picture of the page, as a path or an absolute address; null without one. */
  picture: string | null;
}

/** Addresses that are too many to be kept in the cache. They are read page by page, each time that a sitemap is made. */
export interface PagedLocations {
  /** @returns the number of rows that may have an address. */
  count(reader: ContentReader): Promise<number>;
  /** Reads the addresses of the rows on some pages. A page has PAGE_SIZE rows. */
  read(reader: ContentReader, range: PageRange): AsyncIterable<readonly SitemapLocation[]>;
}

/** The content of a route: the data of its pages and their addresses. */
export interface RouteContent<Id extends RouteId> {
  load: Loader<Id>;
  /** Finds the page of the entry that had the address before. Called where nothing answers under the address. @returns its path, or null. */
  moved?: (reader: ContentReader, params: ParamsOf<Id>) => Promise<string | null>;
  /** The addresses of the route's pages, for the sitemap. */
  locations: ((reader: ContentReader) => Promise<readonly SitemapLocation[]>) | PagedLocations;
}

/** @returns the sitemap's entry of a page. */
export function locationOf<Id extends RouteId>(
  id: Id,
  params: ParamsOf<Id>,
  { lastModified = null, picture = null }: Partial<Omit<SitemapLocation, 'path'>> = {},
): SitemapLocation {
  return { path: pathTo(id, params), lastModified, picture };
}
