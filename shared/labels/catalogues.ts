import type en from './en.ts';
import type { CatalogueOf } from './labels.ts';
import type { CatalogueName } from './page-language.ts';

/** Each catalogue has a chunk of its own, so that a browser loads that of the page alone. The build reads these lines. */
export const catalogues: {
  readonly [Name in CatalogueName]: () => Promise<{ default: CatalogueOf<typeof en> }>;
} = {
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  ar: () => import('./ar.ts'),
};
