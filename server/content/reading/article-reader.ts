import type { ArticleSummary, ListPage } from '../../../shared/content/blog.ts';
import type { CategoryRef } from '../../../shared/content/links.ts';
import { siteTypes } from '../../../site/types.ts';
import type { ShownDates } from '../../decode/shown-dates.ts';
import {
  type ArticleListRequest,
  chooseLists,
  type KnownList,
  NEWEST_ARTICLES,
  NO_LIST,
  type Section,
  sectionsOf,
} from '../articles/first-of-categories.ts';
import type { NextDate } from '../articles/publication.ts';
import type { ContentRequest } from '../requests/content-request.ts';
import { aroundName } from '../tags/article-tags.ts';
import { FIRST_OF_LIST, tagNames } from '../tags/content-tags.ts';
import { MANY_FILES_TAG } from '../tags/media-tags.ts';
import { CollectingReader, type LoadedContent } from './collecting-reader.ts';
import type {
  ArticleAddress,
  ArticleInCategory,
  ArticleOrder,
  ArticleSelection,
  ArticlesAround,
  CategoryLinks,
  ContentRole,
  EntrySelection,
  FeedArticle,
  FeedSelection,
  PageRange,
} from './read-values.ts';

const ARTICLES = siteTypes.article.path;

export abstract class ArticleReader extends CollectingReader {
  categories(role: ContentRole = 'made-of'): Promise<CategoryLinks> {
    return this.readPart(this.source.api.categories(), role, '.links');
  }

  articleOrder(): Promise<ArticleOrder> {
    return this.#order('used');
  }

