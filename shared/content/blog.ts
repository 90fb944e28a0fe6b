import type { Image } from './image.ts';
import type { JsonObject } from './json.ts';
import type { Question } from './links.ts';
import type { RichHeading, RichText } from './rich-text.ts';

export interface Category {
  /** `documentId ?? id` of the backend, as text: in Strapi 5 the numeric id changes at every publish. */
  id: string;
  name: string;
  description: string | null;
  /** The document's title. */
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

/** The part of a category that links, lists and breadcrumbs need. */
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

/** A complete article. An article without a category has no address, so its page is a 404. */
export interface Article extends Omit<ArticleSummary, 'category'> {
  category: CategoryRef | null;
  h1: string | null;
  body: RichText;
  /** The body's headings of the second and third level, in order. */
  headings: readonly RichHeading[];
  /** The reading time at 220 words a minute, at least 1. */
  readingMinutes: number;
  questions: readonly Question[];
  seo: Seo;
}

/** An editor's values for search engines and shared links. Null means the entry's own value. */
export interface Seo {
  title: string | null;
  description: string | null;
  image: Image | null;
}

/** The record `main-page`: the blog's start page. */
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
