import type { EntityOf, FieldsOf } from './content-types.ts';
import type { JsonObject } from './json.ts';
import type { RichText } from './rich-text.ts';

export type Social = EntityOf<'social'>;

/** A button for what a visitor may do next, and a sentence beside it. */
export type Offer = NonNullable<FieldsOf<'settings'>['cta']>;

/** The site's language in the settings. For a null value, the configuration decides. */
export interface LanguageSettings {
  /** A locale (BCP 47) whose language has a catalogue. */
  language: string | null;
  timeZone: string | null;
  currency: string | null;
  /** Texts in place of the catalogue's, by name; `countries_one` for one plural form. */
  labels: Readonly<Record<string, string>>;
}

/** `customCss` and `scripts` are addresses of additional stylesheets and scripts, in order. */
export interface Settings
  extends Omit<FieldsOf<'settings'>, keyof LanguageSettings | 'subscribeConsent'>,
    LanguageSettings {
  /** All attributes of the record. They stay on the server. */
  attributes: JsonObject;
  /** The sentence that subscribers agree to, as inline elements; null for none. */
  subscribeConsent: RichText | null;
  /** The address of the stylesheet with the accent colour; null for the brand's own. */
  accent: string | null;
}
