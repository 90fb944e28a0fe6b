import type { Settings } from '../../../shared/content/settings.ts';
import { type AllWords, createLabels, type Labels } from '../../../shared/labels/labels.ts';
import { catalogueFor, type PageLanguage } from '../../../shared/labels/page-language.ts';
import { WORDS } from '../../../site/all-words.ts';
import type { Config } from '../../config/config.ts';
import { asTyped, type Typeset, typographyOf } from '../../rich-text/nodes/typography.ts';

export interface SiteLanguage {
  readonly labels: Labels;
  readonly page: PageLanguage;
  readonly dir: 'ltr' | 'rtl';
  readonly typeset: Typeset;
  readonly id: string;
}

/** @param isAsTyped whether texts keep the quotes and dashes that editors have typed. */
export function siteLanguage(page: PageLanguage, isAsTyped = false): SiteLanguage {
  // The cast is safe: TypeScript lacks this function of Intl.Locale (ECMA-402, Intl.Locale info).
  const locale = new Intl.Locale(page.locale) as Intl.Locale & { getTextInfo(): { direction: string } };
  return {
    labels: createLabels<AllWords>(page, WORDS[page.catalogue]),
    page,
    dir: locale.getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr',
    typeset: isAsTyped ? asTyped : typographyOf(page.locale),
    id: JSON.stringify([page, isAsTyped]),
  };
}

export type LanguageOf = (settings: Settings | null) => SiteLanguage;

export function createLanguages({ siteLocale, siteTimeZone, siteCurrency }: ConfiguredLanguage): LanguageOf {
  const configured = languageFor({});
  const known = new WeakMap<Settings, SiteLanguage>();
  return settings => {
    if (settings === null) return configured;
    const language = known.get(settings) ?? languageFor(settings);
    known.set(settings, language);
    return language;
  };

  function languageFor({
    language,
    timeZone,
    currency,
    labels = {},
    keepsTyped = false,
  }: Partial<Settings>): SiteLanguage {
    const locale = language ?? siteLocale;
    const isReplaced = Object.keys(labels).length > 0;
    const page = {
      catalogue: catalogueFor(locale) ?? 'en',
      locale,
      timeZone: timeZone ?? siteTimeZone,
      currency: currency ?? siteCurrency,
      ...(isReplaced ? { replaced: labels } : {}),
    };
    return siteLanguage(page, keepsTyped);
  }
}

type ConfiguredLanguage = Pick<Config, 'siteLocale' | 'siteTimeZone' | 'siteCurrency'>;
