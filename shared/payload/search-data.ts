import type { ShownArticle } from '../content/blog.ts';

/** The kinds of pages that can be found, as the addresses of the search name them. */
export const SEARCH_KINDS = ['articles', 'business-solutions', 'commerces', 'pages'] as const;
export type SearchedKind = (typeof SEARCH_KINDS)[number];

/** A text in parts: the first one is plain, the second one was searched for, and so on in turn. */
export type MarkedText = readonly string[];

/** A page that was found. */
export interface SearchResult {
  href: string;
  title: MarkedText;
  /** The best part of its text; empty for a suggestion. */
  snippet: MarkedText;
  /** The name of its category, or of its kind of page. */
  label: string;
  /** ISO 8601; null for a page without a date. */
  date: string | null;
}

/** A choice of a filter. */
interface SearchChoice {
  value: string;
  label: string;
}

/**
 * The page of the search. Its words come with it: in the catalogue, every other page would load them.
 */
export interface SearchPageData {
  /** Empty where nothing was asked for. */
  query: string;
  kind: SearchedKind | null;
  /** The slug of the chosen category. Only articles have one, so with another kind it is shown and does not count. */
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
  /** Sentences about the answer, the first of them about how many pages were found. */
  status: readonly string[];
  /** Words to search for instead, where nothing was found. */
  nearest: readonly string[];
  /** The newest articles, where nothing was found. */
  newest: readonly ShownArticle[];
  words: {
    title: string;
    hint: string;
    nearest: string;
    /** For a link to the same query without filters; null without filters. */
    wider: string | null;
    pages: string;
    previous: string;
    next: string;
    newest: string;
  };
}

/** The answer of `SUGGESTIONS_PATH`. */
export interface SearchSuggestions {
  results: readonly SearchResult[];
  /** How many there are, for assistive technology. */
  status: string;
}

/** The path of the suggestions. */
export const SUGGESTIONS_PATH = '/search/suggestions.json';

/** @returns the address of an answer of the search. */
export function searchAddress(
  query: string,
  {
    kind = null,
    category = null,
    page = 1,
  }: Partial<Pick<SearchPageData, 'kind' | 'category' | 'page'>> = {},
): string {
  const values = new URLSearchParams({ q: query });
  if (kind !== null) values.set('type', kind);
  if (category !== null) values.set('category', category);
  if (page > 1) values.set('page', String(page));
  return `/search?${values}`;
}
