import type { siteTypes } from '../../site/types.ts';
import type { ShownArticle } from '../content/blog.ts';
import type { EntryType } from '../content/entries.ts';
import type { PageLink } from '../content/links.ts';

/** A kind of page that a search can be limited to. The value is also in the URL of the search. */
export type SearchedKind = (typeof siteTypes)['article']['path'] | EntryType;

/** A text in parts, alternately plain and matched. */
export type MarkedText = readonly string[];

export interface SearchResult {
  href: string;
  title: MarkedText;
  /** The best part of the text; empty for a suggestion. */
  snippet: MarkedText;
  /** The name of the category, or of the kind of page. */
  label: string;
  date: string | null;
}

interface SearchChoice {
  value: string;
  label: string;
}

/** The data of the search page, including its words. In the catalogue, every page would load those. */
export interface SearchPageData {
  query: string;
  kind: SearchedKind | null;
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
  /** Sentences about the result. The first one says how many pages were found. */
  status: readonly string[];
  /** Words to search for instead, if nothing was found. */
  nearest: readonly string[];
  newest: readonly ShownArticle[];
  /** Where to go on without results: the categories, and the pages of the header. */
  ways: readonly { title: string; links: readonly PageLink[] }[];
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
  status: string;
}

export const SUGGESTIONS_PATH = '/search/suggestions.json';
