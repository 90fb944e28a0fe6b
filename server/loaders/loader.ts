import type { WorldMap } from '../../shared/content/world-map.ts';
import type { Head, PageDataByRoute } from '../../shared/payload/payload.ts';
import type { ParamsOf, RouteId } from '../../shared/routing/routes.ts';
import type { ContentReader } from '../content/content-reader.ts';

/** What a loader knows of the request. */
export interface LoaderContext<Id extends RouteId> {
  reader: ContentReader;
  params: ParamsOf<Id>;
  /** The query as asked for; a loader reads only what its route declares. */
  query: URLSearchParams;
  /** The page's canonical path. */
  path: string;
  /** `https://host` of the public site. */
  origin: string;
  /** As the build has drawn it. */
  worldMap: WorldMap;
}

/** What a page says of itself; what all pages have in common is added by `head.ts`. */
export interface PageHead extends Partial<Omit<Head, 'title'>> {
  /** Without the site's name. Null: the site's name alone. */
  title: string | null;
}

export type LoaderResult<Id extends RouteId> =
  | {
      kind: 'page';
      data: PageDataByRoute[Id];
      head: PageHead;
      jsonLd: readonly string[];
      /** The tag of the entry that the page is about: when that is gone, so is the page. */
      about?: string;
    }
  /** The page has another address. */
  | { kind: 'redirect'; to: string; statusCode: 302 | 308 };

/**
 * Loads what a page shows.
 *
 * @throws HttpError 404 for an entry that is not there; BackendError when the content is out of reach.
 */
export type Loader<Id extends RouteId> = (context: LoaderContext<Id>) => Promise<LoaderResult<Id>>;
