import type { Article, ArticleSummary, BlogPageConfig, ListPage } from '../../shared/content/blog.ts';
import type { Entry, EntrySummary } from '../../shared/content/entries.ts';
import type { LandingConfig } from '../../shared/content/landing.ts';
import type { Settings, Social } from '../../shared/content/settings.ts';
import type { RedirectTable } from '../../shared/routing/redirects.ts';
import type { Absence } from '../cache/kept-absences.ts';
import type { Authors, Categories, ContentApi, EntryType } from './content-api.ts';
import type { ContentCache, ReadOptions } from './content-cache.ts';
import { type ContentRequest, digestOf } from './content-request.ts';

/** The articles of the feed. A feed reader fetches it often, so the newest are enough. */
const NEWEST_ARTICLES = 30;

export interface ContentSource {
  api: ContentApi;
  cache: ContentCache;
  /** Calls the backend. */
  ask: ReadOptions['ask'];
}

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

  settings(): Promise<Settings> {
    return this.#read(this.#source.api.settings());
  }

  socials(): Promise<readonly Social[]> {
    return this.#read(this.#source.api.socials());
  }

  landing(): Promise<LandingConfig> {
    return this.#read(this.#source.api.landing());
  }

  blogPage(): Promise<BlogPageConfig> {
    return this.#read(this.#source.api.mainPage());
  }

  categories(): Promise<Categories> {
    return this.#read(this.#source.api.categories());
  }

  authors(): Promise<Authors> {
    return this.#read(this.#source.api.authors());
  }

  /** One page of a category's articles, newest first. `page` begins at 1. */
  async articlesOfCategory(slug: string, page: number): Promise<ListPage<ArticleSummary>> {
    const order = await this.#read(this.#source.api.articleOrder());
    return this.#read(this.#source.api.articlesOfCategory(slug, page, order));
  }

  allArticles(): Promise<readonly ArticleSummary[]> {
    return this.#read(this.#source.api.allArticles());
  }

  /** The newest articles of all categories that have an address: NEWEST_ARTICLES at most, in the order of all lists. */
  async newestArticles(): Promise<readonly ArticleSummary[]> {
    const order = await this.#read(this.#source.api.articleOrder());
    return this.#read(this.#source.api.newestArticles(NEWEST_ARTICLES, order));
  }

  article(slug: string): Promise<Article | null> {
    return this.#read(this.#source.api.article(slug));
  }

  entries(type: EntryType): Promise<readonly EntrySummary[]> {
    return this.#read(this.#source.api.entries(type));
  }

  /** @param isOptional whether the page is complete without the entry. A kept absence then stands in when the backend fails. */
  entry(type: EntryType, slug: string, isOptional = false): Promise<Entry | null> {
    return this.#read(this.#source.api.entry(type, slug), isOptional);
  }

  redirects(): Promise<RedirectTable> {
    return this.#read(this.#source.api.redirects());
  }

  /** Whether redirects and categories, which decide where an address leads, are in memory and fresh. */
  get isAddressCached(): boolean {
    return this.#source.cache.isFresh('redirects') && this.#source.cache.isFresh('categories');
  }

  /** @returns the value in memory under a key, whatever its age, without a call to the backend. */
  peek<T extends object | null>(key: string): T | undefined {
    const entry = this.#source.cache.peek<T>(key);
    if (entry) this.#options.onEvent({ kind: 'peeked', key });
    return entry?.value.value;
  }

  async #read<T extends object | null>(request: ContentRequest<T>, isOptional = false): Promise<T> {
    const { cache } = this.#source;
    const { value, tags, generatedAt, invalidated } = await cache.read(request, {
      ...this.#options,
      isOptional,
    });
    if (value.value === null) this.#absences.push({ key: request.key, generatedAt, tags });
    for (const tag of tags) this.#tags.add(tag);
    this.#versions.set(request.key, value.version);
    this.#generatedAt = Math.min(this.#generatedAt, generatedAt);
    this.#isInvalidated ||= invalidated;
    return value.value;
  }
}
