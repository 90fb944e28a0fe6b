import type { DeviceClass } from '../../shared/device/device.ts';
import type { FormState } from '../../shared/forms/form-state.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import type { LoadedPage } from './loaded-page.ts';

export interface HtmlRequest {
  page: LoadedPage;
  /** Null for an error outside of any page. */
  request: { readonly path: string; readonly search: string; readonly formState: FormState | null } | null;
  origin: SiteOrigin;
  deviceClass: DeviceClass | null;
  /** False for the answer to a form post. */
  hydrate: boolean;
}
