import { ARTICLES_PER_PAGE } from '../../shared/constants.ts';
import type { Article, ArticleSummary, ListPage } from '../../shared/content/blog.ts';
import { contentTypes } from '../../shared/content/content-types.ts';
import { allPages } from './all-pages.ts';
import type { AnswerReader } from './answer-reader.ts';
import { callOf, joined, pageOf, paginationOf } from './content-calls.ts';
import type { QueryForm } from './content-query.ts';
import { type ContentRequest, contentRequest, type Provenance } from './content-request.ts';
import { decodeArticleSummary } from './decode/decode-blog.ts';
import type { DecodeRow } from './decode/decode-fields.ts';
import type { ServedType } from './described-types.ts';

/** The requests for lists of content. */
export interface Lists {
  /** All rows of a type. */
  complete<P extends { id: string }, T extends object>(
    type: ServedType,
    form: QueryForm,
    decodeRow: DecodeRow<P>,
    index: (list: readonly P[]) => T,
    options?: CompleteListOptions<P>,
  ): ContentRequest<T>;
  /** One page of a category's articles, newest first. `page` begins at 1; a page past the end is empty. */
  articlesOfCategory(slug: string, page: number): ContentRequest<ListPage<ArticleSummary>>;
  /** Every article that has an address, newest first. */
  allArticles(): ContentRequest<readonly ArticleSummary[]>;
}

interface CompleteListOptions<P> {
  sort?: string;
  provenance?: (list: readonly P[]) => Provenance;
}

const NEWEST_FIRST = 'sort[0]=publishedAt:desc&sort[1]=id:desc';

/** @returns the requests for lists, read in one way. */
export function createLists({ missing, decodeList }: AnswerReader): Lists {
  function complete<P extends { id: string }, T extends object>(
    type: ServedType,
    form: QueryForm,
    decodeRow: DecodeRow<P>,
    index: (list: readonly P[]) => T,
    { sort = '', provenance = listProvenance(type.path) }: CompleteListOptions<P> = {},
  ): ContentRequest<T> {
    return contentRequest<readonly P[], T>({
      key: type.path,
      fetch: ask => missing.ask(type, form, selection => allPages(type, joined(sort, selection), ask)),
      decode: answers => decodeList(type, form, answers, decodeRow),
      index,
      provenance,
    });
  }

  return {
    complete,
    articlesOfCategory(slug, number) {
      const type = contentTypes.article;
      const filter = `filters[category][slug][$eq]=${encodeURIComponent(slug)}`;
      const paging = pageOf(number, ARTICLES_PER_PAGE);
      return contentRequest<ListPage<ArticleSummary>, ListPage<ArticleSummary>>({
        key: `articles?category=${slug}&page=${number}`,
        fetch: ask =>
          missing.ask(type, 'list', async selection => [
            await ask(callOf(type, joined(filter, NEWEST_FIRST, paging, selection))),
          ]),
        async decode(answers) {
          const items = await decodeList(type, 'list', answers, decodeArticleSummary);
          return { page: number, items, ...paginationOf(answers[0]?.body) };
        },
        index: value => value,
        provenance: ({ items }) => articlesProvenance(items),
      });
    },
    allArticles: () =>
      complete(contentTypes.article, 'list', decodeArticleSummary, list => list, {
        sort: NEWEST_FIRST,
        provenance: articlesProvenance,
      }),
  };
}

/** The tags of a list: its type, because a new entry changes the list, and each of its entries. */
const listProvenance =
  (type: string) =>
  (items: readonly { id: string }[]): Provenance => ({
    tags: [type, ...items.map(({ id }) => `${type}:${id}`)],
    about: null,
  });

function articlesProvenance(items: readonly ArticleSummary[]): Provenance {
  return { tags: ['articles', ...items.flatMap(articleTags)], about: null };
}

/** @returns the tags of an article: its own, its category's and its author's. */
export function articleTags({ id, category, author }: Article | ArticleSummary): string[] {
  return [
    `articles:${id}`,
    ...(category ? [`categories:${category.id}`] : []),
    ...(author ? [`authors:${author.id}`] : []),
  ];
}
