import type { DeviceClass } from '../../shared/device/device.ts';
import type { RouteDefinition } from '../../shared/routing/routes.ts';

/** All on which a stored answer depends: nothing else of a request may change it. */
export interface PageIdentity {
  form: 'page' | 'payload';
  /** Canonical. */
  path: string;
  query: URLSearchParams;
  /** Null: no route matches the path. */
  route: RouteDefinition | null;
  /** `https://host` in absolute addresses; the same for all where PUBLIC_URL is configured. */
  origin: string;
  /** Null on pages that do not read it. */
  deviceClass: DeviceClass | null;
}

/**
 * @returns the key of a stored answer. Of the query only what the route declares is in it, in the order of the table, so
 * that a million other queries share one entry. The build and the configuration are not in it: a process has one
 * of each, and on the disk they are the name of the folder.
 */
export function pageKey({ form, path, query, route, origin, deviceClass }: PageIdentity): string {
  const declared = (route?.query ?? []).flatMap(name => {
    const value = query.get(name);
    return value === null ? [] : `${name}=${encodeURIComponent(value)}`;
  });
  const asked = declared.length > 0 ? `?${declared.join('&')}` : '';
  return keyOnDevice(plainKey(form, origin, path) + asked, deviceClass);
}

/** @returns the key of what depends on nothing but its address. */
export function plainKey(form: PageIdentity['form'], origin: string, path: string): string {
  return `${form} ${origin}${path}`;
}

/** @returns the key of what is not the same on all devices, from that of what is. */
export function keyOnDevice(key: string, deviceClass: DeviceClass | null): string {
  return deviceClass === null ? key : `${key} ${deviceClass}`;
}
