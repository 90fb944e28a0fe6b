import type { FormState } from '../../shared/forms/form-state.ts';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import {
  type RouteDefinition,
  type RouteId,
  type RouteParams,
  routeTable,
} from '../../shared/routing/routes.ts';

/** A request for one of the site's pages, as HTML or as its payload. */
export interface PageRequest {
  readonly form: 'page' | 'payload';
  /** The path of the request, percent-encoded, without the payload's suffix. */
  readonly path: string;
  /** The query with its question mark, without the parameter `_b` of payload addresses. Empty without a query. */
  readonly search: string;
  readonly query: URLSearchParams;
  /** The build that a payload is asked for (`_b`); null without one. */
  readonly build: string | null;
  /** The route on screen when the browser asked for a payload. Null on a first load. */
  readonly from: RouteId | null;
  /** The outcome of a form that was posted from this page without JavaScript, thanks included; null for every other request. */
  readonly formState: FormState | null;
}

/** The route that matches a path. */
export interface PageMatch {
  readonly route: RouteDefinition;
  readonly params: RouteParams;
}

/** The empty query. All addresses without a query share it, so it must not be written to. */
const NO_QUERY = new URLSearchParams();

/**
 * @param from the header `FROM_HEADER` of the request. An id that is not in the route table counts as none.
 * @returns the page that an address names.
 */
export function pageRequestOf(url: string, from?: unknown): PageRequest {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const isPayload = path.endsWith(PAYLOAD_SUFFIX);
  const query = mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark));
  const build = isPayload ? query.get('_b') : null;
  if (isPayload && mark >= 0) query.delete('_b');
  // `search` of a page stays as it was sent: a redirect hands it on unchanged.
  const search = isPayload ? String(query) && `?${query}` : mark < 0 ? '' : url.slice(mark);
  return {
    form: isPayload ? 'payload' : 'page',
    path: isPayload ? path.slice(0, -PAYLOAD_SUFFIX.length) || '/' : path,
    search: search === '?' ? '' : search,
    query,
    build,
    from: isPayload ? (routeTable.find(({ id }) => id === from)?.id ?? null) : null,
    formState: null,
  };
}

/**
 * @param buildId the running build.
 * @returns whether a payload is asked for under the id of another build. Such an address stands for that build's answer, so no cache may keep this one for it.
 */
export function isOfOtherBuild({ build }: Pick<PageRequest, 'build'>, buildId: string): boolean {
  return build !== null && build !== buildId;
}
