import type { ArticleSummary, ListPage } from '../../../shared/content/blog.ts';
import type { CategoryRef } from '../../../shared/content/links.ts';
import { MAX_SECTIONS } from '../lists/lists.ts';
import type { ArticleOrder, CategoryLinks } from '../reading/read-values.ts';
import type { ContentRequest } from '../requests/content-request.ts';
import { firstOfCategoryName } from '../tags/article-tags.ts';
import { FIRST_OF_LIST } from '../tags/content-tags.ts';
import type { ArticleLists } from './article-lists.ts';

/** The length of the list of newest articles. The first one leads the blog's index. */
export const NEWEST_ARTICLES = 30;
/** Limit for a group: categories that share a list, because the newest articles contain too few of theirs. */
const GROUP_SIZE = 10;
/** Limit for the articles in a group's list, because the backend sends no more at once. */
const GROUP_ARTICLES = 100;
/** A group's list requests this many times the articles that sufficed before, as new ones push them back. */
const GROUP_ROOM = 2;
export const NO_LIST: ListContent = {
  value: { page: 1, items: [], pageCount: 0, total: 0 },
  parts: new Map<string, string>(),
};

export type ArticleListRequest = ContentRequest<ListPage<ArticleSummary>>;

/** A category of the blog's index. Shared lists may contain its first articles; its own list always does. */
export interface Section {
  readonly category: CategoryRef;
  readonly firstName: string;
  readonly shared: readonly ArticleListRequest[];
  readonly own: ArticleListRequest;
}

interface ListContent {
  readonly value: ListPage<ArticleSummary>;
  readonly parts: ReadonlyMap<string, string>;
}

export type KnownList = (key: string) => ListContent | null;

export function sectionsOf(
  api: Pick<ArticleLists, 'newestArticles' | 'newestOfGroup' | 'articlesOfCategory'>,
  order: ArticleOrder,
  { list, bySlug, storedSlugs }: CategoryLinks,
  contentOf: KnownList,
): readonly Section[] {
  const newest = api.newestArticles(NEWEST_ARTICLES, order);
  const sections = list.slice(0, MAX_SECTIONS).map(category => {
    const { slug } = category;
    return {
      // Use the category that wins the address, because several categories may have the same one.
      category: bySlug.get(slug) ?? category,
      firstName: firstOfCategoryName(order, slug),
      shared: [newest],
      own: api.articlesOfCategory(slug, 1, order, storedSlugs.get(slug)),
    };
  });
  const known = contentOf(newest.key);
  return chunksOf(sections, GROUP_SIZE).flatMap((chunk, number) => {
    // Leave out a category whose first articles are among the newest: they would fill the group's list.
    const short = chunk.filter(section => !known || !hasEnough(known, section));
    const slugs = short.map(({ category: { slug } }) => storedSlugs.get(slug) ?? slug);
    // Read a single category from its own list, which its page reads as well.
    const listOf = (count: number) => api.newestOfGroup(number, count, order, slugs);
    const before = slugs.length > 1 ? contentOf(listOf(GROUP_ARTICLES).key) : null;
    const group = slugs.length > 1 ? [listOf(articlesFor(before, short))] : [];
    return chunk.map(section => ({
      ...section,
      shared: short.includes(section) ? [newest, ...group] : [newest],
    }));
  });
}

function articlesFor(before: ListContent | null, short: readonly Section[]): number {
  if (!before || !short.every(section => hasEnough(before, section))) return GROUP_ARTICLES;
  const places = short.map(({ category: { slug } }) => {
    const own = before.value.items.flatMap((article, at) => (article.category.slug === slug ? [at + 1] : []));
    // Use the list's length for a category with fewer articles than FIRST_OF_LIST.
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
 * Chooses a list for each section. Unknown or reloading lists are expected to suffice, so that all calls go
 * out at once.
 * @param isCurrent whether the list with this key needs no reload for this page.
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

function hasEnough(
  { value, parts }: ListContent,
  { category, firstName }: Pick<Section, 'category' | 'firstName'>,
): boolean {
  const first = value.items.find(article => article.category.slug === category.slug);
  return parts.has(firstName) && first?.category.id === category.id;
}
