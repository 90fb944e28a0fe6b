import type { DeviceClass } from '../../shared/device/device.ts';
import type { FormName } from '../../shared/forms/form-state.ts';
import type { RouteDefinition, RouteId } from '../../shared/routing/routes.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';

/** Everything that a stored response depends on. Other parts of a request must not change the response. */
interface PageIdentity {
  form: 'page' | 'payload';
  path: string;
  query: URLSearchParams;
  route: RouteDefinition | null;
  origin: SiteOrigin;
  /** The route of the previous page; null on a first load. */
  from: RouteId | null;
  sent: FormName | null;
  deviceClass: DeviceClass | null;
}

/** Makes the key. It contains only declared query parameters, in the order of the route table. */
export function pageKey(identity: PageIdentity): string {
  const { form, path, query, route, origin, from, sent, deviceClass } = identity;
  const declared = (route?.query ?? []).flatMap(name => {
    const value = query.get(name);
    return value === null ? [] : `${name}=${encodeURIComponent(value)}`;
  });
  const address = declared.length > 0 ? `${path}?${declared.join('&')}` : path;
  // Add `from`, because requests with equal keys share a render even if the response is not stored.
  const origins = route?.readsFrom ? ` from ${from}` : '';
  const thanks = sent === null ? '' : ` sent ${sent}`;
  const device = deviceClass === null ? '' : ` ${deviceClass}`;
  return plainKey(form, origin, address) + origins + thanks + device;
}

/** @returns the parts of a key; null for a document and for a page that depends on `from` or a sent form. */
export function partsOfKey(key: string) {
  const [form, address = '', device, ...others] = key.split(' ');
  if ((form !== 'page' && form !== 'payload') || others.length > 0) return null;
  const pathAt = address.startsWith('/') ? 0 : address.indexOf('/', 'https://'.length);
  return {
    form,
    origin: pathAt === 0 ? null : address.slice(0, pathAt),
    address: address.slice(pathAt),
    // The cast is safe: a third part without a fourth is the device class.
    deviceClass: (device ?? null) as DeviceClass | null,
  } as const;
}

export function plainKey(form: PageIdentity['form'], origin: SiteOrigin, path: string): string {
  return `${form} ${origin ?? ''}${path}`;
}

export function documentKey(origin: string, path: string): string {
  return `document ${origin}${path}`;
}
