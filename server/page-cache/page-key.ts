import type { DeviceClass } from '../../shared/device/device.ts';
import type { RouteDefinition, RouteId } from '../../shared/routing/routes.ts';

/** Everything that a stored answer depends on. Nothing else in a request may change the answer. */
export interface PageIdentity {
  form: 'page' | 'payload';
  /** The canonical path. */
  path: string;
  query: URLSearchParams;
  /** The matching route, or null. */
  route: RouteDefinition | null;
  /** The origin for absolute addresses, such as `https://host`. PUBLIC_URL fixes it for all requests. */
  origin: string;
  /** The route on screen; null on a first load. */
  from: RouteId | null;
  /** The device class, or null for a page that does not depend on it. */
  deviceClass: DeviceClass | null;
}

/**
 * @returns the key of a stored answer. It contains only the query parameters that the route declares, in the order of the route table, so
 *   that all other queries share one entry. Build and configuration are not part of it: a process has one of each, and on disk they name
 *   the folder.
 */
export function pageKey({ form, path, query, route, origin, from, deviceClass }: PageIdentity): string {
  const declared = (route?.query ?? []).flatMap(name => {
    const value = query.get(name);
    return value === null ? [] : `${name}=${encodeURIComponent(value)}`;
  });
  const asked = declared.length > 0 ? `?${declared.join('&')}` : '';
  // Requests with one key share one render, also for a route whose answers are not stored.
  const origins = route?.readsFrom ? ` from ${from}` : '';
  return keyOnDevice(plainKey(form, origin, path) + asked + origins, deviceClass);
}

/** @returns the key of an answer that depends on its address alone. */
export function plainKey(form: PageIdentity['form'], origin: string, path: string): string {
  return `${form} ${origin}${path}`;
}

/** @returns the key of a document that is stored like a page and is none, such as the sitemap. */
export function documentKey(origin: string, path: string): string {
  return `document ${origin}${path}`;
}

/** @returns the key of an answer for a device class, from the key without one. */
export function keyOnDevice(key: string, deviceClass: DeviceClass | null): string {
  return deviceClass === null ? key : `${key} ${deviceClass}`;
}
