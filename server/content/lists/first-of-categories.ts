import type { ArticleSummary, CategoryRef, ListPage } from '../../../shared/content/blog.ts';
import type { ContentRequest } from '../content-request.ts';
import { firstOfCategoryName } from '../content-tags.ts';
import type { ArticleOrder } from './article-order.ts';
import type { Lists } from './lists.ts';
import { MAX_SECTIONS } from './shown-rows.ts';

/** The articles of the feed, of which the first is the lead of the blog's index. */
export const NEWEST_ARTICLES = 30;
/** Up to this many categories are filled up by their own lists. More of them are divided into groups of this size, each with one list. */
const GROUP_SIZE = 10;
/** Articles in the list of a group: the most that the backend sends at once. */
const GROUP_ARTICLES = 100;

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

/** @returns the sections of the blog's index. */
export function sectionsOf(
  api: Pick<Lists, 'newestArticles' | 'articlesOfCategory'>,
  order: ArticleOrder,
  { list, bySlug, storedSlugs }: Categories,
): readonly Section[] {
  const shown = list.slice(0, MAX_SECTIONS);
  const stored = shown.map(({ slug }) => storedSlugs.get(slug) ?? slug);
  const newest = api.newestArticles(NEWEST_ARTICLES, order);
  const groups: ArticleListRequest[] = [];
  if (shown.length > GROUP_SIZE)
    for (let from = 0; from < stored.length; from += GROUP_SIZE)
      groups.push(api.newestArticles(GROUP_ARTICLES, order, stored.slice(from, from + GROUP_SIZE)));
  return shown.map((category, at) => ({
    // Several categories may have one address, which leads to one of them.
    category: bySlug.get(category.slug) ?? category,
    firstName: firstOfCategoryName(order.by === 'publishedAt', category.slug),
    shared: [newest, groups[Math.floor(at / GROUP_SIZE)]].filter(request => request !== undefined),
    own: api.articlesOfCategory(category.slug, 1, order, stored[at]),
  }));
}

/**
 * @param contentOf the content of a list as far as it is known.
 * @returns the list from which each section is taken. A list that is not known yet is expected to have enough articles of each of its
 *   categories, but not the newest of all: so the calls for all sections go out at once.
 */
export function chooseLists(
  sections: readonly Section[],
  contentOf: (key: string) => ListContent | null,
): readonly { section: Section; list: ArticleListRequest }[] {
  return sections.map(section => {
    const { category, firstName, shared, own } = section;
    const isEnough = ({ key }: ArticleListRequest, at: number) => {
      const content = contentOf(key);
      if (content === null) return at > 0;
      const first = content.value.items.find(article => article.category.slug === category.slug);
      return content.parts.has(firstName) && first?.category.id === category.id;
    };
    return { section, list: shared.find(isEnough) ?? own };
  });
}
