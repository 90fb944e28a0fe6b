import type { DeviceClass } from '../../shared/device/device.ts';
import type { FormState } from '../../shared/forms/form-state.ts';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import type { RouteParams } from '../../shared/routing/route.ts';
import { type RouteDefinition, type RouteId, routeTable } from '../../shared/routing/routes.ts';
import type { ContentReadEvent } from '../content/reading/read-values.ts';
import type { Encoding } from '../http/request/accept-encoding.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import type { Logger } from '../ops/log.ts';

export interface PageRequest {
  readonly form: 'page' | 'payload';
  /** The percent-encoded path without the payload's suffix. */
  readonly path: string;
  /** The query with its question mark, without the parameter `_b`. Empty without a query. */
  readonly search: string;
  readonly query: URLSearchParams;
  /** The build in the payload's address (`_b`). */
  readonly build: string | null;
  /** The route on screen when the browser requests a payload; null on a first load. */
  readonly from: RouteId | null;
  readonly formState: FormState | null;
}

export interface PageMatch {
  readonly route: RouteDefinition;
  readonly params: RouteParams;
}

/** A page to find or generate, with the properties of the visitor that it depends on. */
export interface PageLookup {
  key: string;
  request: PageRequest;
  match: PageMatch | null;
  origin: SiteOrigin;
  deviceClass: DeviceClass | null;
  /** The encoding of the waiting visitor, which the stored page gets first. */
  preferredEncoding: Encoding;
}

export interface RenderRequest extends PageLookup {
  log: Logger;
  onEvent: (event: ContentReadEvent) => void;
}

/** The query of all addresses without one. Never write to it. */
const NO_QUERY = new URLSearchParams();

/** @param from the header `FROM_HEADER`. An unknown route counts as no route. */
export function pageRequestOf(url: string, from?: unknown): PageRequest {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const isPayload = path.endsWith(PAYLOAD_SUFFIX);
  const query = mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark));
  const build = isPayload ? query.get('_b') : null;
  if (isPayload && mark >= 0) query.delete('_b');
  // Keep the query of a page unchanged, because redirects pass it on.
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

/** Whether the address names another build. No cache may store this build's response under it. */
export function isOfOtherBuild({ build }: Pick<PageRequest, 'build'>, buildId: string): boolean {
  return build !== null && build !== buildId;
}
