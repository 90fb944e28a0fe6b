import { catalogues } from '../shared/labels/catalogues.ts';
import type en from '../shared/labels/en.ts';
import { createLabels, type PageLabels } from '../shared/labels/labels.ts';
import type { PageLanguage } from '../shared/labels/page-language.ts';

/** Loads the words of the page's language: that catalogue alone. Rejects when its chunk cannot be loaded. */
export async function loadLabels(language: PageLanguage): Promise<PageLabels> {
  const { default: catalogue } = await catalogues[language.catalogue]();
  return createLabels<typeof en>(language, catalogue);
}
