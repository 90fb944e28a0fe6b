import type { Image } from './image.ts';
import type { JsonObject } from './json.ts';
import type { Question } from './links.ts';
import type { RichHeading, RichText } from './rich-text.ts';

export interface Category {
  /** `documentId ?? id` of the backend, as text: in Strapi 5 the numeric id changes at every publish. */
  id: string;
  name: string;
  description: string | null;
  /** For the document's title. */
  title: string | null;
  h1: string | null;
  slug: string;
  questions: readonly Question[];
}

export interface Author {
  id: string;
  name: string;
  description: string | null;
  position: string | null;
  /** The first image of the author. */
  image: Image | null;
}

/** What links, lists and breadcrumbs need of a category. */
export interface CategoryRef {
  id: string;
  name: string;
  slug: string;
}

/** An article as the lists show it: everything but its body. */
export interface ArticleSummary {
  id: string;
  title: string;
  description: string | null;
  slug: string;
  category: CategoryRef;
  author: Author | null;
  cover: Image | null;
  /** ISO 8601: `date ?? publishedAt ?? createdAt`. */
  date: string;
  updatedAt: string | null;
}

/** An article in full. Without a category it has no address: then `category` is null and it is answered with 404. */
export interface Article extends Omit<ArticleSummary, 'category'> {
  category: CategoryRef | null;
  h1: string | null;
  body: RichText;
  /** The body's second and third level headings, in order. */
  headings: readonly RichHeading[];
  /** At 220 words a minute, at least 1. */
  readingMinutes: number;
  questions: readonly Question[];
  seo: Seo;
}

/** What an editor may set for search engines and shared links; null means: take the entry's own. */
export interface Seo {
  title: string | null;
  description: string | null;
  image: Image | null;
}

/** The record `main-page`: the blog's own page. */
export interface BlogPageConfig {
  /** All attributes of the record. They stay on the server. */
  attributes: JsonObject;
  title: string | null;
  description: string | null;
  h1: string | null;
  questions: readonly Question[];
}

/** One page of a list, 1-based. */
export interface ListPage<T> {
  items: readonly T[];
  page: number;
  pageCount: number;
  total: number;
}
