import { ARTICLES_PER_PAGE } from '../../../shared/constants.ts';
import type { ArticleSummary, ListPage } from '../../../shared/content/blog.ts';
import { contentTypes } from '../../../shared/content/content-types.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { inSlices } from '../../ops/turns.ts';
import type { AnswerReader } from '../answer-reader.ts';
import { joined, pageOf, paginationOf } from '../content-calls.ts';
import type { OptionalField, QueryForm } from '../content-query.ts';
import { type Ask, type ContentRequest, contentRequest } from '../content-request.ts';
import {
  type ArticleList,
  articleListProvenance,
  type Provenance,
  tagNames,
  wholeListProvenance,
} from '../content-tags.ts';
import { decodeArticleSummary } from '../decode/decode-blog.ts';
import type { DecodeRow } from '../decode/decode-fields.ts';
import { isObject, rowsOf } from '../decode/wire.ts';
import type { ServedType } from '../described-types.ts';
import { safeSlug } from '../safe-address.ts';
import { storedSlugs } from '../slugs/slug-spellings.ts';
import { allPages } from './all-pages.ts';
import {
  type ArticleAddress,
  articleCountRequest,
  type PageRange,
  readArticleAddresses,
} from './article-addresses.ts';
import { type ArticleOrder, articleOrderRequest } from './article-order.ts';
import { type ArticlePeriods, createArticlePeriods, periodFilter } from './article-periods.ts';
import { type ArticleSelection, optionalFieldOf, selectionFilter } from './article-selection.ts';
import { type ArticleInCategory, type ArticlesAround, articlesAroundRequest } from './articles-around.ts';
import {
  categoryFilter,
  type FeedArticle,
  type FeedSelection,
  feedArticlesRequest,
} from './feed-articles.ts';
import { inOrder, oldestFirst } from './list-order.ts';
import { countTag } from './period-tags.ts';
import type { Publication } from './publication.ts';
import { readArticles } from './read-articles.ts';
import { type EntryNames, readNames } from './read-names.ts';
import { reportHiddenRows } from './shown-rows.ts';

/** The requests for lists of content. */
export interface Lists extends ArticlePeriods {
  /**
   * Fetches all rows of a type, in the order in which they were created. Rows that the backend does not send are reported.
   *
   * @param selection the part of the query that chooses the fields.
   */
  fetchAll(type: ServedType, selection: string, ask: Ask): Promise<readonly JsonAnswer[]>;
  /** All rows of a type, by their field `order` if the type has one, then in the order in which they were created. */
  complete<P extends { id: string }, T extends object>(
    type: ServedType,
    form: QueryForm,
    decodeRow: DecodeRow<P>,
    index: (list: readonly P[]) => T,
    provenance?: (list: readonly P[]) => Promise<Provenance>,
  ): ContentRequest<T>;
  /** The number of all articles, with those that have no address. */
  articleCount(): ContentRequest<{ total: number }>;
  /** Reads the addresses of articles in the order of their creation, without the cache. */
  articleAddresses(ask: Ask, range: PageRange): AsyncGenerator<readonly ArticleAddress[], void>;
  /** The slugs of a type that are not stored in their canonical form, by that form. */
  slugs(type: ServedType): ContentRequest<ReadonlyMap<string, readonly string[]>>;
  /**
   * Reads the ids and the slugs of all entries, page by page and without the cache.
   *
   * @returns null when entries were added or removed meanwhile: one may then be on no page that was read.
   */
  allNames(type: ServedType, ask: Ask): Promise<EntryNames | null>;
  /** The order of all lists of articles. */
  articleOrder(): ContentRequest<ArticleOrder>;
  /** One page of a category's articles, newest first. `page` begins at 1; a page past the end is empty. */
  articlesOfCategory(
    slug: string,
    page: number,
    order: ArticleOrder,
    /** The slug as the backend stores it: the filter compares with the stored text. */
    storedSlug?: string,
  ): ContentRequest<ListPage<ArticleSummary>>;
  /** The neighbours of an article in its category, where lists are sorted by date. */
  articlesAround(article: ArticleInCategory): ContentRequest<ArticlesAround>;
  /** One page of the articles of an author, a tag or a period, newest first, as `articlesOfCategory`. */
  articlesOf(
    selection: ArticleSelection,
    page: number,
    order: ArticleOrder,
  ): ContentRequest<ListPage<ArticleSummary>>;
  /** The newest articles, in one list. Articles without an address are left out, so the list may be shorter than `count`. */
  newestArticles(count: number, order: ArticleOrder): ContentRequest<ListPage<ArticleSummary>>;
  /**
   * The newest articles of some categories of a group. The list has one key for the group, whichever of its categories are asked for: an outage then finds the
   * list that was read last.
   *
   * @param storedSlugs the slugs of the categories, as the backend stores them.
   */
  newestOfGroup(
    group: number,
    count: number,
    order: ArticleOrder,
    storedSlugs: readonly string[],
  ): ContentRequest<ListPage<ArticleSummary>>;
  /** The newest articles of a selection with their texts. */
  feedArticles(selection: FeedSelection, order: ArticleOrder): ContentRequest<ListPage<FeedArticle>>;
}

