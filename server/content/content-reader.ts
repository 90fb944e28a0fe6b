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
import type { Categories } from './categories.ts';
import { CollectingReader, type ContentRole, type LoadedContent } from './collecting-reader.ts';
import type { Authors, ContentApi, EntryType } from './content-api.ts';
import type { ContentRequest } from './content-request.ts';
import { FIRST_OF_LIST, MANY_FILES_TAG, tagNames } from './content-tags.ts';
import { isHiddenBy } from './decode/decode-seo.ts';
import type { ServedType } from './described-types.ts';
import type { ArticleAddress, PageRange } from './lists/article-addresses.ts';
import type { ArticleOrder } from './lists/article-order.ts';
import {
  type ArticleListRequest,
  chooseLists,
  type KnownList,
  NEWEST_ARTICLES,
  type Section,
  sectionsOf,
} from './lists/first-of-categories.ts';
import { MAX_SHOWN_ROWS } from './lists/shown-rows.ts';
import type { Spelling } from './slugs/slug-lookup.ts';

/** The categories as links, breadcrumbs and lists show them. */
export interface CategoryLinks {
  list: readonly CategoryRef[];
  bySlug: ReadonlyMap<string, CategoryRef>;
  storedSlugs: Categories['storedSlugs'];
}

/** @returns the content that every page needs before it can be shown. */
export function startUpRequests(api: ContentApi): readonly ContentRequest<object>[] {
  return [api.mainPage(), api.categories(), api.authors(), api.settings(), api.landing()];
}

/**
 * Reads each kind of content for one page. A method that returns a part of some content collects the tags of this part alone, so that the
 * page stays fresh when the rest changes.
 */
export class ContentReader extends CollectingReader {
  // No page is made of settings, authors and redirects.
  settings(): Promise<Settings> {
    return this.read(this.source.api.settings(), 'used', name => name === 'settings');
  }

  authors(): Promise<Authors> {
    return this.read(this.source.api.authors(), 'used', name => name === 'authors.all');
  }

  /** Begins to read the authors, for a page that learns only from other content which of them it shows. */
  expectAuthors(): void {
    this.begin(this.source.api.authors(), 'used');
  }

  /** @returns the author with an id, or null. */
  async author(id: string): Promise<Author | null> {
    return this.readEntry(this.source.api.authors(), 'used', 'authors', value => value.byId.get(id));
  }

  /** @returns the name of the author with an id, or null. */
  async authorName(id: string): Promise<string | null> {
    const request = this.source.api.authors();
    const author = await this.readEntry(request, 'used', 'authors', value => value.byId.get(id), 'name');
    return author?.name ?? null;
  }

  /** @returns the present slug of the entry that had a slug before; null without one. */
  async presentSlug(type: ServedType, slug: string): Promise<string | null> {
    return (await this.read(this.source.api.previousSlugs(type), 'optional')).get(slug) ?? null;
  }

  redirects(): Promise<RedirectTable> {
    return this.read(this.source.api.redirects(), 'used', name => name === 'redirects');
  }

  socials(): Promise<readonly Social[]> {
    return this.read(this.source.api.socials(), 'optional', name => name === 'socials.all');
  }

  landing(role: ContentRole = 'made-of'): Promise<LandingConfig> {
    return this.read(this.source.api.landing(), role, name => name === 'landing');
  }

  /** The links of the subscribe block, which every page shows. */
  async subscribeSocials(): Promise<LandingConfig['subscribeBlockSocials']> {
    const isUsed = (name: string) => name === tagNames.part('landing', null, 'subscribe');
    return (await this.read(this.source.api.landing(), 'used', isUsed)).subscribeBlockSocials;
  }

  /** The contacts section of the landing page. */
  contacts(): Promise<Pick<LandingConfig, 'contactsBlock' | 'contactsListWithCheckmarks'>> {
    const isUsed = (name: string) => name === tagNames.part('landing', null, 'contacts');
    return this.read(this.source.api.landing(), 'used', isUsed);
  }

  blogPage(role: ContentRole = 'made-of'): Promise<BlogPageConfig> {
    return this.read(this.source.api.mainPage(), role, name => name === 'main-page');
  }

