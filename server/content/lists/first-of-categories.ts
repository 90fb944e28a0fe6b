import type { ArticleSummary, CategoryRef, ListPage } from '../../../shared/content/blog.ts';
import type { ContentRequest } from '../content-request.ts';
import { FIRST_OF_LIST, firstOfCategoryName } from '../content-tags.ts';
import type { ArticleOrder } from './article-order.ts';
import type { Lists } from './lists.ts';
import { MAX_SECTIONS } from './shown-rows.ts';

/** The articles of the feed, of which the first is the lead of the blog's index. */
export const NEWEST_ARTICLES = 30;
/** The categories of the index are divided, in their order, into groups of this size. One list has the articles of those categories of a group that are short. */
const GROUP_SIZE = 10;
/** Most articles in the list of a group: as many as the backend sends at once. */
const GROUP_ARTICLES = 100;
/**
 * The list of a group asks for this many times the articles that were enough before: new articles of one category push those of the others further back.
 */
const GROUP_ROOM = 2;
/** A list without articles, in place of one that cannot be loaded. */
export const NO_LIST: ListContent = {
  value: { page: 1, items: [], pageCount: 0, total: 0 },
  parts: new Map<string, string>(),
};

export type ArticleListRequest = ContentRequest<ListPage<ArticleSummary>>;

/** A category on the blog's index, and the lists that may have its first articles, the shortest way first. Its own list always has them. */
export interface Section {
  readonly category: CategoryRef;
  /** The name of the tag of its first articles. */
  readonly firstName: string;
  readonly shared: readonly ArticleListRequest[];
  readonly own: ArticleListRequest;
}

export interface Categories {
  readonly list: readonly CategoryRef[];
  readonly bySlug: ReadonlyMap<string, CategoryRef>;
  readonly storedSlugs: ReadonlyMap<string, string>;
}

/** A list in memory. */
interface ListContent {
  readonly value: ListPage<ArticleSummary>;
  readonly parts: ReadonlyMap<string, string>;
}

/** @returns the content of the list with a key, as far as it is in memory; null for a list that is not. */
export type KnownList = (key: string) => ListContent | null;

/** @returns the sections of the blog's index. */
export function sectionsOf(
  api: Pick<Lists, 'newestArticles' | 'newestOfGroup' | 'articlesOfCategory'>,
  order: ArticleOrder,
  { list, bySlug, storedSlugs }: Categories,
  contentOf: KnownList,
): readonly Section[] {
  const newest = api.newestArticles(NEWEST_ARTICLES, order);
  const sections = list.slice(0, MAX_SECTIONS).map(category => {
    const { slug } = category;
    return {
      // Several categories may have one address, which leads to one of them.
      category: bySlug.get(slug) ?? category,
      firstName: firstOfCategoryName(order.by === 'publishedAt', slug),
      shared: [newest],
      own: api.articlesOfCategory(slug, 1, order, storedSlugs.get(slug)),
    };
  });
  const known = contentOf(newest.key);
  return chunksOf(sections, GROUP_SIZE).flatMap((chunk, number) => {
    // A category that fills the newest articles of all would fill those of its group as well.
    const short = chunk.filter(section => !known || !hasEnough(known, section));
    const slugs = short.map(({ category: { slug } }) => storedSlugs.get(slug) ?? slug);
    // A single category is read from its own list, which its page reads as well.
    const listOf = (count: number) => api.newestOfGroup(number, count, order, slugs);
    const before = slugs.length > 1 ? contentOf(listOf(GROUP_ARTICLES).key) : null;
    const group = slugs.length > 1 ? [listOf(articlesFor(before, short))] : [];
    return chunk.map(section => ({
      ...section,
      shared: short.includes(section) ? [newest, ...group] : [newest],
    }));
  });
}

/** @returns how many articles the list of a group asks for: GROUP_ROOM times those that were enough before, else GROUP_ARTICLES. */
function articlesFor(before: ListContent | null, short: readonly Section[]): number {
  if (!before || !short.every(section => hasEnough(before, section))) return GROUP_ARTICLES;
  const places = short.map(({ category: { slug } }) => {
    const own = before.value.items.flatMap((article, at) => (article.category.slug === slug ? [at + 1] : []));
    // A list with all articles of a category may have fewer of it.
    return own[FIRST_OF_LIST - 1] ?? before.value.items.length;
  });
  return Math.min(GROUP_ARTICLES, GROUP_ROOM * Math.max(...places));
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

/**
 * @param isCurrent whether the list with a key is not read again for this page.
 * @returns the list from which each section is taken. The newest of all are expected to be as they were. The list of a group that is not known yet, or is read
 *   again, is expected to have enough articles of each of its categories: so the calls for all sections go out at once.
 */
export function chooseLists(
  sections: readonly Section[],
  contentOf: KnownList,
  isCurrent: (key: string) => boolean,
): readonly { section: Section; list: ArticleListRequest }[] {
  return sections.map(section => {
    const isChosen = ({ key }: ArticleListRequest, at: number) => {
      const content = at === 0 || isCurrent(key) ? contentOf(key) : null;
      return content === null ? at > 0 : hasEnough(content, section);
    };
    return { section, list: section.shared.find(isChosen) ?? section.own };
  });
}

/** @returns whether a list of several categories has all the articles of a section. */
function hasEnough(
  { value, parts }: ListContent,
  { category, firstName }: Pick<Section, 'category' | 'firstName'>,
): boolean {
  const first = value.items.find(article => article.category.slug === category.slug);
  return parts.has(firstName) && first?.category.id === category.id;
}
