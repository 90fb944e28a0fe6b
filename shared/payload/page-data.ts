import type { RichText } from '../content/rich-text.ts';
import type { DeviceClass } from '../device/device.ts';
import type { FormState } from '../forms/form-state.ts';
import type { PageLanguage } from '../labels/page-language.ts';
import type { PagePayload } from './payload.ts';

export const PAGE_DATA_ID = 'page-data';
export const ROOT_ID = 'root';

/** The data of the first page for the browser, as JSON in its HTML. */
export interface PageData {
  payload: PagePayload;
  builtAt: number;
  language: PageLanguage;
  config: {
    buildPollIntervalMs: number;
    deviceRefreshOnResize?: true;
    /** Scripts of the settings that need the visitor's consent, and what they are for. */
    consent?: { readonly scripts: readonly string[]; readonly purposes: RichText };
    /** With false, browsers report neither views nor web vitals. */
    vitals?: false;
    /** The preview's data. Its build id differs from the payload's. */
    preview?: {
      readonly status: 'draft' | 'published' | 'past';
      readonly buildId: string;
      readonly frameOrigins: readonly string[];
      readonly editsFiles: boolean;
    };
  };
  /** The device class; null if the markup does not depend on the device. */
  deviceClass: DeviceClass | null;
  formState: FormState | null;
}
