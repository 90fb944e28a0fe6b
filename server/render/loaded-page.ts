import type { Settings } from '../../shared/content/settings.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';
import type { SiteLanguage } from '../content/site-language.ts';
import type { SharePicture } from '../loaders/share-picture.ts';

/** A page ready to be rendered: its payload, and content that only the HTML document needs. */
export interface LoadedPage {
  payload: PagePayload;
  jsonLd: readonly string[];
  /** The version of the shell in the payload (`LoadedShell`). */
  shellVersion: string;
  language: SiteLanguage;
  settings: Settings | null;
  settingsVersion: string;
  /** The picture of links to the page; null for the page of an error. */
  share: SharePicture | null;
  /** The tag of the entry that the page is about; null for a page without one, such as a list. */
  about: string | null;
}