  /** The names and addresses of all categories. */
  categories(role: ContentRole = 'made-of'): Promise<CategoryLinks> {
    return this.read(this.source.api.categories(), role, name => name === 'categories.links');
  }

  /** The categories that search engines may list. */
  async listedCategories(): Promise<readonly CategoryRef[]> {
    const isUsed = (name: string) => name === 'categories.all';
    const { list } = await this.read(this.source.api.categories(), 'used', isUsed);
    return list.filter(({ seo }) => !isHiddenBy(seo.robots));
  }

  /** @returns the category with a slug, or null. */
  async category(slug: string): Promise<Category | null> {
    const request = this.source.api.categories();
    return this.readEntry(request, 'made-of', 'categories', value => value.bySlug.get(slug));
  }

  /** @returns the questions of a category, which its articles without questions show. */
  async questionsOfCategory(slug: string): Promise<readonly Question[]> {
    const request = this.source.api.categories();
    const find = (value: Categories) => value.bySlug.get(slug);
    return (await this.readEntry(request, 'used', 'categories', find, 'questions'))?.questions ?? [];
  }

  /** The order of all lists of articles. */
  articleOrder(): Promise<ArticleOrder> {
    return this.read(this.source.api.articleOrder(), 'used');
  }

  /**
   * One page of a category's articles, newest first. `page` begins at 1. A page past the end is empty. The first page tells where the end is:
   * while it is fresh, a made-up number costs no call.
   */
  async articlesOfCategory(slug: string, page: number): Promise<ListPage<ArticleSummary>> {
    const { api, cache } = this.source;
    const endBefore = ({ key }: ArticleListRequest) => {
      const first = page > 1 && cache.isFresh(key) ? cache.peek<ListPage<ArticleSummary>>(key) : null;
      return first && first.value.value.pageCount < page ? first.value.value : null;
    };
    const { first, own } = await this.#planned(
      'made-of',
      (order, { storedSlugs }) => {
        const list = (number: number) => api.articlesOfCategory(slug, number, order, storedSlugs.get(slug));
        return { first: list(1), own: list(page) };
      },
      lists => (endBefore(lists.first) ? [] : [lists.first, lists.own]),
    );
    const end = endBefore(first);
    const isPart = /^authors:|\.(first|total|published)$/;
    const list = end ?? (await this.read(own, 'made-of', name => !isPart.test(name)));
    if (page === 1 || list.pageCount >= page) return list;
    // The page stays past the end as long as the list has as many articles.
    await this.read(first, 'made-of', isTotalOfList);
    return { ...list, page, items: [] };
  }

  /** @returns the first articles of a category, as many as other pages show. The page does not depend on the articles after them. */
  async firstOfCategory(slug: string, role: ContentRole = 'made-of'): Promise<readonly ArticleSummary[]> {
    return this.#firstOf(await this.load(await this.#listRequest(slug, 1, role), role), FIRST_OF_LIST);
  }

  /**
   * @returns the categories that the index of the blog shows, in their order, with the first articles of each: from the newest of all, from
   *   the newest of a group of categories, or from the category's own list where these have too few of it.
   */
  async firstOfCategories(): Promise<readonly { category: CategoryRef; first: readonly ArticleSummary[] }[]> {
    const { api, cache } = this.source;
    await this.#newestFromDisk();
    const loaded = new Map<string, LoadedContent<ListPage<ArticleSummary>>>();
    const contentOf: KnownList = key =>
      loaded.get(key) ?? cache.peek<ListPage<ArticleSummary>>(key)?.value ?? null;
    const choose = (sections: readonly Section[]) => chooseLists(sections, contentOf);
    const sections = await this.#planned(
      'made-of',
      (order, categories) => sectionsOf(api, order, categories, contentOf),
      sections => choose(sections).map(({ list }) => list),
    );
    for (;;) {
      const chosen = choose(sections);
      const missing = new Set(chosen.flatMap(({ list }) => (loaded.has(list.key) ? [] : [list])));
      if (missing.size === 0) return this.#firstsIn(loaded, chosen);
      await Promise.all(
        [...missing].map(async list => loaded.set(list.key, await this.load(list, 'made-of'))),
      );
    }
  }

  /**
   * Loads the newest articles of an earlier process, if it has left them on disk. They decide which other lists are needed, and without them
   * an index that is rendered while the backend is down would need lists that no process has loaded.
   */
  async #newestFromDisk(): Promise<void> {
    const { api, cache } = this.source;
    await cache.loadFromDisk([api.articleOrder()]);
    const order = this.#known(api.articleOrder());
    if (order) await cache.loadFromDisk([api.newestArticles(NEWEST_ARTICLES, order)]);
  }

  /** The lists have the tags of all their articles, so none is computed here. */
  #firstsIn(
    loaded: ReadonlyMap<string, LoadedContent<ListPage<ArticleSummary>>>,
    chosen: ReturnType<typeof chooseLists>,
  ): readonly { category: CategoryRef; first: readonly ArticleSummary[] }[] {
    const firsts = chosen.map(({ section: { category, firstName }, list }) => {
      const content = loaded.get(list.key);
      const items = content?.value.items ?? [];
      // A list of several categories has the tags of the first articles of each among its parts, any other one its own tags.
      this.addTags([content?.parts.get(firstName) ?? []].flat());
      const first = items.filter(article => article.category.slug === category.slug).slice(0, FIRST_OF_LIST);
      return { category, first };
    });
    const names = new Set([
      tagNames.lists('articles'),
      ...chosen.map(({ section }) => section.firstName),
      ...firsts.flatMap(({ first }) => first.flatMap(shownNames)),
    ]);
    for (const key of new Set(chosen.map(({ list }) => list.key))) {
      const content = loaded.get(key);
      if (content) this.use(content, name => names.has(name));
    }
    return firsts;
  }

  /** @returns the newest article of all categories, or null. */
  async newestArticle(): Promise<ArticleSummary | null> {
    const [newest] = this.#firstOf(await this.load(await this.#newestRequest('made-of'), 'made-of'), 1);
    return newest ?? null;
  }

  /** @returns the first articles of a list. The list has the tags of all its articles, so none is computed here. */
  #firstOf(content: LoadedContent<ListPage<ArticleSummary>>, count: number): readonly ArticleSummary[] {
    const first = content.value.items.slice(0, count);
    const names = new Set(first.flatMap(shownNames));
    this.use(content, name => names.has(name) || isFirstOfList(name));
    return first;
  }

  /** The newest articles of all categories that have an address: NEWEST_ARTICLES at most, in the order of all lists. */
  async newestArticles(role: ContentRole = 'made-of'): Promise<readonly ArticleSummary[]> {
    return (await this.read(await this.#newestRequest(role), role)).items;
  }

  /** The number of all articles, with those that have no address. */
  async articleCount(): Promise<number> {
    return (await this.read(this.source.api.articleCount(), 'used')).total;
  }

  /** Reads the lines of articles in the sitemap from the backend, page by page and without the cache. Rejects when a page cannot be loaded. */
  articleAddresses(range: PageRange): AsyncGenerator<readonly ArticleAddress[], void> {
    // Every change of an article, of a category or of a cover may change a line of the sitemap.
    this.addTags([tagNames.any('articles'), tagNames.any('categories'), MANY_FILES_TAG]);
    const { ask, signal } = this.options;
    return this.source.api.articleAddresses(call => ask(call, signal), range);
  }

  /**
   * @returns the article with a slug in a category; an article with the slug in another category if this one has none; null without any.
   *   The tags are those of this article alone: an article of the same slug is another page.
   */
  async article(category: string, slug: string): Promise<Article | null> {
    const isHere = (article: Article) => article.category?.slug === category;
    const load = (spelling: Spelling) =>
      this.loadBySlug(this.source.api.articlesWithSlug(slug, spelling), slug);
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
    this.use(found, name => names.includes(name));
    return article;
  }

  async entries(type: EntryType, role: ContentRole = 'made-of'): Promise<readonly EntrySummary[]> {
    const request = this.source.api.entries(type);
    const entries = await this.read(request, role);
    this.wholes.add(request.key);
    return entries;
  }

  /** The entries of a type as the cards of a list show them, MAX_SHOWN_ROWS at the most. */
  async cards(type: EntryType): Promise<readonly ShownEntry[]> {
    const content = await this.load(this.source.api.entries(type), 'used');
    const isPart = /\.(first|total|any)$/;
    this.use(content, name => !isPart.test(name));
    const shown = content.value.slice(0, MAX_SHOWN_ROWS);
    this.addTags(shown.flatMap(({ id }) => content.parts.get(tagNames.part(type, id, 'card')) ?? []));
    return shown;
  }

  async entry(type: EntryType, slug: string): Promise<Entry | null> {
    const content = await this.loadBySlug(this.source.api.entry(type, slug), slug);
    this.use(content, name => !isPartOfEntry(name));
    return content.value;
  }

  /** @returns the title of the entry with a slug, for links to it; null where the entry does not exist or cannot be loaded. */
  async entryTitle(type: EntryType, slug: string): Promise<string | null> {
    const isUsed = (name: string, value: Entry | null) =>
      value ? name === tagNames.part(type, value.id, 'link') : true;
    return (await this.read(this.source.api.entry(type, slug), 'optional', isUsed))?.title ?? null;
  }

  /** Whether redirects and categories, which decide where an address leads, are read without a wait for the backend. */
  get isAddressCached(): boolean {
    const { cache } = this.source;
    return cache.peek('redirects') !== null && cache.isFresh('categories');
  }

  /** @returns the value in memory under a key, whatever its age, without a call to the backend. */
  peek<T extends object | null>(key: string): T | undefined {
    const entry = this.source.cache.peek<T>(key);
    if (entry) this.options.onEvent({ kind: 'peeked', key });
    return entry?.value.value;
  }

  /** The lists of articles depend on their order and on the categories as the backend stores them. */
  #listRequest(slug: string, page: number, role: ContentRole): Promise<ArticleListRequest> {
    return this.#planned(
      role,
      (order, { storedSlugs }) =>
        this.source.api.articlesOfCategory(slug, page, order, storedSlugs.get(slug)),
      request => [request],
    );
  }

  async #newestRequest(role: ContentRole): Promise<ArticleListRequest> {
    const { api } = this.source;
    const known = this.#known(api.articleOrder());
    if (known) this.begin(api.newestArticles(NEWEST_ARTICLES, known), role);
    return api.newestArticles(NEWEST_ARTICLES, await this.read(api.articleOrder(), role));
  }

  /**
   * Plans the calls of lists. The order and the categories in memory, whatever their age, are most likely those of now, so the calls that
   * follow from them begin beside the calls for both: the page waits for the backend once.
   */
  async #planned<T>(
    role: ContentRole,
    plan: (order: ArticleOrder, categories: CategoryLinks) => T,
    requestsOf: (plan: T) => readonly ContentRequest<object>[],
  ): Promise<T> {
    const { api } = this.source;
    const known = { order: this.#known(api.articleOrder()), categories: this.#known(api.categories()) };
    if (known.order && known.categories)
      for (const request of requestsOf(plan(known.order, known.categories))) this.begin(request, role);
    const [order, categories] = await Promise.all([
      this.read(api.articleOrder(), role),
      this.categories(role),
    ]);
    return plan(order, categories);
  }

  #known<T extends object>({ key }: ContentRequest<T>): T | undefined {
    return this.source.cache.peek<T>(key)?.value.value;
  }
}

/** Selects the tags of a list for pages that depend on its length alone. */
const isTotalOfList = (name: string) => /^articles(\.lists|@.*\.total)$/.test(name);

/** Selects the tags of a list for pages that show the first of its entries. */
const isFirstOfList = (name: string) => /^articles(\.lists|@.*\.first)$/.test(name);

/** @returns the names of the tags of an article in a list, without its author, whom cards do not show. */
const shownNames = ({ id, category }: ArticleSummary) => [
  tagNames.part('articles', id, 'card'),
  tagNames.part('categories', category.id, 'link'),
];

/** @returns whether a tag names a part of an entry, such as `pages:42.card`. */
function isPartOfEntry(name: string): boolean {
  const entry = name.indexOf(':');
  return entry !== -1 && name.includes('.', entry);
}
