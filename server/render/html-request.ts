import type { Settings } from '../../shared/content/settings.ts';
import type { DeviceClass } from '../../shared/device/device.ts';
import type { FormState } from '../../shared/forms/form-state.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import type { SiteLanguage } from '../content/reading/site-language.ts';
import type { SiteOrigin } from '../http/request/request-origin.ts';
import type { SharePicture } from '../loading/share-picture.ts';

/** A page ready to be rendered, with content that only the HTML needs. */
export interface LoadedPage {
  payload: PagePayload;
  jsonLd: readonly string[];
  shellVersion: string;
  language: SiteLanguage;
  settings: Settings | null;
  settingsVersion: string;
  /** The picture of shared links; null for the page of an error. */
  share: SharePicture | null;
  /** The tag of the page's entry; null for lists. */
  about: string | null;
}

export interface HtmlRequest {
  page: LoadedPage;
  /** The request; null for an error outside of a page. */
  request: { readonly path: string; readonly search: string; readonly formState: FormState | null } | null;
  origin: SiteOrigin;
  deviceClass: DeviceClass | null;
  /** False for the response to a form's POST request, because its address differs from the page's. */
  hydrate: boolean;
}

export function addressOf({ request }: HtmlRequest): string {
  return (request?.path ?? '/') + (request?.search ?? '');
}

/** `//host/path` is a path here, and not the address of another host. */
export function urlOf(url: string): URL {
  return new URL(`http://localhost${url.replace(/^\/+/, '/')}`);
}
