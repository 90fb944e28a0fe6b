import type { DeviceClass } from '../device/device.ts';
import type { FormState } from '../forms/form-state.ts';
import type { PageLanguage } from '../labels/page-language.ts';
import type { PagePayload } from './payload.ts';

/** The id of the element that carries `PageData` in the HTML. */
export const PAGE_DATA_ID = 'page-data';
/** The id of the element into which React renders. */
export const ROOT_ID = 'root';

/** The data of the first page for the browser, as JSON in its HTML. */
export interface PageData {
  payload: PagePayload;
  /** When the page's build was made, in ms since the epoch. */
  builtAt: number;
  language: PageLanguage;
  config: {
    buildPollIntervalMs: number;
    deviceRefreshOnResize?: true;
    /** Scripts of the settings that need the visitor's consent. Absent when there are none. */
    consentScripts?: readonly string[];
    /** Present in previews alone: the id of the build, which differs from that of the payload, and the origins that may show the preview in a frame. */
    preview?: { readonly buildId: string; readonly frameOrigins: readonly string[] };
  };
  /** Null on pages whose markup does not depend on the device. */
  deviceClass: DeviceClass | null;
  formState: FormState | null;
}
