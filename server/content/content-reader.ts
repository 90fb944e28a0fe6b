import type { Article, ArticleSummary, BlogPageConfig, ListPage } from '../../shared/content/blog.ts';
import type { Entry, EntrySummary } from '../../shared/content/entries.ts';
import type { LandingConfig } from '../../shared/content/landing.ts';
import type { Settings, Social } from '../../shared/content/settings.ts';
import type { RedirectTable } from '../../shared/routing/redirects.ts';
import type { Absence } from '../cache/kept-absences.ts';
import type { BackendError } from '../errors.ts';
import { emptyAnswer, isRefusal } from './answer-meaning.ts';
import type { ArticleAddress, PageRange } from './article-addresses.ts';
import type { Categories } from './categories.ts';
import type { Authors, ContentApi, EntryType } from './content-api.ts';
import type { ContentCache, ReadOptions } from './content-cache.ts';
import { type ContentRequest, digestOf } from './content-request.ts';
import { articleTags } from './lists.ts';
import type { Spelling } from './slug-lookup.ts';

/** The articles of the feed. A feed reader fetches it often, so the newest are enough. */
const NEWEST_ARTICLES = 30;

export interface ContentSource {
  api: ContentApi;
  cache: ContentCache;
  /** Calls the backend. */
  ask: ReadOptions['ask'];
}

/**
 * The role of content on a page. It decides what happens when the backend has never given the content:
 *
 * | role       | the backend refuses it (403) | the backend fails (5xx, no answer) |
 * |------------|------------------------------|------------------------------------|
 * | `made-of`  | the page is a 503            | the page is a 503                  |
 * | `used`     | the content counts as empty  | the page is a 503                  |
 * | `optional` | the content counts as empty  | the content counts as empty        |
 */
export type ContentRole = 'made-of' | 'used' | 'optional';

/** @returns the content that every page needs before it can be shown. */
export function startUpRequests(api: ContentApi): readonly ContentRequest<object>[] {
  return [api.mainPage(), api.categories(), api.authors(), api.settings(), api.landing()];
}

/**
 * Reads content for one page: through the cache and under the page's signal. The reader collects the provenance and versions of all
 * content that the page reads, and reports the cache's events for the request. Two reads of the same content cost one call.
 */
export class ContentReader {
  readonly #source: ContentSource;
  readonly #options: ReadOptions;
  readonly #tags = new Set<string>();
  readonly #versions = new Map<string, string>();
  readonly #absences: Absence[] = [];
  #generatedAt = Number.POSITIVE_INFINITY;
  #isInvalidated = false;
  #servedStale = false;
  #isIncomplete = false;
  readonly #refusals = new Map<string, BackendError>();