  /** `page` begins at 1. While the first page is fresh, a page past the end costs no call. */
  articlesOfCategory(slug: string, page: number): Promise<ListPage<ArticleSummary>> {
    const { api } = this.source;
    return this.#pageOf(page, (number, order, { storedSlugs }) =>
      api.articlesOfCategory(slug, number, order, storedSlugs.get(slug)),
    );
  }

  articlesOf(selection: ArticleSelection, page: number): Promise<ListPage<ArticleSummary>> {
    const { api } = this.source;
    return this.#pageOf(page, (number, order) => api.articlesOf(selection, number, order));
  }

  async #pageOf(
    page: number,
    requestOf: (number: number, order: ArticleOrder, categories: CategoryLinks) => ArticleListRequest,
  ): Promise<ListPage<ArticleSummary>> {
    const { cache } = this.source;
    const endBefore = ({ key }: ArticleListRequest) => {
      const first = page > 1 && cache.isFresh(key) ? cache.peek<ListPage<ArticleSummary>>(key) : null;
      return first && first.value.value.pageCount < page ? first.value.value : null;
    };
    const { first, own } = await this.#planned(
      'made-of',
      (order, categories) => ({
        first: requestOf(1, order, categories),
        own: requestOf(page, order, categories),
      }),
      lists => (endBefore(lists.first) ? [] : [lists.first, lists.own]),
    );
    const end = endBefore(first);
    const isPart = /^authors:|\.(first|total|published)$/;
    const list = end ?? (await this.read(own, 'made-of', name => !isPart.test(name)));
    if (page === 1 || list.pageCount >= page) return list;
    // Depend on the total: as long as it stays the same, the page is past the end.
    await this.read(first, 'made-of', isTotalOfList);
    return { ...list, page, items: [] };
  }

  async expectCategory(slug: string): Promise<void> {
    this.begin(await this.#firstPageRequest(slug, 'optional'), 'optional');
  }

  /** Begins to load an article's neighbours, and never rejects. @param expected the article as last known. */
  async expectArticlesAround(
    expected: Promise<Pick<ArticleInCategory, 'id' | 'date' | 'category'> | null>,
  ): Promise<void> {
    const { api, cache } = this.source;
    const [order, categories] = [this.#known(api.articleOrder()), this.#known(api.categories())];
    const article = await expected;
    if (!article || !categories || order?.by !== 'date') return;
    const { id, category } = article;
    const storedCategory = categories.storedSlugs.get(category) ?? category;
    const first = cache.peek<ListPage<ArticleSummary>>(
      api.articlesOfCategory(category, 1, order, storedCategory).key,
    );
    const isInFirst = first?.value.parts.has(aroundName(order, category, id)) ?? true;
    if (!isInFirst) this.begin(api.articlesAround({ ...article, storedCategory }), 'optional');
  }

  /** Finds neighbours on the category's first page. Else asks the backend, if lists are sorted by date. */
  async articlesAround(article: Pick<ArticleSummary, 'id' | 'date' | 'category'>): Promise<ArticlesAround> {
    const { api } = this.source;
    const { id, date } = article;
    const { slug } = article.category;
    const [order, { storedSlugs }] = await Promise.all([this.#order('optional'), this.categories('used')]);
    const list = await this.load(await this.#firstPageRequest(slug, 'optional'), 'optional');
    const known = list.parts.get(aroundName(order, slug, id));
    if (known !== undefined) {
      const { items } = list.value;
      const at = items.findIndex(item => item.id === id);
      const around = { newer: items[at - 1] ?? null, older: items[at + 1] ?? null };
      this.addTags([known]);
      this.#noteLinks(list, around);
      return around;
    }
    if (order.by !== 'date') return { newer: null, older: null };
    const storedCategory = storedSlugs.get(slug) ?? slug;
    const content = await this.load(
      api.articlesAround({ id, date, category: slug, storedCategory }),
      'optional',
    );
    this.#noteLinks(content, content.value, aroundName(order, slug, id));
    return content.value;
  }

  #noteLinks(content: LoadedContent<object>, { newer, older }: ArticlesAround, ...more: string[]): void {
    const links = [newer, older].flatMap(article =>
      article ? [tagNames.part(ARTICLES, article.id, 'link')] : [],
    );
    const names = new Set([...links, ...more]);
    this.use(content, name => names.has(name) || /^articles\.(lists|selected\..*)$/.test(name));
  }

  /** @returns whether the list has articles; true if it cannot be loaded. */
  async hasArticles(selection: EntrySelection): Promise<boolean> {
    const order = await this.#order('optional');
    try {
      const content = await this.load(this.source.api.articlesOf(selection, 1, order), 'optional');
      this.use(content, isTotalOfList);
      return content.value.total > 0;
    } catch (error) {
      if (this.options.signal.aborted) throw error;
      return true;
    }
  }

  async firstOfTag(id: string): Promise<readonly ArticleSummary[]> {
    const request = this.source.api.articlesOf({ by: 'tag', id }, 1, await this.#order('optional'));
    return this.#firstOf(await this.load(request, 'optional'), FIRST_OF_LIST);
  }

  /** @returns the first articles, at most FIRST_OF_LIST. Changes of later ones do not affect the page. */
  async firstOfCategory(slug: string, role: ContentRole = 'made-of'): Promise<readonly ArticleSummary[]> {
    return this.#firstOf(await this.load(await this.#firstPageRequest(slug, role), role), FIRST_OF_LIST);
  }

  /** Reads each category's first articles from the newest ones, a list of several categories, or its own. */
  async firstOfCategories(): Promise<readonly { category: CategoryRef; first: readonly ArticleSummary[] }[]> {
    const { api, cache } = this.source;
    await this.#newestFromDisk();
    const loaded = new Map<string, LoadedContent<ListPage<ArticleSummary>>>();
    const failed = new Set<string>();
    const contentOf: KnownList = key =>
      failed.has(key)
        ? NO_LIST
        : (loaded.get(key) ?? cache.peek<ListPage<ArticleSummary>>(key)?.value ?? null);
    const isCurrent = (key: string) => failed.has(key) || loaded.has(key) || cache.isFresh(key);
    const choose = (sections: readonly Section[]) => chooseLists(sections, contentOf, isCurrent);
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
        [...missing].map(async list => {
          try {
            loaded.set(list.key, await this.load(list, 'made-of'));
          } catch (error) {
            const others = chosen
              .filter(other => other.list.key === list.key)
              .map(({ section }) => section.own);
            if (this.options.signal.aborted || !(await this.#isKnownOtherwise(list, others))) throw error;
            failed.add(list.key);
          }
        }),
      );
    }
  }

  async #isKnownOtherwise(list: ArticleListRequest, others: readonly ArticleListRequest[]): Promise<boolean> {
    if (others.some(({ key }) => key === list.key)) return false;
    const { cache } = this.source;
    await cache.loadFromDisk(others);
    return others.every(({ key }) => cache.has(key));
  }

  /**
   * Loads the newest articles that an earlier process stored on disk. Without them the blog's index would
   * need further lists, which cannot be loaded during an outage.
   */
  async #newestFromDisk(): Promise<void> {
    const { api, cache } = this.source;
    await cache.loadFromDisk([api.articleOrder()]);
    const order = this.#known(api.articleOrder());
    if (order) await cache.loadFromDisk([api.newestArticles(NEWEST_ARTICLES, order)]);
  }

  /** Collects the tags of shown articles only. The lists also have tags of articles that are not shown. */
  #firstsIn(
    loaded: ReadonlyMap<string, LoadedContent<ListPage<ArticleSummary>>>,
    chosen: ReturnType<typeof chooseLists>,
  ): readonly { category: CategoryRef; first: readonly ArticleSummary[] }[] {
    const firsts = chosen.map(({ section: { category, firstName }, list }) => {
      const content = loaded.get(list.key);
      const items = content?.value.items ?? [];
      // Add the tag for the category's first articles. A shared list has it only in `parts`.
      this.addTags([content?.parts.get(firstName) ?? []].flat());
      const first = items.filter(article => article.category.slug === category.slug).slice(0, FIRST_OF_LIST);
      return { category, first };
    });
    const names = new Set([
      tagNames.lists(ARTICLES),
      ...chosen.map(({ section }) => section.firstName),
      ...firsts.flatMap(({ first }) => first.flatMap(shownNames)),
    ]);
    for (const key of new Set(chosen.map(({ list }) => list.key))) {
      const content = loaded.get(key);
      if (content) this.use(content, name => names.has(name));
    }
    return firsts;
  }

  async newestArticle(): Promise<ArticleSummary | null> {
    const [newest] = this.#firstOf(await this.load(await this.#newestRequest('made-of'), 'made-of'), 1);
    return newest ?? null;
  }

  #firstOf(content: LoadedContent<ListPage<ArticleSummary>>, count: number): readonly ArticleSummary[] {
    const first = content.value.items.slice(0, count);
    const names = new Set(first.flatMap(shownNames));
    this.use(content, name => names.has(name) || isFirstOfList(name));
    return first;
  }

  async newestArticles(role: ContentRole = 'made-of'): Promise<readonly ArticleSummary[]> {
    return (await this.read(await this.#newestRequest(role), role)).items;
  }

  async articlesOfFeed(selection: FeedSelection): Promise<readonly FeedArticle[]> {
    const request = this.source.api.feedArticles(selection, await this.articleOrder());
    return (await this.read(request, 'made-of')).items;
  }

  async articleCount(): Promise<number> {
    const [{ total }] = await Promise.all([
      this.read(this.source.api.articleCount(), 'used'),
      this.#order('used'),
    ]);
    return total;
  }

  articleAddresses(range: PageRange): AsyncGenerator<readonly ArticleAddress[], void> {
    // Depend on every article, category and cover, because each one may change the sitemap.
    this.addTags([tagNames.any(ARTICLES), tagNames.any(siteTypes.category.path), MANY_FILES_TAG]);
    const { ask, signal } = this.options;
    return this.source.api.articleAddresses(call => ask(call, signal), range);
  }

  #firstPageRequest(slug: string, role: ContentRole): Promise<ArticleListRequest> {
    return this.#planned(
      role,
      (order, { storedSlugs }) => this.source.api.articlesOfCategory(slug, 1, order, storedSlugs.get(slug)),
      request => [request],
    );
  }

  async #newestRequest(role: ContentRole): Promise<ArticleListRequest> {
    const { api } = this.source;
    const known = this.#known(api.articleOrder());
    if (known) this.begin(api.newestArticles(NEWEST_ARTICLES, known), role);
    return api.newestArticles(NEWEST_ARTICLES, await this.#order(role));
  }

  /**
   * Begins the calls with the cached order and categories while both are revalidated. So the page waits for
   * the backend only once.
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
    const [order, categories] = await Promise.all([this.#order(role), this.categories(role)]);
    return plan(order, categories);
  }

  /** Reads the order and the next publication date, because lists are valid only until that date. */
  async #order(role: ContentRole): Promise<ArticleOrder> {
    const { api } = this.source;
    const [order, next] = await Promise.all([
      this.read(api.articleOrder(), role),
      api.nextDate ? this.read(api.nextDate(), 'optional') : null,
    ]);
    if (next) this.endAt(withoutPastWithdrawal(next));
    return order;
  }

  #known<T extends object>({ key }: ContentRequest<T>): T | undefined {
    return this.source.cache.peek<T>(key)?.value.value;
  }
}

/** Drops a past `withdrawnAt`, because the lists have been loaded again since that time. */
function withoutPastWithdrawal({ at, withdrawnAt }: NextDate): ShownDates {
  const isComing = withdrawnAt !== null && withdrawnAt > Date.now();
  return { endsAt: at, withdrawnAt: isComing ? withdrawnAt : null };
}

const isTotalOfList = (name: string) => /^articles(\.lists|\.selected\..*|@.*\.total)$/.test(name);

const isFirstOfList = (name: string) => /^articles(\.lists|\.selected\..*|@.*\.first)$/.test(name);

const shownNames = ({ id, category }: ArticleSummary) => [
  tagNames.part(ARTICLES, id, 'card'),
  tagNames.part(siteTypes.category.path, category.id, 'link'),
];
