import type { LanguageSettings, Settings } from '../../shared/content/settings.ts';
import { type AllWords, createLabels, type Labels } from '../../shared/labels/labels.ts';
import { catalogueFor, type PageLanguage } from '../../shared/labels/page-language.ts';
import type { Config } from '../config.ts';
import { WORDS } from './words.ts';

/** The language of the site, with its words. */
export interface SiteLanguage {
  readonly labels: Labels;
  /** The language as pages tell the browser. */
  readonly page: PageLanguage;
  /** The direction of its script, for `<html dir>`. */
  readonly dir: 'ltr' | 'rtl';
  /** Differs from the id of every other language: what was rendered in one language is kept by it. */
  readonly id: string;
}

/** @returns the language with its words. @param page the language as pages tell the browser. */
export function siteLanguage(page: PageLanguage): SiteLanguage {
  // TypeScript does not know this function of Intl.Locale yet (ECMA-402, Intl.Locale info).
  const locale = new Intl.Locale(page.locale) as Intl.Locale & { getTextInfo(): { direction: string } };
  return {
    labels: createLabels<AllWords>(page, WORDS[page.catalogue]),
    page,
    dir: locale.getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr',
    id: JSON.stringify(page),
  };
}

/** @returns the language that the settings ask for. What they leave open, and all of it without settings, is that of the configuration. */
export type LanguageOf = (settings: Settings | null) => SiteLanguage;

/** @returns a function that remembers the language of each settings. */
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
  }: Partial<LanguageSettings>): SiteLanguage {
    const locale = language ?? siteLocale;
    const isReplaced = Object.keys(labels).length > 0;
    return siteLanguage({
      catalogue: catalogueFor(locale) ?? 'en',
      locale,
      timeZone: timeZone ?? siteTimeZone,
      currency: currency ?? siteCurrency,
      ...(isReplaced ? { replaced: labels } : {}),
    });
  }
}

type ConfiguredLanguage = Pick<Config, 'siteLocale' | 'siteTimeZone' | 'siteCurrency'>;
