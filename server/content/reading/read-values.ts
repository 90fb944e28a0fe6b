import type { ArticleSummary } from '../../../shared/content/blog.ts';
import type { EntityOf } from '../../../shared/content/content-types.ts';
import type { CategoryRef } from '../../../shared/content/links.ts';

/**
 * The role decides the result if the backend has never given the content:
 *
 * | role | the backend refuses it (403) | the backend fails (5xx, no response) |
 * |------------|------------------------------|------------------------------------|
 * | `made-of` | the page is a 503 | the page is a 503 |
 * | `used` | the content counts as empty | the page is a 503 |
 * | `optional` | the content counts as empty | the content counts as empty |
 */
export type ContentRole = 'made-of' | 'used' | 'optional';

export interface NamedEntries<T> {
  list: readonly T[];
  byId: ReadonlyMap<string, T>;
  bySlug: ReadonlyMap<string, T>;
  /** Ids by slugs without German spelling (`muller` for `Müller`), which older addresses may have. */
  byPlainSlug: ReadonlyMap<string, string>;
}

export interface CategoryLinks<T extends CategoryRef = CategoryRef> {
  list: readonly T[];
  bySlug: ReadonlyMap<string, T>;
  /** Stored slugs by canonical slug, because filters of the backend compare stored texts. */
  storedSlugs: ReadonlyMap<string, string>;
}

export interface ArticleOrder {
  readonly by: 'date' | 'publishedAt';
}

export interface EntrySelection {
  readonly by: 'author' | 'tag';
  readonly id: string;
}
/** A period is a year (`2026`) or a month (`2026-11`). */
export type ArticleSelection = EntrySelection | { readonly by: 'period'; readonly id: string };

export type FeedSelection =
  | { readonly by: 'blog' }
  | { readonly by: 'category'; readonly storedSlug: string }
  | EntrySelection;

type FeedFields = Pick<
  EntityOf<'article'>,
  'id' | 'title' | 'description' | 'slug' | 'body' | 'sections' | 'date' | 'updatedAt' | 'cover'
>;
export interface FeedArticle extends FeedFields {
  readonly category: { readonly id: string; readonly name: string; readonly slug: string };
  readonly author: { readonly id: string; readonly name: string } | null;
  readonly tags: readonly { readonly name: string }[];
  readonly seo: { readonly metaRobots: string | null } | null;
  readonly coverFile: { readonly type: string | null; readonly bytes: number | null };
}

export interface LinkedArticle extends Pick<ArticleSummary, 'id' | 'title' | 'slug'> {
  readonly category: { readonly slug: string };
}

/** The neighbours of an article in its category; null at the ends of the list. */
export interface ArticlesAround {
  readonly newer: LinkedArticle | null;
  readonly older: LinkedArticle | null;
}

export interface ArticleInCategory {
  readonly id: string;
  readonly date: string;
  readonly category: string;
  readonly storedCategory: string;
}

export interface ArticleAddress {
  readonly slug: string;
  readonly updatedAt: string | null;
  readonly category: { readonly slug: string };
  readonly cover: string | null;
  readonly seo: { readonly metaRobots: string | null } | null;
}

export interface PageRange {
  first: number;
  last: number;
}

export interface PeriodCount {
  readonly period: string;
  readonly count: number;
}

/**
 * The events of a read. `peeked`: from memory at any age without a call, as for error pages. `joined`: waited
 * for the load of another reader. `stale`: older content or a negative entry replaced a failed load.
 */
export type ContentReadEvent = 'hit' | 'miss' | 'peeked' | 'joined' | 'stale' | 'failed';

export interface ReaderOptions {
  readonly signal: AbortSignal;
  readonly onEvent?: ((event: ContentReadEvent, key: string) => void) | undefined;
}
