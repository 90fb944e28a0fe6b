import type { MarkedText, SearchedKind } from '../../shared/payload/search-data.ts';
import type { Invalidatable } from '../cache/tags/invalidation.ts';
import type { ArticleInCategory } from '../content/reading/content-reader.ts';

/** A type whose entries can be found, by its path below `/api`. */
export type SearchedType = SearchedKind;

/** An entry as the index receives it. */
export interface SearchDocument {
  readonly slug: string;
  readonly title: string;
  /** The heading of its page, if it differs from the title. */
  readonly h1: string | null;
  readonly description: string | null;
  /** An id; null outside of the blog. */
  readonly category: string | null;
  readonly author: { readonly id: string; readonly name: string } | null;
  readonly tags: readonly string[];
  /** The date that its hits show, in ms since the epoch. */
  readonly date: number | null;
  /** When it is published, in ms since the epoch; null for an entry that is always there. */
  readonly from: number | null;
  /** The text and its sections as JSON: Markdown, HTML, Blocks or a dynamic zone. */
  readonly body: string;
}

export interface SearchRow {
  readonly id: string;
  /** When the row was last changed, as the backend writes it; '' where it does not say. */
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
  readonly snippet: MarkedText;
  readonly date: number | null;
}

export interface SearchAnswer {
  /** How many entries match in all. */
  readonly total: number;
  readonly hits: readonly SearchHit[];
  /** The words that were searched for instead. */
  readonly corrected: string | null;
  /** Whether no entry has all words, and the hits are those with the most of them. */
  readonly isPartial: boolean;
  /** Words of the index that are like unknown words of the query. */
  readonly nearest: readonly string[];
  /** When the next article is published, in ms since the epoch; null if none waits. */
  readonly until: number | null;
}

export type PlacedArticle = Pick<ArticleInCategory, 'id' | 'date' | 'category'>;

/** The rows of a type in the index. */
export interface TypeState {
  readonly count: number;
  /** The latest stamp of its rows; '' without any. */
  readonly stamp: string;
}

/** The work of the thread. */
export interface SearchWork {
  state(type: SearchedType): TypeState;
  put(type: SearchedType, rows: readonly SearchRow[]): void;
  remove(type: SearchedType, ids: readonly string[]): void;
  /** Removes other entries of a type. @returns whether all of the ids are known. */
  keep(type: SearchedType, ids: readonly string[]): boolean;
  names(names: SearchNames): void;
  find(query: SearchQuery): SearchAnswer;
  /** @returns null without an article that has a date and a category. */
  articleOf(slug: string): PlacedArticle | null;
  close(): void;
}

export type WorkName = keyof SearchWork;

export interface Search {
  /** @throws SiteBusyError when too many queries wait; SearchUnavailableError. */
  find(query: SearchQuery): Promise<SearchAnswer>;
  /** @returns an article as the index read it; null where it cannot tell now. Never rejects. */
  articleOf(slug: string): Promise<PlacedArticle | null>;
  /** Whether the index lacks entries that are being read. */
  readonly isReading: boolean;
  /** @param afterMs how long the first reading waits, unless a visitor searches before. */
  begin(afterMs?: number): void;
  readonly layer: Invalidatable;
  /** Ends the reading, and then the thread of the index. */
  stop(): void;
  settled(): Promise<void>;
}

/** The tag of everything that shows an answer of the search. */
export const SEARCH_TAG = 'search';
