import type { DeviceClass } from '../../shared/device/device.ts';
import type { FormName } from '../../shared/forms/form-state.ts';
import type { RouteDefinition, RouteId } from '../../shared/routing/routes.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';

/** Everything that a stored answer depends on. Other parts of a request must not change the answer. */
interface PageIdentity {
  form: 'page' | 'payload';
  path: string;
  query: URLSearchParams;
  route: RouteDefinition | null;
  origin: SiteOrigin;
  /** The route of the page before; null on a first load. */
  from: RouteId | null;
  sent: FormName | null;
  deviceClass: DeviceClass | null;
}

/** Makes the key. It contains only declared query parameters, in the order of the route table. */
export function pageKey(identity: PageIdentity): string {
  const { form, route, origin, from, sent, deviceClass } = identity;
  // Add `from`, because requests with equal keys share a render even if the answer is not stored.
  const origins = route?.readsFrom ? ` from ${from}` : '';
  const thanks = sent === null ? '' : ` sent ${sent}`;
  const device = deviceClass === null ? '' : ` ${deviceClass}`;
  return plainKey(form, origin, addressOf(identity)) + origins + thanks + device;
}

function addressOf({ path, query, route }: PageIdentity): string {
  const declared = (route?.query ?? []).flatMap(name => {
    const value = query.get(name);
    return value === null ? [] : `${name}=${encodeURIComponent(value)}`;
  });
  return declared.length > 0 ? `${path}?${declared.join('&')}` : path;
}

export interface AskedAgain extends Pick<PageIdentity, 'form' | 'origin' | 'deviceClass'> {
  readonly address: string;
}

/** @returns the values to generate the page again; null if it depends on an earlier page or a form. */
export function askedAgain(identity: PageIdentity): AskedAgain | null {
  const { form, route, origin, deviceClass, sent } = identity;
  if (route?.readsFrom || sent !== null) return null;
  return { form, origin, deviceClass, address: addressOf(identity) };
}

export function plainKey(form: PageIdentity['form'], origin: SiteOrigin, path: string): string {
  return `${form} ${origin ?? ''}${path}`;
}

export function documentKey(origin: string, path: string): string {
  return `document ${origin}${path}`;
}