/** @returns the requests for lists, read in one way. */
export function createLists(reader: AnswerReader, publication: Publication): Lists {
  const { missing, begin, decodeList, onProblems } = reader;

  async function fetchAll(type: ServedType, selection: string, ask: Ask): Promise<readonly JsonAnswer[]> {
    const { answers, missingRows } = await oldestFirst(type, missing, sort =>
      allPages(type, joined(selection, sort), ask),
    );
    const problem = {
      kind: 'list-incomplete' as const,
      ...{ type: type.path, id: null, field: null, updatedAt: null },
      reason: `the backend counts ${missingRows} more rows than it sends, in two readings: these rows are not shown`,
    };
    onProblems(`${type.path}: number of rows`, missingRows > 0 ? [problem] : []);
    return answers;
  }

  /**
   * @param queryOf called for each call: the time and the fields that the backend lacks are in the filters. @param page the number of the page, from 1. @param size the most articles on a page.
   * @param filtered the field that the filters name, if a backend may lack it: the list is then empty.
   */
  function articles(
    key: string,
    queryOf: (pagination: string) => string,
    order: ArticleOrder,
    { page, size }: { page: number; size: number },
    provenanceOf: (list: ListPage<ArticleSummary>) => Omit<ArticleList, 'isByPublication' | 'items'>,
    filtered: OptionalField | null = null,
  ): ContentRequest<ListPage<ArticleSummary>> {
    const type = contentTypes.article;
    const asked = { type, query: () => queryOf(pageOf(page, size)), order, filtered };
    return contentRequest<ListPage<ArticleSummary>, ListPage<ArticleSummary>>({
      key: articlesKey(key, order),
      type,
      endsAt: publication.endsAt,
      fetch: ask => readArticles(reader, asked, ask),
      begin,
      async decode([answer], context) {
        const first = answer ? [withFirstRows(answer, size)] : [];
        const items = await decodeList(type, 'list', first, decodeArticleSummary, context);
        return { page, items: [...items], ...paginationOf(answer?.body) };
      },
      index: list => list,
      provenance: list =>
        articleListProvenance({
          ...provenanceOf(list),
          ...{ items: list.items, isByPublication: order.by === 'publishedAt' },
        }),
    });
  }

  const published = (filters: string) => (pagination: string) =>
    joined(filters, pagination, publication.filter());

  const complete: Lists['complete'] = (
    type,
    form,
    decodeRow,
    index,
    provenance = list => inSlices(wholeListProvenance(type.path, list)),
  ) =>
    contentRequest({
      key: type.path,
      type,
      fetch: ask => missing.ask(type, form, selection => fetchAll(type, selection, ask)),
      begin,
      async decode(answers, context) {
        const rows = distinct(await decodeList(type, form, answers, decodeRow, context));
        reportHiddenRows(type, rows.length, context);
        return inOrder(type, rows, answers);
      },
      index,
      provenance,
    });

  return {
    ...createArticlePeriods(reader, publication),
    fetchAll,
    complete,
    articleCount: () => articleCountRequest(reader, publication),
    feedArticles: (selection, order) => feedArticlesRequest(reader, publication, selection, order),
    articleAddresses: (ask, range) => readArticleAddresses(reader, publication, ask, range),
    slugs: type =>
      contentRequest<readonly string[], ReadonlyMap<string, readonly string[]>>({
        key: `${type.path}?fields=slug`,
        type,
        fetch: ask => fetchAll(type, 'fields[0]=slug', ask),
        begin,
        decode: answers =>
          answers.flatMap(({ body }) => storedSlugs(body)).filter(stored => safeSlug(stored) !== stored),
        index: stored => Map.groupBy(new Set(stored), text => safeSlug(text) ?? ''),
        provenance: () => ({ tags: [tagNames.slugs(type.path)], about: null, decides: [] }),
      }),
    allNames: (type, ask) =>
      oldestFirst(type, missing, sort => readNames(type, joined('fields[0]=slug', sort), ask)),
    articleOrder: () => articleOrderRequest(reader),
    articlesOfCategory: (slug, number, order, storedSlug = slug) =>
      articles(
        categoryListKey(slug, number, storedSlug),
        published(categoryFilter(storedSlug)),
        order,
        { page: number, size: ARTICLES_PER_PAGE },
        ({ total }) => ({
          name: [slug, String(number)],
          total,
          isWhole: null,
          ...(number === 1 ? { firstOf: slug } : {}),
        }),
      ),
    articlesAround: article => articlesAroundRequest(reader, publication, article),
    articlesOf: (selection, number, order) =>
      articles(
        `articles?${selection.by}=${encodeURIComponent(selection.id)}&page=${number}`,
        selection.by === 'period'
          ? pagination => joined(periodFilter(selection.id, order, missing, publication), pagination)
          : published(selectionFilter(selection)),
        order,
        { page: number, size: ARTICLES_PER_PAGE },
        ({ total }) => ({
          name: ['', selection.by, selection.id, String(number)],
          total,
          isWhole: null,
          selection: tagNames.selection('articles', selection.by, selection.id),
          ...(selection.by === 'period'
            ? {
                countTag: countTag(order.by === 'publishedAt', { period: selection.id, count: total }),
              }
            : {}),
        }),
        optionalFieldOf(selection),
      ),
    newestArticles: (count, order) =>
      articles(NEWEST_KEY, published(''), order, { page: 1, size: count }, newestOf(count, ['', 'newest'])),
    newestOfGroup: (group, count, order, storedSlugs) => ({
      ...articles(
        `articles?newest-of=${group}`,
        published(
          storedSlugs
            .map((slug, at) => `filters[category][slug][$in][${at}]=${encodeURIComponent(slug)}`)
            .join('&'),
        ),
        order,
        { page: 1, size: count },
        newestOf(count, ['', 'newest-of', String(group)]),
      ),
      isChoice: true,
    }),
  };
}

