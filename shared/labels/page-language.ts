/** The languages of the catalogues, as the first part of a locale (BCP 47). */
export const CATALOGUE_NAMES = ['en', 'de', 'ar'] as const;
export type CatalogueName = (typeof CATALOGUE_NAMES)[number];

/** A text for each category of `Intl.PluralRules`. `other` stands for each category that is missing. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** The language of a page, as the server tells the browser. */
export interface PageLanguage {
  catalogue: CatalogueName;
  /** The locale of words, dates and numbers (BCP 47), for `<html lang>`, too. */
  locale: string;
  /** The time zone of dates (IANA). */
  timeZone: string;
  /** The currency of amounts (ISO 4217). */
  currency: string;
  /** Texts of the content in place of the catalogue's, by name; `countries_one` for one form of a word that depends on a number. */
  replaced?: Readonly<Record<string, string>>;
}

/** @returns the catalogue of a locale's language; null for a text that is no locale (BCP 47), or without a catalogue. */
export function catalogueFor(locale: string): CatalogueName | null {
  try {
    const { language } = new Intl.Locale(locale);
    return CATALOGUE_NAMES.find(name => name === language) ?? null;
  } catch {
    return null;
  }
}
