import type { Options } from 'minisearch';
import type { AllWords } from '../../../shared/labels/labels.ts';
import type { CatalogueOf, PageLanguage } from '../../../shared/labels/page-language.ts';

/** A page in the index. `text` is searched and not stored. */
export interface SearchedPage {
  readonly href: string;
  readonly kind: string;
  readonly category: string;
  readonly title: string;
  readonly description: string;
  readonly date: string | null;
  readonly text?: string;
}

export type StoredPage = Omit<SearchedPage, 'text'>;

/** The file of the index. */
export interface SearchFile {
  readonly index: object;
  readonly language: PageLanguage;
  readonly words: CatalogueOf<SearchWords>;
}

/** The words of the answers, by their names in the catalogue. */
export type SearchWords = Pick<
  AllWords,
  'searchNothing' | 'searchPartly' | 'searchWider' | 'searchTitleOf' | 'searchResults' | 'suggestionsFound'
>;

/** Letters without marks, so that `Munchen` finds `München`. */
export function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The index has the same options when it is written and when it is read. */
export const INDEX: Options<SearchedPage> = {
  idField: 'href',
  fields: ['title', 'description', 'text'],
  storeFields: ['href', 'kind', 'category', 'title', 'description', 'date'],
  processTerm: plain,
};