/** Articles after the newest are no part of the list, so the list is as before when their number changes. */
function newestOf(count: number, name: readonly string[]) {
  return ({ items, total }: ListPage<ArticleSummary>) => ({
    name,
    total: items.length,
    isWhole: total <= count,
  });
}

/** @returns the answer without the rows that were not asked for: a backend may ignore the size of a page. */
function withFirstRows({ text, body }: JsonAnswer, most: number): JsonAnswer {
  const rows = rowsOf(body);
  if (!isObject(body) || !rows || rows.length <= most) return { text, body };
  return { text, body: { ...body, data: rows.slice(0, most) } };
}

const NEWEST_KEY = 'articles?newest';
/** The stored slug is part of the key: a list that is loaded again asks for the slug of its own request, which may have changed. */
const categoryListKey = (slug: string, page: number, storedSlug: string) =>
  `articles?category=${slug}&page=${page}${storedSlug === slug ? '' : `&stored=${encodeURIComponent(storedSlug.toWellFormed())}`}`;
/** The order is part of the key: with another order the backend divides the articles into other pages. */
const articlesKey = (key: string, { by }: ArticleOrder) => `${key}&by=${by}`;

/**
 * @param storedSlugs the slugs of all categories as the backend stores them, by their canonical form.
 * @returns the keys of the lists of articles that may be in the cache: the first page of each category, and the newest of all.
 */
export function cachedArticleKeys(storedSlugs: ReadonlyMap<string, string>): {
  categories: readonly string[];
  newest: readonly string[];
} {
  const inBothOrders = (key: string) => [
    articlesKey(key, { by: 'date' }),
    articlesKey(key, { by: 'publishedAt' }),
  ];
  return {
    categories: [...storedSlugs].flatMap(([slug, stored]) => inBothOrders(categoryListKey(slug, 1, stored))),
    newest: inBothOrders(NEWEST_KEY),
  };
}

/** Leaves out the second row of each id. A row that is added during the reading shifts the others, and one is then on two pages. */
function distinct<P extends { id: string }>(rows: readonly P[]): readonly P[] {
  const byId = new Map(rows.map(row => [row.id, row]));
  return byId.size === rows.length ? rows : [...byId.values()];
}
