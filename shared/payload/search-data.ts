import type { siteTypes } from '../../site/types.ts';
import type { ShownArticle } from '../content/blog.ts';
import type { EntryType } from '../content/entries.ts';

/** Kinds of pages, as the addresses of the search name them: the paths of their types. */
export type SearchedKind = (typeof siteTypes)['article']['path'] | EntryType;

/** A text in parts: plain, searched for, plain, and so on. */
export type MarkedText = readonly string[];

export interface SearchResult {
  href: string;
  title: MarkedText;
  /** The best part of its text; empty for a suggestion. */
  snippet: MarkedText;
  /** The name of its category, or of its kind of page. */
  label: string;
  /** ISO 8601. */
  date: string | null;
}

interface SearchChoice {
  value: string;
  label: string;
}

/** The page of the search. In the catalogue, every other page would load its words. */
export interface SearchPageData {
  query: string;
  kind: SearchedKind | null;
  /** The slug of the chosen category. It counts only for articles. */
  category: string | null;
  filters: readonly {
    name: 'type' | 'category';
    label: string;
    chosen: string;
    choices: readonly SearchChoice[];
  }[];
  page: number;
  pageCount: number;
  results: readonly SearchResult[];
  /** The first sentence says how many pages were found. */
  status: readonly string[];
  /** Words to search for instead, if nothing was found. */
  nearest: readonly string[];
  newest: readonly ShownArticle[];
  words: {
    title: string;
    hint: string;
    nearest: string;
    wider: string | null;
    pages: string;
    previous: string;
    next: string;
    newest: string;
  };
}

export interface SearchSuggestions {
  results: readonly SearchResult[];
  /** The number of results in words, for assistive technology. */
  status: string;
}

export const SUGGESTIONS_PATH = '/search/suggestions.json';
