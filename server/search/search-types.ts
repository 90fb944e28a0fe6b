import { type MarkedText, SEARCH_KINDS, type SearchedKind } from '../../shared/payload/search-data.ts';
import type { ArticleInCategory } from '../content/lists/articles-around.ts';

/** The types whose entries can be found, by their paths below `/api`. */
export const SEARCHED_TYPES = SEARCH_KINDS;
export type SearchedType = SearchedKind;

/** An entry as the index takes it. */
export interface SearchDocument {
  readonly slug: string;
  readonly title: string;
  /** The heading of its page, if it is another text than the title. */
  readonly h1: string | null;
  readonly description: string | null;
  /** The id of its category; null outside of the blog. */
  readonly category: string | null;
  readonly author: { readonly id: string; readonly name: string } | null;
  /** The ids of its tags. */
  readonly tags: readonly string[];
  /** The date that its hits show, in ms since the epoch; null for none. */
  readonly date: number | null;
  /** When it is published, in ms since the epoch; null for an entry that is always there. */
  readonly from: number | null;
  /** The text and its sections as the backend has them, as JSON: Markdown, HTML, Blocks or a dynamic zone. */
  readonly body: string;
}

/** A row of the backend. */
export interface SearchRow {
  readonly id: string;
  /** When the row was changed last, as the backend writes it; '' where it does not say. */
  readonly stamp: string;
  /** Null for a row that must not be found, such as one without an address. It is counted all the same. */
  readonly document: SearchDocument | null;
}

/** Names that entries show and that change without them. */
export interface SearchNames {
  readonly categories: readonly { readonly id: string; readonly name: string; readonly slug: string }[];
  readonly authors: readonly { readonly id: string; readonly name: string }[];
  readonly tags: readonly { readonly id: string; readonly name: string }[];
}

/** A question of a visitor. */
export interface SearchQuery {
  readonly text: string;
  readonly type: SearchedType | null;
  /** The slug of a category. */
  readonly category: string | null;
  /** From 1. */
  readonly page: number;
  /** The most hits on a page. */
  readonly size: number;
  /** Whether the hits come with a part of their text. */
  readonly hasSnippets: boolean;
}

export interface SearchHit {
  readonly type: SearchedType;
  readonly slug: string;
  readonly category: { readonly name: string; readonly slug: string } | null;
  readonly title: MarkedText;
  /** The best part of its text. */
  readonly snippet: MarkedText;
  readonly date: number | null;
}

export interface SearchAnswer {
  /** How many entries match in all. */
  readonly total: number;
  readonly hits: readonly SearchHit[];
  /** The words that were searched for instead; null where those of the query were found. */
  readonly corrected: string | null;
  /** Whether no entry has all words, and the hits are those with the most of them. */
  readonly isPartial: boolean;
  /** Words of the index that are like a query's words which no text has. */
  readonly nearest: readonly string[];
  /** When the next article is published by its date, in ms since the epoch; null if none waits. */
  readonly until: number | null;
}

/** An article as its neighbours are asked for. */
export type PlacedArticle = Pick<ArticleInCategory, 'id' | 'date' | 'category'>;

/** The rows of a type in the index. */
export interface TypeState {
  readonly count: number;
  /** The latest stamp of its rows; '' without any. */
  readonly stamp: string;
}

/** The work of the thread, each with its arguments and its result. */
export interface SearchWork {
  state(type: SearchedType): TypeState;
  put(type: SearchedType, rows: readonly SearchRow[]): void;
  remove(type: SearchedType, ids: readonly string[]): void;
  /** Removes the entries of a type that are not among the ids. @returns whether all of the ids are known. */
  keep(type: SearchedType, ids: readonly string[]): boolean;
  names(names: SearchNames): void;
  find(query: SearchQuery): SearchAnswer;
  /** @returns the article with a slug; null without one that has a date and a category. */
  articleOf(slug: string): PlacedArticle | null;
  close(): void;
}

export type WorkName = keyof SearchWork;
