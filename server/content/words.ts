import ar from '../../shared/labels/ar.ts';
import arAnswers from '../../shared/labels/ar-answers.ts';
import arForms from '../../shared/labels/ar-forms.ts';
import de from '../../shared/labels/de.ts';
import deAnswers from '../../shared/labels/de-answers.ts';
import deForms from '../../shared/labels/de-forms.ts';
import en from '../../shared/labels/en.ts';
import enAnswers from '../../shared/labels/en-answers.ts';
import enForms from '../../shared/labels/en-forms.ts';
import type { AllWords, CatalogueOf } from '../../shared/labels/labels.ts';
import type { CatalogueName } from '../../shared/labels/page-language.ts';

/** All words in all languages: the server has each catalogue at hand. */
export const WORDS: Readonly<Record<CatalogueName, CatalogueOf<AllWords>>> = {
  en: { ...en, ...enForms, ...enAnswers },
  de: { ...de, ...deForms, ...deAnswers },
  ar: { ...ar, ...arForms, ...arAnswers },
};
