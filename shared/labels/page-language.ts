/** The languages of the catalogues, as the first part of a locale (BCP 47). */
export const CATALOGUE_NAMES = ['en', 'de', 'ar'] as const;
export type CatalogueName = (typeof CATALOGUE_NAMES)[number];

/** A text for each category of `Intl.PluralRules`. `other` replaces missing ones. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

export type CatalogueOf<English> = {
  readonly [Name in keyof English]: English[Name] extends string ? string : PluralForms;
};

export interface PageLanguage {
  catalogue: CatalogueName;
  /** The locale of words, dates and numbers (BCP 47), also for `<html lang>`. */
  locale: string;
  /** An IANA time zone. */
  timeZone: string;
  /** An ISO 4217 currency. */
  currency: string;
  /** Texts in place of the catalogue's, by name; `countries_one` for one plural form. */
  replaced?: Readonly<Record<string, string>>;
}

/** @returns the catalogue of a locale's language; null for an invalid locale, or without a catalogue. */
export function catalogueFor(locale: string): CatalogueName | null {
  try {
    const { language } = new Intl.Locale(locale);
    return CATALOGUE_NAMES.find(name => name === language) ?? null;
  } catch {
    return null;
  }
}
