import type { AllWords } from '../shared/labels/labels.ts';
import type { CatalogueName, CatalogueOf } from '../shared/labels/page-language.ts';
import ar from './words/ar.ts';
import arAnswers from './words/ar-answers.ts';
import arForms from './words/ar-forms.ts';
import de from './words/de.ts';
import deAnswers from './words/de-answers.ts';
import deForms from './words/de-forms.ts';
import en from './words/en.ts';
import enAnswers from './words/en-answers.ts';
import enForms from './words/en-forms.ts';

export const WORDS: Readonly<Record<CatalogueName, CatalogueOf<AllWords>>> = {
  en: { ...en, ...enForms, ...enAnswers },
  de: { ...de, ...deForms, ...deAnswers },
  ar: { ...ar, ...arForms, ...arAnswers },
};

const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

/** Names for replacing texts in the content; `countries_one` for one plural form, as in i18next. */
export const WORD_NAMES: readonly string[] = Object.entries<string | object>(WORDS.en)
  .flatMap(([name, text]) =>
    typeof text === 'string' ? [name] : [name, ...FORMS.map(form => `${name}_${form}`)],
  )
  .sort();
