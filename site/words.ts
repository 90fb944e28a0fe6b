import type { CatalogueName, CatalogueOf } from '../shared/labels/page-language.ts';
import type en from './words/en.ts';
import type enAnswers from './words/en-answers.ts';
import type enForms from './words/en-forms.ts';

/** Words of pages, of the form check, and of the server. */
export type PageWords = typeof en;
export type FormWords = typeof enForms;
export type AnswerWords = typeof enAnswers;

type Chunks<Words> = { readonly [Name in CatalogueName]: () => Promise<{ default: CatalogueOf<Words> }> };

/** The catalogues of pages. A browser loads only the page's language. */
export const catalogues: Chunks<PageWords> = {
  en: () => import('./words/en.ts'),
  de: () => import('./words/de.ts'),
  ar: () => import('./words/ar.ts'),
};

/** The catalogues of the form check, which browsers load with it. */
export const formCatalogues: Chunks<FormWords> = {
  en: () => import('./words/en-forms.ts'),
  de: () => import('./words/de-forms.ts'),
  ar: () => import('./words/ar-forms.ts'),
};
