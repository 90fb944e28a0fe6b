import type {
  Article,
  ArticleSummary,
  Author,
  BlogPageConfig,
  Category,
  ListPage,
  Tag,
  TagRef,
} from '../../../shared/content/blog.ts';
import type { EntityOf } from '../../../shared/content/content-types.ts';
import type { Entry, EntrySummary, EntryType } from '../../../shared/content/entries.ts';
import type { LandingConfig } from '../../../shared/content/landing.ts';
import type { CategoryRef } from '../../../shared/content/links.ts';
import type { Settings, Social } from '../../../shared/content/settings.ts';
import type { RedirectTable } from '../../../shared/routing/redirects.ts';
import type { NegativeEntry } from '../../cache/disk/negative-entries.ts';
import type { ShownDates } from '../../decode/shown-dates.ts';
import type { BackendError } from '../../errors.ts';
import type { ServedType } from '../../wire/described-types.ts';
import type { PreviousSlugs } from '../slugs/previous-slugs.ts';

/**
 * The role decides the result if the backend has never given the content:
 *
 * | role | the backend refuses it (403) | the backend fails (5xx, no answer) |
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
  /** Ids by the slugs in a site of another language: addresses before the spelling of German names. */
  byPlainSlug: ReadonlyMap<string, string>;
}

export interface CategoryLinks {
  list: readonly CategoryRef[];
  bySlug: ReadonlyMap<string, CategoryRef>;
  /** Stored slugs by canonical slug, because filters compare stored texts. */
  storedSlugs: ReadonlyMap<string, string>;
}

/** The field that sorts all lists of articles, newest first. */
export interface ArticleOrder {
  readonly by: 'date' | 'publishedAt';
}

export interface EntrySelection {
  readonly by: 'author' | 'tag';
  readonly id: string;
}
/** A period is a year (`2026`) or a month (`2026-11`). */
export type ArticleSelection = EntrySelection | { readonly by: 'period'; readonly id: string };

/** `storedSlug` is a category's slug as stored in the backend. */
export type FeedSelection =
  | { readonly by: 'blog' }
  | { readonly by: 'category'; readonly storedSlug: string }
  | EntrySelection;

export interface FeedFile {
  /** The media type, such as `image/png`. */
  readonly type: string | null;
  /** The size to the nearest ten bytes; null if unknown. */
  readonly bytes: number | null;
}

type FeedFields = Pick<
  EntityOf<'article'>,
  'id' | 'title' | 'description' | 'slug' | 'body' | 'sections' | 'date' | 'updatedAt' | 'cover'
>;
export interface FeedArticle extends FeedFields {
  readonly category: { readonly id: string; readonly name: string; readonly slug: string };
  readonly author: { readonly id: string; readonly name: string } | null;
  readonly tags: readonly { readonly name: string }[];
  readonly seo: { readonly metaRobots: string | null } | null;
  readonly coverFile: FeedFile;
}

export interface LinkedArticle {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
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

/** A range of pages of rows, from 1. */
export interface PageRange {
  first: number;
  last: number;
}

/** A year (`2026`) or a month (`2026-11`) with its number of articles. */
export interface PeriodCount {
  readonly period: string;
  readonly count: number;
}

export interface ReadContent {
  /** The sorted tags, so that equal content gives equal tags. */
  readonly tags: readonly string[];
  /** A digest of the content. Equal digests mean equal pages. */
  readonly version: string;
  versionOf(keys: readonly string[], from: 'read' | 'cached'): string;
  /** The time at which the oldest content was loaded, in ms since the epoch. */
  readonly generatedAt: number;
  /** When content changes without an event. */
  readonly dates: ShownDates;
  /** Whether any content was invalidated before it was read. */
  readonly isInvalidated: boolean;
  /** Whether any content is stale because the backend failed. */
  readonly servedStale: boolean;
  readonly negatives: readonly NegativeEntry[];
  /** Whether optional content could not be loaded. */
  readonly isIncomplete: boolean;
  /** The refused content that counts as empty, by the path of its type. */
  readonly refusals: ReadonlyMap<string, BackendError>;
}

/**
 * Reads content for one page under its signal. Each method collects the tags of its result. A second read
 * returns the first entry, even if the cache has a newer one.
 *
 * A method rejects with a BackendError if it cannot load content that the page needs (ContentRole). A missing
 * entry is null. `expect…` begins a read whose result is needed later.
 */
export interface ContentReader extends ReadContent {
  settings(): Promise<Settings>;
  landing(role?: ContentRole): Promise<LandingConfig>;
  blogPage(role?: ContentRole): Promise<BlogPageConfig>;
  subscribeSocials(): Promise<LandingConfig['subscribeBlockSocials']>;
  contacts(): Promise<Pick<LandingConfig, 'contactsBlock' | 'contactsListWithCheckmarks'>>;
  socials(): Promise<readonly Social[]>;
  redirects(): Promise<RedirectTable>;

