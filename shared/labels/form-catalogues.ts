import type enForms from './en-forms.ts';
import type { CatalogueOf } from './labels.ts';
import type { CatalogueName } from './page-language.ts';

/** The words of the check of a form, which a browser loads with the check. */
export const formCatalogues: {
  readonly [Name in CatalogueName]: () => Promise<{ default: CatalogueOf<typeof enForms> }>;
} = {
  en: () => import('./en-forms.ts'),
  de: () => import('./de-forms.ts'),
  ar: () => import('./ar-forms.ts'),
};