  constructor(source: ContentSource, { signal, onEvent }: Omit<ReadOptions, 'ask'>) {
    this.#source = source;
    this.#options = {
      ask: source.ask,
      signal,
      onEvent: event => {
        if (event.kind === 'stale') this.#servedStale = true;
        onEvent(event);
      },
    };
  }

  /** The tags of all content read so far. */
  get tags(): readonly string[] {
    return [...this.#tags];
  }

  /**
   * A digest of the keys and versions of all content read so far, whatever the order of the reads. Equal digests mean that a page
   * rendered from the content is equal, too.
   */
  get version(): string {
    return digestOf(JSON.stringify([...this.#versions].sort(([a], [b]) => (a < b ? -1 : 1))));
  }

  /** @returns the versions of the content under keys, read so far or cached, as one text. The text changes only when the content does. */
  versionOf(keys: readonly string[], from: 'read' | 'cached'): string {
    const { cache } = this.#source;
    return keys
      .map(key => (from === 'read' ? this.#versions.get(key) : cache.peek(key)?.value.version) ?? '')
      .join(' ');
  }

  /** When the oldest content read so far was loaded, in ms since the epoch. */
  get generatedAt(): number {
    return this.#generatedAt;
  }

  /** Whether some of the content read so far was already invalidated when it was read. */
  get isInvalidated(): boolean {
    return this.#isInvalidated;
  }

  /** Whether some of the content read so far was served stale because the backend failed. */
  get servedStale(): boolean {
    return this.#servedStale;
  }

  /** The content read so far that does not exist. */
  get absences(): readonly Absence[] {
    return this.#absences;
  }

  /** Whether optional content could not be loaded, so that the page lacks a part for now. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  /** The errors of refused content that counts as empty, by the path of its type. */
  get refusals(): ReadonlyMap<string, BackendError> {
    return this.#refusals;
  }

  // No page is made of settings, authors and redirects.
  settings(): Promise<Settings> {
    return this.#read(this.#source.api.settings(), 'used');
  }

  authors(): Promise<Authors> {
    return this.#read(this.#source.api.authors(), 'used');
  }

  redirects(): Promise<RedirectTable> {
    return this.#read(this.#source.api.redirects(), 'used');
  }

  socials(): Promise<readonly Social[]> {
    return this.#read(this.#source.api.socials(), 'optional');
  }

  landing(role: ContentRole = 'made-of'): Promise<LandingConfig> {
    return this.#read(this.#source.api.landing(), role);
  }

  blogPage(role: ContentRole = 'made-of'): Promise<BlogPageConfig> {
    return this.#read(this.#source.api.mainPage(), role);
  }

  categories(role: ContentRole = 'made-of'): Promise<Categories> {
    return this.#read(this.#source.api.categories(), role);
  }

  /** One page of a category's articles, newest first. `page` begins at 1. */
  async articlesOfCategory(
    slug: string,
    page: number,
    role: ContentRole = 'made-of',
  ): Promise<ListPage<ArticleSummary>> {
    const [order, { storedSlugs }] = await Promise.all([
      this.#read(this.#source.api.articleOrder(), role),
      this.categories(role),
    ]);
    return this.#read(this.#source.api.articlesOfCategory(slug, page, order, storedSlugs.get(slug)), role);
  }

  /** The newest articles of all categories that have an address: NEWEST_ARTICLES at most, in the order of all lists. */
  async newestArticles(role: ContentRole = 'made-of'): Promise<readonly ArticleSummary[]> {
    const order = await this.#read(this.#source.api.articleOrder(), role);
    return this.#read(this.#source.api.newestArticles(NEWEST_ARTICLES, order), role);
  }

  /** The number of all articles, with those that have no address. */
  async articleCount(): Promise<number> {
    return (await this.#read(this.#source.api.articleCount(), 'used')).total;
  }

  /** Reads the addresses of articles from the backend, page by page and without the cache. Rejects when a page cannot be loaded. */
  articleAddresses(range: PageRange): AsyncGenerator<readonly ArticleAddress[], void> {
    // Every change of an article or of a category may change an address.
    for (const tag of ['articles', 'categories']) this.#tags.add(tag);
    const { ask, signal } = this.#options;
    return this.#source.api.articleAddresses(call => ask(call, signal), range);
  }

  /**
   * @returns the article with a slug in a category; an article with the slug in another category if this one has none; null without any.
   *   The tags are those of this article alone: an article of the same slug is another page.
   */
  async article(category: string, slug: string): Promise<Article | null> {
    const isHere = (article: Article) => article.category?.slug === category;
    const load = (spelling: Spelling) =>
      this.#load(this.#source.api.articlesWithSlug(slug, spelling), 'made-of');
    let found = await load('canonical');
    // The category's own article may have its slug in another spelling than an article of another category.
    if (found.value && !found.value.some(isHere)) {
      const others = await load('any');
      if (others.value) found = others;
    }
    const articles = found.value ?? [];
    const article = articles.find(isHere) ?? articles.find(other => other.category) ?? articles[0] ?? null;
    this.#addTags(article ? articleTags(article) : found.tags);
    return article;
  }

  entries(type: EntryType, role: ContentRole = 'made-of'): Promise<readonly EntrySummary[]> {
    return this.#read(this.#source.api.entries(type), role);
  }

  entry(type: EntryType, slug: string, role: ContentRole = 'made-of'): Promise<Entry | null> {
    return this.#read(this.#source.api.entry(type, slug), role);
  }

  /** Whether redirects and categories, which decide where an address leads, are read without a wait for the backend. */
  get isAddressCached(): boolean {
    const { cache } = this.#source;
    return cache.peek('redirects') !== null && cache.isFresh('categories');
  }

  /** @returns the value in memory under a key, whatever its age, without a call to the backend. */
  peek<T extends object | null>(key: string): T | undefined {
    const entry = this.#source.cache.peek<T>(key);
    if (entry) this.#options.onEvent({ kind: 'peeked', key });
    return entry?.value.value;
  }

  async #read<T extends object | null>(request: ContentRequest<T>, role: ContentRole): Promise<T> {
    const { value, tags } = await this.#load(request, role);
    this.#addTags(tags);
    return value;
  }

  /** Reads content, and gives its tags to the caller. */
  async #load<T extends object | null>(
    request: ContentRequest<T>,
    role: ContentRole,
  ): Promise<{ value: T; tags: readonly string[] }> {
    const isOptional = role === 'optional';
    const { cache } = this.#source;
    const entry = await cache.read(request, { ...this.#options, isOptional }).catch((error: unknown) => {
      if (!isOptional || this.#options.signal.aborted) throw error;
      return null;
    });
    if (!entry) return this.#withoutOptional(request);
    const { value, tags, generatedAt, invalidated } = entry;
    if (value.value === null) this.#absences.push({ key: request.key, generatedAt, tags });
    const { emptyBecause } = value;
    if (emptyBecause && isRefusal(request.type, emptyBecause)) {
      if (role === 'made-of') throw emptyBecause;
      this.#refusals.set(request.type.path, emptyBecause);
    }
    this.#versions.set(request.key, value.version);
    this.#generatedAt = Math.min(this.#generatedAt, generatedAt);
    this.#isInvalidated ||= invalidated;
    return { value: value.value, tags };
  }

  #withoutOptional<T extends object | null>(request: ContentRequest<T>) {
    this.#isIncomplete = true;
    return request.decode([emptyAnswer(request.type)]);
  }

  #addTags(tags: readonly string[]): void {
    for (const tag of tags) this.#tags.add(tag);
  }
}
