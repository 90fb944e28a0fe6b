import type { Settings } from '../../shared/content/settings.ts';
import ar from '../../shared/labels/ar.ts';
import arAnswers from '../../shared/labels/ar-answers.ts';
import arForms from '../../shared/labels/ar-forms.ts';
import de from '../../shared/labels/de.ts';
import deAnswers from '../../shared/labels/de-answers.ts';
import deForms from '../../shared/labels/de-forms.ts';
import en from '../../shared/labels/en.ts';
import enAnswers from '../../shared/labels/en-answers.ts';
import enForms from '../../shared/labels/en-forms.ts';
import { type AllWords, type CatalogueOf, createLabels, type Labels } from '../../shared/labels/labels.ts';
import { type CatalogueName, catalogueFor, type PageLanguage } from '../../shared/labels/page-language.ts';

import type { Config } from '../config.ts';

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

/** All catalogues: the server has each of them at hand. */
const CATALOGUES: Readonly<Record<CatalogueName, CatalogueOf<AllWords>>> = {
  en: { ...en, ...enForms, ...enAnswers },
  de: { ...de, ...deForms, ...deAnswers },
  ar: { ...ar, ...arForms, ...arAnswers },
};

/** @returns the language with its words. @param page the language as pages tell the browser. */
export function siteLanguage(page: PageLanguage): SiteLanguage {
  // TypeScript does not know this function of Intl.Locale yet (ECMA-402, Intl.Locale info).
  const locale = new Intl.Locale(page.locale) as Intl.Locale & { getTextInfo(): { direction: string } };
  return {
    labels: createLabels<AllWords>(page, CATALOGUES[page.catalogue]),
    page,
    dir: locale.getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr',
    id: JSON.stringify(page),
  };
}

/** @returns the language that the settings ask for. Without settings it is that of the configuration. */
export type LanguageOf = (settings: Settings | null) => SiteLanguage;

/** @returns a function that remembers the language in use. */
export function createLanguages({ siteLocale, siteTimeZone, siteCurrency }: ConfiguredLanguage): LanguageOf {
  const catalogue = catalogueFor(siteLocale) ?? 'en';
  const configured = siteLanguage({
    ...{ catalogue, locale: siteLocale, timeZone: siteTimeZone, currency: siteCurrency },
  });
  return () => configured;
}

type ConfiguredLanguage = Pick<Config, 'siteLocale' | 'siteTimeZone' | 'siteCurrency'>;
