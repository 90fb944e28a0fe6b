import type { IncomingMessage } from 'node:http';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import { deviceClassOf } from '../http/device-from-request.ts';
import { pageKey, plainKey } from '../page-cache/page-key.ts';
import { storedEncodingFor } from '../page-cache/send-stored-page.ts';
import type { Site } from '../site.ts';
import type { PageRequest } from './page-job.ts';
import type { RenderRequest } from './produce-page.ts';

/** Which stored page answers a request, and what would make it. */
export interface PageLookup {
  key: string;
  /** The id of the route that matches, for the log. */
  route: string | null;
  order: Omit<RenderRequest, 'log' | 'onEvent'>;
}

/** Of all addresses without one; nobody writes into it. */
const NO_QUERY = new URLSearchParams();

/** @returns the address of a page as a request has it. */
export function pageRequestOf(url: string): PageRequest {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const isPayload = path.endsWith(PAYLOAD_SUFFIX);
  const query = mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark));
  if (isPayload && mark >= 0) query.delete('_b');
  // A page keeps its query to the letter, so that a redirect does not rewrite it.
  const search = isPayload ? String(query) && `?${query}` : mark < 0 ? '' : url.slice(mark);
  return {
    form: isPayload ? 'payload' : 'page',
    path: isPayload ? path.slice(0, -PAYLOAD_SUFFIX.length) || '/' : path,
    search: search === '?' ? '' : search,
    query,
    match: null,
    formState: null,
  };
}

/**
 * @returns the key of an address without a query, whatever its route: what most visitors ask for is found by it, or by it
 * and the device. Null for other addresses.
 */
export function plainKeyOf(url: string, origin: string): string | null {
  if (url.includes('?')) return null;
  return url.endsWith(PAYLOAD_SUFFIX)
    ? plainKey('payload', origin, url.slice(0, -PAYLOAD_SUFFIX.length) || '/')
    : plainKey('page', origin, url);
}

/** @returns where a page would be stored. The path is taken as it is: only canonical ones are ever stored. */
export function lookupOf(
  site: Site,
  request: PageRequest,
  origin: string,
  headers: IncomingMessage['headers'],
): PageLookup {
  const route = matchRoute(site.routes, request.path)?.route ?? null;
  const device = route?.readsDevice && request.form === 'page' ? deviceClassOf(headers) : null;
  const identity = {
    form: request.form,
    path: request.path,
    query: request.query,
    route,
    origin,
    deviceClass: device,
  };
  const key = pageKey(identity);
  const preferredEncoding = storedEncodingFor(headers['accept-encoding']);
  return {
    key,
    route: route?.id ?? null,
    order: { key, request, origin, deviceClass: device, preferredEncoding },
  };
}