  categories(role?: ContentRole): Promise<CategoryLinks>;
  /** @returns the categories without those hidden from search engines. */
  listedCategories(): Promise<readonly CategoryRef[]>;
  category(slug: string): Promise<Category | null>;
  expectCategory(slug: string): Promise<void>;
  /** @returns the offer of a category's articles, and the questions for those without their own. */
  forArticlesOf(slug: string): Promise<Pick<Category, 'questions' | 'cta'> | null>;

  authors(): Promise<NamedEntries<Author>>;
  expectAuthors(): void;
  author(id: string): Promise<Author | null>;
  authorWithSlug(slug: string): Promise<Author | null>;
  authorLink(id: string): Promise<Pick<Author, 'name' | 'slug'> | null>;
  authorLinks(): Promise<readonly Pick<Author, 'id' | 'name' | 'slug'>[]>;
  /** @returns the author whose former slug or name gives this slug. */
  authorBefore(slug: string): Promise<Author | null>;

  tagWithSlug(slug: string): Promise<Tag | null>;
  tagLink(id: string): Promise<TagRef | null>;
  tagLinks(): Promise<readonly Pick<Tag, 'id' | 'name' | 'slug'>[]>;
  /** @returns the tag whose former slug or name gives this slug. */
  tagBefore(slug: string): Promise<TagRef | null>;

  /** Reads an article, preferably of this category, else of any. */
  article(category: string, slug: string): Promise<Article | null>;
  /** @returns the renamed entries of a type, by their former slugs. */
  previousSlugs(type: ServedType): Promise<PreviousSlugs>;
  /** @returns the current slug of the entry with a former slug. */
  presentSlug(type: ServedType, slug: string): Promise<string | null>;
  articlesAround(article: {
    readonly id: string;
    readonly date: string;
    readonly category: CategoryRef;
  }): Promise<ArticlesAround>;
  /** Never rejects. @param expected an earlier version of the article. */
  expectArticlesAround(
    expected: Promise<Pick<ArticleInCategory, 'id' | 'date' | 'category'> | null>,
  ): Promise<void>;
  /** @returns a category's articles, newest first. `page` begins at 1. */
  articlesOfCategory(slug: string, page: number): Promise<ListPage<ArticleSummary>>;
  /** @returns a selection's articles, newest first. `page` begins at 1. */
  articlesOf(selection: ArticleSelection, page: number): Promise<ListPage<ArticleSummary>>;
  hasArticles(selection: EntrySelection): Promise<boolean>;
  firstOfTag(id: string): Promise<readonly ArticleSummary[]>;
  firstOfCategory(slug: string, role?: ContentRole): Promise<readonly ArticleSummary[]>;
  /** The sections of the blog's index. */
  firstOfCategories(): Promise<readonly { category: CategoryRef; first: readonly ArticleSummary[] }[]>;
  newestArticle(): Promise<ArticleSummary | null>;
  newestArticles(role?: ContentRole): Promise<readonly ArticleSummary[]>;
  articlesOfFeed(selection: FeedSelection): Promise<readonly FeedArticle[]>;
  articleOrder(): Promise<ArticleOrder>;
  articleCount(): Promise<number>;
  /** Reads addresses for the sitemap in slices, without the cache. */
  articleAddresses(range: PageRange): AsyncGenerator<readonly ArticleAddress[], void>;
  /** @returns the years, the newest first. */
  years(): Promise<readonly PeriodCount[]>;
  monthsOf(year: string): Promise<readonly PeriodCount[]>;

  entries(type: EntryType, role?: ContentRole): Promise<readonly EntrySummary[]>;
  cards(type: EntryType, role?: ContentRole): Promise<readonly EntrySummary[]>;
  entry(type: EntryType, slug: string): Promise<Entry | null>;
  /** @returns the title for links; null if the entry is missing or cannot be loaded. */
  entryTitle(type: EntryType, slug: string): Promise<string | null>;

  /** Whether redirects and categories can be read without waiting for the backend. */
  readonly isAddressCached: boolean;
  /** Reads from memory at any age, without a call to the backend. */
  peek<T extends object | null>(key: string): T | undefined;
  cachedSettings(): Settings | null;
  /** Notes a value that the page shows besides content. @param name a tag. @param value plain JSON. */
  note(name: string, value: unknown): void;
  /** Notes when the page changes without an event, besides the dates of the content that it reads. */
  endAt(dates: ShownDates): void;
}

export type ContentReadEvent =
  | { kind: 'hit' | 'miss'; key: string }
  /** A read from memory at any age without a call, as for error pages. */
  | { kind: 'peeked'; key: string }
  /** A read that waited for the load of another reader. */
  | { kind: 'joined'; key: string }
  /** A failed load, answered by older content or a negative entry. */
  | { kind: 'stale'; key: string }
  | { kind: 'failed'; key: string; error: unknown };

export interface ReaderOptions {
  /** Ends this reader's wait when it aborts. */
  readonly signal: AbortSignal;
  onEvent(event: ContentReadEvent): void;
}

export type OpenReader = (options: ReaderOptions) => ContentReader;
