import type { MarkedText, SearchedKind } from '../../shared/payload/search-data.ts';
import type { ArticleInCategory } from '../content/reading/read-values.ts';

/** The path below `/api` of a content type whose entries can be found. */
export type SearchedType = SearchedKind;

export interface SearchDocument {
  readonly slug: string;
  readonly title: string;
  /** The page's heading, if it differs from the title. */
  readonly h1: string | null;
  readonly description: string | null;
  /** The category's id; null outside of the blog. */
  readonly category: string | null;
  readonly author: { readonly id: string; readonly name: string } | null;
  readonly tags: readonly string[];
  /** The date shown with hits, in ms since the epoch. */
  readonly date: number | null;
  /** The time of publication, in ms since the epoch; null for an entry that is always public. */
  readonly from: number | null;
  /** The time from which the entry is no longer public, in ms since the epoch; null for never. */
  readonly until: number | null;
  /** The text and its sections as JSON: Markdown, HTML, Blocks or a dynamic zone. */
  readonly body: string;
}

export interface SearchRow {
  readonly id: string;
  /** The time of the row's last change, as the backend writes it; '' if unknown. */
  readonly stamp: string;
  /** The document; null for a row that must not be found, such as one without an address. */
  readonly document: SearchDocument | null;
}

/** Names that entries show, but that may change without a change of the entry. */
export interface SearchNames {
  readonly categories: readonly { readonly id: string; readonly name: string; readonly slug: string }[];
  readonly authors: readonly { readonly id: string; readonly name: string }[];
  readonly tags: readonly { readonly id: string; readonly name: string }[];
}

export interface SearchQuery {
  readonly text: string;
  readonly type: SearchedType | null;
  readonly category: string | null;
  readonly page: number;
  readonly size: number;
  readonly hasSnippets: boolean;
}

export interface SearchHit {
  readonly type: SearchedType;
  readonly slug: string;
  readonly category: { readonly name: string; readonly slug: string } | null;
  readonly title: MarkedText;
  readonly snippet: MarkedText;
  readonly date: number | null;
}

export interface SearchAnswer {
  readonly total: number;
  readonly hits: readonly SearchHit[];
  /** The words searched instead of the query. */
  readonly corrected: string | null;
  /** Whether no entry has all words of the query. The hits then have as many of them as possible. */
  readonly isPartial: boolean;
  /** Words of the index that resemble unknown words of the query. */
  readonly nearest: readonly string[];
  /** The next time at which a date shows or hides an entry, in ms since the epoch; null without one. */
  readonly until: number | null;
}

export type PlacedArticle = Pick<ArticleInCategory, 'id' | 'date' | 'category'>;

export interface TypeState {
  readonly count: number;
  /** The latest stamp of the rows; '' without rows. */
  readonly stamp: string;
}

export interface SearchWork {
  state(type: SearchedType): TypeState;
  put(type: SearchedType, rows: readonly SearchRow[]): void;
  remove(type: SearchedType, ids: readonly string[]): void;
  /** Removes the entries of a type except those with the ids. @returns whether all ids are known. */
  keep(type: SearchedType, ids: readonly string[]): boolean;
  names(names: SearchNames): void;
  find(query: SearchQuery): SearchAnswer;
  /** @returns null unless the article has a date and a category. */
  articleOf(slug: string): PlacedArticle | null;
  close(): void;
}

export type WorkName = keyof SearchWork;

/** A function of `SearchWork` with its arguments. */
export interface SearchTask {
  readonly id: number;
  readonly name: WorkName;
  readonly values: readonly unknown[];
}

export type SearchTaskResult =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };

/** The cache tag of everything that shows search results. */
export const SEARCH_TAG = 'search';
