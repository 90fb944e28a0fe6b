import type {
  Article,
  ArticleSummary,
  Author,
  BlogPageConfig,
  Category,
  CategoryRef,
  ListPage,
} from '../../shared/content/blog.ts';
import type { Entry, EntrySummary, ShownEntry } from '../../shared/content/entries.ts';
import type { LandingConfig } from '../../shared/content/landing.ts';
import type { Question } from '../../shared/content/links.ts';
import type { Settings, Social } from '../../shared/content/settings.ts';
import type { RedirectTable } from '../../shared/routing/redirects.ts';
import type { Absence } from '../cache/kept-absences.ts';
import { parseTag } from '../cache/tags.ts';
import type { BackendError } from '../errors.ts';
import { emptyAnswer, isRefusal } from './answer-meaning.ts';
import type { Categories } from './categories.ts';
import type { Authors, ContentApi, EntryType } from './content-api.ts';
import type { ContentCache, ReadOptions } from './content-cache.ts';
import { type ContentRequest, digestOf } from './content-request.ts';
import { cardTags, FIRST_OF_LIST, isMediaTag, tagNames } from './content-tags.ts';
import type { ArticleAddress, PageRange } from './lists/article-addresses.ts';
import { MAX_SHOWN_ROWS } from './lists/shown-rows.ts';
import type { KnownSlugs } from './slugs/known-slugs.ts';
import type { Spelling } from './slugs/slug-lookup.ts';

/** The articles of the feed. A feed reader fetches it often, so the newest are enough. */
const NEWEST_ARTICLES = 30;

export interface ContentSource {
  api: ContentApi;
  cache: ContentCache;
  /** Calls the backend. */
  ask: ReadOptions['ask'];
  /** Answers for the backend while many unknown slugs are asked for. Without it the backend is asked for each. */
  knownSlugs?: KnownSlugs;
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

/** The categories as links, breadcrumbs and lists show them. */
export interface CategoryLinks {
  list: readonly CategoryRef[];
  bySlug: ReadonlyMap<string, CategoryRef>;
  storedSlugs: Categories['storedSlugs'];
}

/** Content with its key and its tags. */
interface LoadedContent<T extends object | null> {
  key: string;
  value: T;
  tags: readonly string[];
  /** The tags of the entries in a complete list, by their names. */
  parts: ReadonlyMap<string, string>;
}

/** @returns the content that every page needs before it can be shown. */
export function startUpRequests(api: ContentApi): readonly ContentRequest<object>[] {
  return [api.mainPage(), api.categories(), api.authors(), api.settings(), api.landing()];
}

/**
 * Reads content for one page: through the cache and under the page's signal. The reader collects the tags of all content that the page
 * reads, and reports the cache's events for the request. Two reads of the same content cost one call.
 *
 * A method that returns a part of some content collects the tags of this part alone, so that the page stays fresh when the rest changes.
 */
export class ContentReader {
  readonly #source: ContentSource;
  readonly #options: ReadOptions;
  readonly #tags = new Set<string>();
  /** The keys of content that was read as a whole. The tags of all other content have versions. */
  readonly #wholes = new Set<string>();
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

