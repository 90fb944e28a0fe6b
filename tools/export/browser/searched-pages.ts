import type { Options } from 'minisearch';
import { folded } from '../../../server/search/index/words.ts';
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

export interface SearchFile {
  readonly index: object;
  readonly language: PageLanguage;
  readonly words: CatalogueOf<SearchWords>;
}

export const SEARCH_WORDS = [
  ...(['searchNothing', 'searchPartly', 'searchWider', 'searchTitleOf', 'searchResults'] as const),
  'suggestionsFound',
] as const;
export type SearchWords = Pick<AllWords, (typeof SEARCH_WORDS)[number]>;

/** The options of the index, which must be the same for writing and reading it. */
export const INDEX: Options<SearchedPage> = {
  idField: 'href',
  fields: ['title', 'description', 'text'],
  storeFields: ['href', 'kind', 'category', 'title', 'description', 'date'],
  // `Munchen` finds `München`, as on the live site.
  processTerm: folded,
};
