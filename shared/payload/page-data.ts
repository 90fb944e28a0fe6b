import type { DeviceClass } from '../device/device.ts';
import type { FormState } from '../forms/form-state.ts';
import type { PageLanguage } from '../labels/page-language.ts';
import type { PagePayload } from './payload.ts';

export const PAGE_DATA_ID = 'page-data';
export const ROOT_ID = 'root';

/** The data of the first page for the browser, as JSON in its HTML. */
export interface PageData {
  payload: PagePayload;
  /** In ms since the epoch. */
  builtAt: number;
  language: PageLanguage;
  config: {
    buildPollIntervalMs: number;
    deviceRefreshOnResize?: true;
    /** Scripts of the settings that need the visitor's consent. */
    consentScripts?: readonly string[];
    /** Previews only. The build id differs from that of the payload. */
    preview?: { readonly buildId: string; readonly frameOrigins: readonly string[] };
  };
  /** Null if the markup does not depend on the device. */
  deviceClass: DeviceClass | null;
  formState: FormState | null;
}