  /** The tags of all content read so far, sorted: equal content gives equal tags, whatever the order of the reads. */
  get tags(): readonly string[] {
    return [...this.#tags].sort();
  }

  /**
   * A digest of the versions of all content read so far but the redirects. Equal digests mean that a page rendered from the content is equal,
   * too: redirects decide where an address leads, and no page shows them.
   */
  get version(): string {
    const shown = this.tags.filter(tag => parseTag(tag).name !== 'redirects');
    const wholes = [...this.#wholes]
      .filter(key => key !== 'redirects')
      .sort()
      .map(key => [key, this.#versions.get(key)]);
    return digestOf(JSON.stringify([shown, wholes]));
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
    return this.#read(this.#source.api.settings(), 'used', name => name === 'settings');
  }

  authors(): Promise<Authors> {
    return this.#read(this.#source.api.authors(), 'used', name => name === 'authors.all');
  }

  /** @returns the author with an id, or null. */
  async author(id: string): Promise<Author | null> {
    return this.#readEntry(this.#source.api.authors(), 'used', 'authors', value => value.byId.get(id));
  }

  /** @returns the name of the author with an id, or null. */
  async authorName(id: string): Promise<string | null> {
    const request = this.#source.api.authors();
    const author = await this.#readEntry(request, 'used', 'authors', value => value.byId.get(id), 'name');
    return author?.name ?? null;
  }

  redirects(): Promise<RedirectTable> {
    return this.#read(this.#source.api.redirects(), 'used', name => name === 'redirects');
  }

  socials(): Promise<readonly Social[]> {
    return this.#read(this.#source.api.socials(), 'optional', name => name === 'socials.all');
  }

  landing(role: ContentRole = 'made-of'): Promise<LandingConfig> {
    return this.#read(this.#source.api.landing(), role, name => name === 'landing');
  }

  /** The links of the subscribe block, which every page shows. */
  async subscribeSocials(): Promise<LandingConfig['subscribeBlockSocials']> {
    const isUsed = (name: string) => name === tagNames.part('landing', null, 'subscribe');
    return (await this.#read(this.#source.api.landing(), 'used', isUsed)).subscribeBlockSocials;
  }

  /** The contacts section of the landing page. */
  contacts(): Promise<Pick<LandingConfig, 'contactsBlock' | 'contactsListWithCheckmarks'>> {
    const isUsed = (name: string) => name === tagNames.part('landing', null, 'contacts');
    return this.#read(this.#source.api.landing(), 'used', isUsed);
  }

  blogPage(role: ContentRole = 'made-of'): Promise<BlogPageConfig> {
    return this.#read(this.#source.api.mainPage(), role, name => name === 'main-page');
  }

  /** The names and addresses of all categories. */
  categories(role: ContentRole = 'made-of'): Promise<CategoryLinks> {
    return this.#read(this.#source.api.categories(), role, name => name === 'categories.links');
  }

  /** @returns the category with a slug, or null. */
  async category(slug: string): Promise<Category | null> {
    const request = this.#source.api.categories();
    return this.#readEntry(request, 'made-of', 'categories', value => value.bySlug.get(slug));
  }

  /** @returns the questions of a category, which its articles without questions show. */
  async questionsOfCategory(slug: string): Promise<readonly Question[]> {
    const request = this.#source.api.categories();
    const find = (value: Categories) => value.bySlug.get(slug);
    return (await this.#readEntry(request, 'used', 'categories', find, 'questions'))?.questions ?? [];
  }

  /** One page of a category's articles, newest first. `page` begins at 1. */
  async articlesOfCategory(slug: string, page: number): Promise<ListPage<ArticleSummary>> {
    const isPart = /^authors:|\.(first|total|published)$/;
    return this.#read(await this.#listRequest(slug, page, 'made-of'), 'made-of', name => !isPart.test(name));
  }

  /** @returns the first articles of a category, as many as other pages show. The page does not depend on the articles after them. */
  async firstOfCategory(slug: string, role: ContentRole = 'made-of'): Promise<readonly ArticleSummary[]> {
    const list = await this.#read(await this.#listRequest(slug, 1, role), role, isFirstOfList);
    const items = list.items.slice(0, FIRST_OF_LIST);
    this.#addTags(items.flatMap(shownTags));
    return items;
  }

  /** @returns the number of a category's articles. */
  async countOfCategory(slug: string): Promise<number> {
    const isUsed = (name: string) => /^articles(\.lists|@.*\.total)$/.test(name);
    return (await this.#read(await this.#listRequest(slug, 1, 'made-of'), 'made-of', isUsed)).total;
  }

  /** @returns the newest article of all categories, or null. */
  async newestArticle(): Promise<ArticleSummary | null> {
    const [newest] = await this.#read(await this.#newestRequest('made-of'), 'made-of', isFirstOfList);
    if (!newest) return null;
    this.#addTags(shownTags(newest));
    return newest;
  }

  /** The newest articles of all categories that have an address: NEWEST_ARTICLES at most, in the order of all lists. */
  async newestArticles(role: ContentRole = 'made-of'): Promise<readonly ArticleSummary[]> {
    return this.#read(await this.#newestRequest(role), role);
  }

  /** The number of all articles, with those that have no address. */
  async articleCount(): Promise<number> {
    return (await this.#read(this.#source.api.articleCount(), 'used')).total;
  }

  /** Reads the addresses of articles from the backend, page by page and without the cache. Rejects when a page cannot be loaded. */
  articleAddresses(range: PageRange): AsyncGenerator<readonly ArticleAddress[], void> {
    // Every change of an article or of a category may change an address.
    this.#addTags([tagNames.any('articles'), tagNames.any('categories')]);
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
      this.#loadBySlug(this.#source.api.articlesWithSlug(slug, spelling), slug);
    let found = await load('canonical');
    // The category's own article may have its slug in another spelling than an article of another category.
    if (found.value && !found.value.some(isHere)) {
      const others = await load('any');
      if (others.value) found = others;
    }
    const articles = found.value ?? [];
    const article = articles.find(isHere) ?? articles.find(other => other.category) ?? articles[0] ?? null;
    const names = [
      tagNames.slug('articles', slug),
      ...(article ? [tagNames.entry('articles', article.id)] : []),
      ...(article?.category ? [tagNames.part('categories', article.category.id, 'link')] : []),
    ];
    this.#use(found, name => names.includes(name));
    return article;
  }

  async entries(type: EntryType, role: ContentRole = 'made-of'): Promise<readonly EntrySummary[]> {
    const request = this.#source.api.entries(type);
    const entries = await this.#read(request, role);
    this.#wholes.add(request.key);
    return entries;
  }

  /** The entries of a type as the cards of a list show them, MAX_SHOWN_ROWS at the most. */
  async cards(type: EntryType): Promise<readonly ShownEntry[]> {
    const content = await this.#load(this.#source.api.entries(type), 'used');
    const isPart = /\.(first|total|any)$/;
    this.#use(content, name => !isPart.test(name));
    const shown = content.value.slice(0, MAX_SHOWN_ROWS);
    this.#addTags(shown.flatMap(({ id }) => content.parts.get(tagNames.part(type, id, 'card')) ?? []));
    return shown;
  }

  async entry(type: EntryType, slug: string): Promise<Entry | null> {
    const content = await this.#loadBySlug(this.#source.api.entry(type, slug), slug);
    this.#use(content, name => !isPartOfEntry(name));
    return content.value;
  }

  /** @returns the title of the entry with a slug, for links to it; null where the entry does not exist or cannot be loaded. */
  async entryTitle(type: EntryType, slug: string): Promise<string | null> {
    const isUsed = (name: string, value: Entry | null) =>
      value ? name === tagNames.part(type, value.id, 'link') : true;
    return (await this.#read(this.#source.api.entry(type, slug), 'optional', isUsed))?.title ?? null;
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

  async #listRequest(slug: string, page: number, role: ContentRole) {
    const [order, { storedSlugs }] = await Promise.all([
      this.#read(this.#source.api.articleOrder(), role),
      this.categories(role),
    ]);
    return this.#source.api.articlesOfCategory(slug, page, order, storedSlugs.get(slug));
  }

  async #newestRequest(role: ContentRole) {
    const order = await this.#read(this.#source.api.articleOrder(), role);
    return this.#source.api.newestArticles(NEWEST_ARTICLES, order);
  }

  /** @param isUsed whether the page uses the part of the content that a tag names. Without it the page uses all of the content. */
  async #read<T extends object | null>(
    request: ContentRequest<T>,
    role: ContentRole,
    isUsed: (name: string, value: T) => boolean = () => true,
  ): Promise<T> {
    const content = await this.#load(request, role);
    this.#use(content, name => isUsed(name, content.value));
    return content.value;
  }

  /**
   * Reads one entry of a complete list, or null.
   *
   * @param part the part of the entry that the page uses. Without it the page uses all of the entry. Without an entry it depends on the list
   *   of all: the entry may come.
   */
  async #readEntry<T extends object, E extends { id: string }>(
    request: ContentRequest<T>,
    role: ContentRole,
    type: string,
    find: (value: T) => E | undefined,
    part?: string,
  ): Promise<E | null> {
    const content = await this.#load(request, role);
    const entry = find(content.value) ?? null;
    const name = entry && (part ? tagNames.part(type, entry.id, part) : tagNames.entry(type, entry.id));
    const tag = name === null ? undefined : content.parts.get(name);
    if (tag !== undefined) this.#addTags([tag]);
    else this.#use(content, known => known === `${type}.all`);
    return entry;
  }

  /** Collects those tags of content that name the parts which the page uses. */
  #use({ key, tags }: LoadedContent<object | null>, isUsed: (name: string) => boolean): void {
    const used = tags.map(tag => ({ tag, ...parseTag(tag) })).filter(({ name }) => isUsed(name));
    // Media files are found in the rendered page, which may show some of those in the content.
    this.#addTags(used.map(({ tag }) => tag).filter(tag => !isMediaTag(tag)));
    // Content without versioned tags, such as an absent entry, counts as a whole.
    if (!used.some(({ version }) => version !== null)) this.#wholes.add(key);
  }

  /** Reads the content with a slug, and leaves its tags to the caller. Content that is not in memory may be known to be absent. */
  async #loadBySlug<T extends object | null>(
    request: ContentRequest<T>,
    slug: string,
  ): Promise<LoadedContent<T>> {
    const { cache, knownSlugs } = this.#source;
    const { key, type } = request;
    const readAt = cache.peek(key) ? null : (knownSlugs?.absentSince(type, slug) ?? null);
    if (readAt === null) {
      const content = await this.#load(request, 'made-of');
      if (content.value === null) knownSlugs?.noteAbsent(type);
      return content;
    }
    const { value, tags, version } = await request.decode([emptyAnswer(type)]);
    this.#versions.set(key, version);
    this.#generatedAt = Math.min(this.#generatedAt, readAt);
    return { key, value, tags, parts: new Map<string, string>() };
  }

  /** Reads content, and leaves its tags to the caller. */
  async #load<T extends object | null>(
    request: ContentRequest<T>,
    role: ContentRole,
  ): Promise<LoadedContent<T>> {
    const isOptional = role === 'optional';
    const { cache } = this.#source;
    const entry = await cache.read(request, { ...this.#options, isOptional }).catch((error: unknown) => {
      if (!isOptional || this.#options.signal.aborted) throw error;
      return null;
    });
    if (!entry) return this.#withoutOptional(request);
    const { value, tags, generatedAt, invalidated } = entry;
    const { parts } = value;
    if (value.value === null) this.#absences.push({ key: request.key, generatedAt, tags });
    const { emptyBecause } = value;
    if (emptyBecause && isRefusal(request.type, emptyBecause)) {
      if (role === 'made-of') throw emptyBecause;
      this.#refusals.set(request.type.path, emptyBecause);
    }
    this.#versions.set(request.key, value.version);
    this.#generatedAt = Math.min(this.#generatedAt, generatedAt);
    this.#isInvalidated ||= invalidated;
    return { key: request.key, value: value.value, tags, parts };
  }

  async #withoutOptional<T extends object | null>(request: ContentRequest<T>): Promise<LoadedContent<T>> {
    this.#isIncomplete = true;
    const { value, tags, parts } = await request.decode([emptyAnswer(request.type)]);
    return { key: request.key, value, tags, parts };
  }

  #addTags(tags: readonly string[]): void {
    for (const tag of tags) this.#tags.add(tag);
  }
}

/** Selects the tags of a list for pages that show the first of its entries. */
const isFirstOfList = (name: string) => /^articles(\.lists|@.*\.first)$/.test(name);

/** @returns the tags of an article in a list, without its author, whom cards do not show. */
const shownTags = (article: ArticleSummary) => cardTags(article).filter(tag => !tag.startsWith('authors:'));

/** @returns whether a tag names a part of an entry, such as `pages:42.card`. */
function isPartOfEntry(name: string): boolean {
  const entry = name.indexOf(':');
  return entry !== -1 && name.includes('.', entry);
}
