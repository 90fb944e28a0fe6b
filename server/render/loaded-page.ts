import type { Settings } from '../../shared/content/settings.ts';
import type { PagePayload } from '../../shared/payload/payload.ts';

/** A page ready to be rendered: its payload, and the content that only its document needs. */
export interface LoadedPage {
  payload: PagePayload;
  jsonLd: readonly string[];
  settings: Settings | null;
  /** The tag of the entry that the page is about; null for lists and the like. */
  about: string | null;
}
