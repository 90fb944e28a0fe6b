import type { IncomingMessage } from 'node:http';
import type { FormName, FormState } from '../../shared/forms/form-state.ts';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { FROM_HEADER, PAYLOAD_SUFFIX } from '../../shared/routing/payload-address.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';
import { encodingFor } from '../http/request/accept-encoding.ts';
import { deviceClassOf } from '../http/request/device-from-request.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import type { CachedPage } from '../page-cache/page-cache.ts';
import { pageKey, plainKey } from '../page-cache/page-key.ts';
import { type PageLookup, type PageRequest, pageRequestOf } from './page-request.ts';

const FROM_HEADER_NAME = FROM_HEADER.toLowerCase();

/** @returns the key; null for an address with a query. A page that depends on the device has another key. */
export function plainKeyOf(url: string, origin: SiteOrigin): string | null {
  if (url.includes('?')) return null;
  return url.endsWith(PAYLOAD_SUFFIX)
    ? plainKey('payload', origin, url.slice(0, -PAYLOAD_SUFFIX.length) || '/')
    : plainKey('page', origin, url);
}

/** The forms that `?sent=` may name. They are few, because the cache stores a page for each. */
const SENT = /^(?:contact|subscribe|form-[1-9])$/;

/** @returns the form in `?sent=`, to which a form that was sent without JavaScript redirects. */
function sentForm({ form, query }: PageRequest, route: RouteDefinition | null): FormName | null {
  if (form === 'payload') return null;
  const sent = query.get('sent');
  if (route === null || sent === null) return null;
  // The cast is safe: the expression matches only these names.
  return SENT.test(sent) ? (sent as FormName) : null;
}

const thanksFor = (form: FormName): FormState => ({
  form,
  status: 'sent',
  message: null,
  errors: {},
  values: {},
});

/** Finds the route and cache key of a request. Keeps its path: one that is not canonical is redirected. */
export function lookupOf(
  routes: readonly RouteDefinition[],
  asked: PageRequest,
  origin: SiteOrigin,
  headers: IncomingMessage['headers'],
): PageLookup {
  const { form, path, query, from } = asked;
  const match = matchRoute(routes, path);
  const route = match?.route ?? null;
  const deviceClass = route?.readsDevice && form === 'page' ? deviceClassOf(headers) : null;
  const sent = sentForm(asked, route);
  const request = sent === null ? asked : { ...asked, formState: thanksFor(sent) };
  return {
    key: pageKey({ form, path, query, route, origin, deviceClass, from, sent }),
    request,
    match,
    origin,
    deviceClass,
    preferredEncoding: encodingFor(headers['accept-encoding']),
  };
}

/** The requested page. Computes `request` and `lookup` on first use. */
export class AskedPage {
  readonly url: string;
  readonly origin: SiteOrigin;
  readonly #routes: readonly RouteDefinition[];
  readonly #headers: IncomingMessage['headers'];
  /** The page in memory that the listener has found but left to the application. */
  found: CachedPage | null = null;
  #request: PageRequest | null = null;
  #lookup: PageLookup | null = null;

  constructor(
    routes: readonly RouteDefinition[],
    { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
    origin: SiteOrigin,
  ) {
    this.url = url;
    this.origin = origin;
    this.#routes = routes;
    this.#headers = headers;
  }

  get request(): PageRequest {
    this.#request ??= pageRequestOf(this.url, this.#headers[FROM_HEADER_NAME]);
    return this.#request;
  }

  get lookup(): PageLookup {
    this.#lookup ??= lookupOf(this.#routes, this.request, this.origin, this.#headers);
    return this.#lookup;
  }
}

declare global {
  namespace Express {
    interface Locals {
      asked: AskedPage;
    }
  }
}
