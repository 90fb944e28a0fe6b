import type { DeviceClass } from '../../shared/device/device.ts';
import type { FormState } from '../../shared/forms/form-state.ts';
import type { SiteOrigin } from '../http/request-origin.ts';
import type { LoadedPage } from './loaded-page.ts';

/** The input of a document. */
export interface HtmlRequest {
  page: LoadedPage;
  /** The address that the page is rendered for; null for an error outside of any page. */
  request: { readonly path: string; readonly search: string; readonly formState: FormState | null } | null;
  origin: SiteOrigin;
  /** Null for pages that do not read the device. */
  deviceClass: DeviceClass | null;
  /** False for the answer to a form post. */
  hydrate: boolean;
}
