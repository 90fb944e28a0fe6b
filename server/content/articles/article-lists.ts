import { ARTICLES_PER_PAGE } from '../../../shared/constants.ts';
import type { ArticleSummary, ListPage } from '../../../shared/content/blog.ts';
import { siteTypes } from '../../../site/types.ts';
import type { JsonAnswer } from '../../backend/backend-client.ts';
import { decodeArticleSummary } from '../../decode/decode-blog.ts';
import { placeOf } from '../../decode/decode-fields.ts';
import { callOf, countIn, joined, pageOf, paginationOf } from '../../wire/content-calls.ts';
import { atRow, inside, lose } from '../../wire/decode-context.ts';
import { isObject, rowsOf } from '../../wire/wire.ts';
import type { ArticleInCategory, ArticleOrder, ArticleSelection, PageRange } from '../reading/read-values.ts';
import type { AnswerReader } from '../requests/answer-reader.ts';
import type { OptionalField } from '../requests/content-query.ts';
import { type Ask, type ContentRequest, contentRequest } from '../requests/content-request.ts';
import { type ArticleList, articleListProvenance, countTag } from '../tags/article-tags.ts';
import { tagNames } from '../tags/content-tags.ts';
import { comparedProvenance } from '../tags/provenance.ts';
import { articleCountRequest, readArticleAddresses } from './article-addresses.ts';
import { createArticlePeriods } from './article-periods.ts';
import { categoryFilter, optionalFieldOf, readArticles, selectionFilter } from './article-selection.ts';
import { articlesAroundRequest } from './articles-around.ts';
import type { Publication } from './publication.ts';

export type ArticleLists = ReturnType<typeof createArticleLists>;

export function createArticleLists(reader: AnswerReader, publication: Publication) {
  const { periodFilter, ...periods } = createArticlePeriods(reader, publication);
  const list = (asked: AskedList) => listRequest(reader, publication, asked);
  const published = (filters: string) => (pagination: string) =>
    joined(filters, pagination, publication.filter());
  return {
    ...periods,
    articleCount: () => articleCountRequest(reader, publication),
    articleAddresses: (ask: Ask, range: PageRange) => readArticleAddresses(reader, publication, ask, range),
    articleOrder: () => articleOrderRequest(reader),
    articlesAround: (article: ArticleInCategory) => articlesAroundRequest(reader, publication, article),
    /**
     * Requests articles, newest first. `page` begins at 1; a page past the end is empty.
     * @param storedSlug the slug as stored in the backend, because the filter compares stored texts.
     */
    articlesOfCategory: (slug: string, page: number, order: ArticleOrder, storedSlug = slug) =>
      list({
        key: categoryListKey(slug, page, storedSlug),
        queryOf: published(categoryFilter(storedSlug)),
        order,
        page,
        size: ARTICLES_PER_PAGE,
        provenanceOf: () => ({ name: [slug, String(page)], firstOf: page === 1 ? slug : undefined }),
      }),
    articlesOf: (selection: ArticleSelection, page: number, order: ArticleOrder) =>
      list({
        key: `${siteTypes.article.path}?${selection.by}=${encodeURIComponent(selection.id)}&page=${page}`,
        queryOf:
          selection.by === 'period'
            ? pagination => joined(periodFilter(selection.id, order), pagination)
            : published(selectionFilter(selection)),
        order,
        page,
        size: ARTICLES_PER_PAGE,
        filtered: optionalFieldOf(selection),
        provenanceOf: ({ total }) => ({
          name: ['', selection.by, selection.id, String(page)],
          selection: tagNames.selection(siteTypes.article.path, selection.by, selection.id),
          countTag:
            selection.by === 'period' ? countTag(order, { period: selection.id, count: total }) : undefined,
        }),
      }),
    /** Requests the newest articles. Those without an address are left out, so the list may be shorter. */
    newestArticles: (count: number, order: ArticleOrder) =>
      list({
        key: NEWEST_KEY,
        queryOf: published(''),
        order,
        page: 1,
        size: count,
        provenanceOf: newestOf(count, ['', 'newest']),
      }),
    /** Requests a group's newest articles. Its key omits the categories, so that older lists can stand in. */
    newestOfGroup: (group: number, count: number, order: ArticleOrder, storedSlugs: readonly string[]) =>
      list({
        key: `${siteTypes.article.path}?newest-of=${group}`,
        isChoice: true,
        queryOf: published(
          storedSlugs
            .map((slug, at) => `filters[category][slug][$in][${at}]=${encodeURIComponent(slug)}`)
            .join('&'),
        ),
        order,
        page: 1,
        size: count,
        provenanceOf: newestOf(count, ['', 'newest-of', String(group)]),
      }),
  };
}

