import type { Settings } from '../../shared/content/settings.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import type { SiteLanguage } from '../content/reading/site-language.ts';
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
  /** The tag of the page's entity; null for lists. */
  about: string | null;
}
