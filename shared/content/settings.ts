import type { EntityOf, FieldsOf } from './content-types.ts';
import type { JsonObject } from './json.ts';
import type { RichText } from './rich-text.ts';

/** A row of `/api/socials`. */
export type Social = EntityOf<'social'>;

/** The language of the site in the settings. What is null comes from the configuration. */
export interface LanguageSettings {
  /** A locale (BCP 47) whose language has a catalogue. */
  language: string | null;
  /** A time zone (IANA). */
  timeZone: string | null;
  /** A currency (ISO 4217). */
  currency: string | null;
  /**
   * Texts in place of the catalogue's, by the name of the word; `countries_one` for one form of a word that
   * depends on a number.
   */
  labels: Readonly<Record<string, string>>;
}

/**
 * The record `settings`. `customCss` and `scripts` are the addresses of additional stylesheets and scripts,
 * in order.
 */
export interface Settings
  extends Omit<FieldsOf<'settings'>, keyof LanguageSettings | 'subscribeConsent'>,
    LanguageSettings {
  /** All attributes of the record. They stay on the server. */
  attributes: JsonObject;
  /** The sentence to which subscribers agree, without blocks; null for none. */
  subscribeConsent: RichText | null;
}
