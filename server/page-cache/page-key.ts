import type { DeviceClass } from '../../shared/device/device.ts';
import type { FormName } from '../../shared/forms/form-state.ts';
import type { RouteDefinition, RouteId } from '../../shared/routing/routes.ts';
import type { SiteOrigin } from '../http/request-origin.ts';

/** Everything that a stored answer depends on. Nothing else in a request may change the answer. */
export interface PageIdentity {
  form: 'page' | 'payload';
  /** The canonical path. */
  path: string;
  query: URLSearchParams;
  /** The matching route, or null. */
  route: RouteDefinition | null;
  origin: SiteOrigin;
  /** The route on screen; null on a first load. */
  from: RouteId | null;
  /** The form whose thanks the page shows, or null. */
  sent: FormName | null;
  /** The device class, or null for a page that does not depend on it. */
  deviceClass: DeviceClass | null;
}

/**
 * @returns the key of a stored answer. It contains only the query parameters that the route declares, in the order of the route table, so
 *   that all other queries share one entry. Build and configuration are not part of it: a process has one of each, and on disk they name
 *   the folder.
 */
export function pageKey(identity: PageIdentity): string {
  const { form, path, query, route, origin, from, sent, deviceClass } = identity;
  const declared = (route?.query ?? []).flatMap(name => {
    const value = query.get(name);
    return value === null ? [] : `${name}=${encodeURIComponent(value)}`;
  });
  const asked = declared.length > 0 ? `?${declared.join('&')}` : '';
  // Requests with one key share one render, also for a route whose answers are not stored.
  const origins = route?.readsFrom ? ` from ${from}` : '';
  const thanks = sent === null ? '' : ` sent ${sent}`;
  return keyOnDevice(plainKey(form, origin, path) + asked + origins + thanks, deviceClass);
}

/** @returns the key of an answer that depends on its address alone. */
export function plainKey(form: PageIdentity['form'], origin: SiteOrigin, path: string): string {
  return `${form} ${origin ?? ''}${path}`;
}

/** The parts of a key that tell which request asks for the page again. */
interface ParsedKey extends Pick<PageIdentity, 'form' | 'origin' | 'deviceClass'> {
  /** The path with the declared query. */
  address: string;
}

const DEVICE_CLASSES: readonly string[] = ['mobile', 'tablet', 'desktop'] satisfies readonly DeviceClass[];

/** @returns null for the key of a document, and of an answer that depends on a page or a form before it. */
export function parsePageKey(key: string): ParsedKey | null {
  // No part of a key has a space inside.
  const [form, address = '', device, ...others] = key.split(' ');
  const pathAt = address.startsWith('/') ? 0 : address.indexOf('/', address.indexOf('//') + 2);
  if ((form !== 'page' && form !== 'payload') || pathAt < 0 || others.length > 0) return null;
  if (device !== undefined && !DEVICE_CLASSES.includes(device)) return null;
  return {
    form,
    origin: address.slice(0, pathAt) || null,
    address: address.slice(pathAt),
    deviceClass: (device as DeviceClass | undefined) ?? null,
  };
}

/** @returns the key of a document that is stored like a page and is none, such as the sitemap. */
export function documentKey(origin: string, path: string): string {
  return `document ${origin}${path}`;
}

/** @returns the key of an answer for a device class, from the key without one. */
export function keyOnDevice(key: string, deviceClass: DeviceClass | null): string {
  return deviceClass === null ? key : `${key} ${deviceClass}`;
}