interface AskedList {
  readonly key: string;
  readonly isChoice?: boolean;
  readonly queryOf: (pagination: string) => string;
  readonly order: ArticleOrder;
  readonly page: number;
  readonly size: number;
  /** A filtered field that the backend may lack. The list is then empty. */
  readonly filtered?: OptionalField | null;
  readonly provenanceOf: (
    list: ListPage<ArticleSummary>,
  ) => Omit<ArticleList, 'order' | 'items' | 'total'> & Partial<Pick<ArticleList, 'total'>>;
}

function listRequest(
  reader: AnswerReader,
  { endsAt }: Publication,
  { key, isChoice = false, queryOf, order, page, size, filtered = null, provenanceOf }: AskedList,
): ContentRequest<ListPage<ArticleSummary>> {
  const type = siteTypes.article;
  const asked = { type, query: () => queryOf(pageOf(page, size)), order, filtered };
  return contentRequest<ListPage<ArticleSummary>>({
    key: articlesKey(key, order),
    type,
    isChoice,
    endsAt,
    fetch: ask => readArticles(reader, asked, ask),
    begin: reader.begin,
    async decode([answer], context) {
      const first = answer ? [withFirstRows(answer, size)] : [];
      const items = await reader.decodeList(type, 'list', first, decodeArticleSummary, context);
      return { page, items: [...items], ...paginationOf(answer?.body) };
    },
    provenance: list =>
      articleListProvenance({
        total: list.total,
        ...provenanceOf(list),
        items: list.items,
        order,
      }),
  });
}

/** Describes a list of the newest articles. The list ignores older ones, so `total` is its own length. */
function newestOf(count: number, name: readonly string[]) {
  return ({ items, total }: ListPage<ArticleSummary>) => ({
    name,
    total: items.length,
    isWhole: total <= count,
  });
}

/** Cuts the rows, because a backend may ignore the page size. */
function withFirstRows({ text, body }: JsonAnswer, most: number): JsonAnswer {
  const rows = rowsOf(body);
  if (!isObject(body) || !rows || rows.length <= most) return { text, body };
  return { text, body: { ...body, data: rows.slice(0, most) } };
}

const COUNT_UNDATED = 'filters[date][$null]=true&fields[0]=slug';
/** The response stored in place of a count, for a backend without the field `date`. */
const NO_SUCH_FIELD = { text: 'null', body: null };

/** Finds the field to sort lists by: `date` if every article has one, as databases sort nulls differently. */
function articleOrderRequest({ missing, begin }: AnswerReader): ContentRequest<ArticleOrder> {
  const type = siteTypes.article;
  return contentRequest<ArticleOrder>({
    key: `${type.path}?order`,
    type,
    isServedStale: true,
    isCount: true,
    async fetch(ask) {
      const cost = type.fields.date.optional;
      return missing.either(
        { type: type.path, field: 'date', cost },
        async () => [await ask(callOf(type, joined(COUNT_UNDATED, pageOf(1, 1))))],
        async () => [NO_SUCH_FIELD],
      );
    },
    begin,
    decode([answer], context) {
      const isCounted = answer?.text !== NO_SUCH_FIELD.text;
      const undated = isCounted ? countIn(type, answer?.body) : 'all';
      if (undated === 0) return { by: 'date' };
      const reason = `${undated} articles have no 'date', so all articles are listed by 'publishedAt': give each article a date`;
      lose(inside(atRow(context, placeOf(type.path, null)), 'date'), 'undated-articles', reason);
      return { by: 'publishedAt' };
    },
    provenance: order =>
      comparedProvenance(tagNames.list(type.path, '', 'order'), tagNames.lists(type.path), order),
  });
}

const ARTICLES = siteTypes.article.path;
const NEWEST_KEY = `${ARTICLES}?newest`;
/** Includes the stored slug, because a cache entry always reloads with the slug of its first request. */
const categoryListKey = (slug: string, page: number, storedSlug: string) =>
  `${ARTICLES}?category=${slug}&page=${page}${storedSlug === slug ? '' : `&stored=${encodeURIComponent(storedSlug.toWellFormed())}`}`;
/** Includes the order, because another order divides the articles into other pages. */
const articlesKey = (key: string, { by }: ArticleOrder) => `${key}&by=${by}`;

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
