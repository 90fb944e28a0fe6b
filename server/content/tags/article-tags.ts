import { siteTypes } from '../../../site/types.ts';
import { isBelow, parseTag, versionedTag } from '../../cache/tags/tags.ts';
import type { ArticleOrder, PeriodCount } from '../reading/read-values.ts';
import { entryTags, FIRST_OF_LIST, partTag, tagNames, tagVersion } from './content-tags.ts';
import { comparedProvenance, listTags, type Provenance } from './provenance.ts';

const ARTICLES = siteTypes.article.path;
const ORDERS: readonly ArticleOrder[] = [{ by: 'date' }, { by: 'publishedAt' }];

interface ArticleLike {
  readonly id: string;
  readonly category: ({ readonly id: string; readonly name: string; readonly slug: string } & object) | null;
  readonly author: ({ readonly id: string; readonly name: string } & object) | null;
}

function copyTags({ category, author }: ArticleLike): string[] {
  return [
    ...(category ? [partTag(siteTypes.category.path, category, category.id, 'link')] : []),
    ...(author ? [partTag(siteTypes.author.path, author, author.id, 'name')] : []),
  ];
}

export function articleTags(article: ArticleLike): string[] {
  return [...entryTags(ARTICLES, article, article.id), ...copyTags(article)];
}

export function cardTags(article: ArticleLike): string[] {
  const parts = ['card', 'link'].map(part => partTag(ARTICLES, article, article.id, part));
  return [...parts, ...copyTags(article)];
}

export interface ArticleList {
  name: readonly string[];
  items: readonly ArticleLike[];
  total: number;
  order: ArticleOrder;
  /** Whether a list of several categories contains all their articles. Undefined for other lists. */
  isWhole?: boolean;
  selection?: string | undefined;
  countTag?: string | undefined;
  /** The category's slug if this is its first page, in which articles find their neighbours. */
  firstOf?: string | undefined;
}

/** The list also decides tags for the first articles of categories, and for neighbours on a first page. */
export function articleListProvenance(list: ArticleList): Provenance {
  const { name, items, total, order, isWhole, selection = tagNames.lists(ARTICLES) } = list;
  const own = articleListName(order, ...name);
  const firsts = isWhole === undefined ? [] : firstsOfCategories(items, isWhole);
  const parts = new Map(
    firsts.map(([slug, ids]) => {
      const first = firstOfCategoryName(order, slug);
      return [first, versionedTag(first, tagVersion(ids))];
    }),
  );
  for (const [name, tag] of list.firstOf === undefined ? [] : aroundTags(list, list.firstOf))
    parts.set(name, tag);
  return {
    tags: [
      ...publishedTags(order),
      ...listTags(selection, own, items, total),
      ...(list.countTag === undefined ? [] : [list.countTag]),
      ...items.flatMap(cardTags),
    ],
    decides: [own, ...parts.keys()],
    parts,
  };
}

/** @returns the tag of lists sorted by `publishedAt`, a field that decoded articles may lack. */
function publishedTags({ by }: ArticleOrder): readonly string[] {
  return by === 'publishedAt' ? [tagNames.published(ARTICLES)] : [];
}

function articleListName(order: ArticleOrder, ...name: readonly string[]): string {
  return tagNames.list(ARTICLES, ...(order.by === 'publishedAt' ? ['', 'published', ...name] : name));
}

export function aroundName(order: ArticleOrder, category: string, id: string): string {
  return articleListName(order, '', 'around', category, id);
}

export function aroundTag(
  order: ArticleOrder,
  category: string,
  id: string,
  newer: { readonly id: string } | null,
  older: { readonly id: string } | null,
): string {
  const version = tagVersion([newer?.id ?? null, older?.id ?? null]);
  return versionedTag(aroundName(order, category, id), version);
}

/** Leaves out the last article of a page if its neighbour is on the next page. */
function aroundTags(
  { items, total, order }: ArticleList,
  category: string,
): (readonly [name: string, tag: string])[] {
  const isWhole = total <= items.length;
  return items.slice(0, isWhole ? items.length : -1).map(({ id }, at) => {
    const tag = aroundTag(order, category, id, items[at - 1] ?? null, items[at + 1] ?? null);
    return [parseTag(tag).name, tag];
  });
}

/** Names above the lists of authors, tags and periods, and above neighbours, in both orders. */
export const SELECTED_LISTS: readonly string[] = ['author', 'tag', 'period', 'around'].flatMap(by =>
  ORDERS.map(order => articleListName(order, '', by)),
);

export function selectionOfList(name: string): string | null {
  const above = SELECTED_LISTS.find(top => isBelow(name, top));
  if (above === undefined) return null;
  const by = above.slice(above.lastIndexOf('.') + 1);
  const [id = ''] = name.slice(above.length + 1).split('.');
  return `${tagNames.selected(ARTICLES)}.${by}.${id}`;
}

/** @returns the names above a selection's lists, in both orders. @param group the name of its group. */
export function selectedLists(group: string): readonly string[] {
  const [by = '', id = ''] = group.slice(tagNames.selected(ARTICLES).length + 1).split('.');
  return SELECTED_LISTS.filter(above => above.endsWith(`.${by}`)).map(above => `${above}.${id}`);
}

export function firstOfCategoryName(order: ArticleOrder, slug: string): string {
  return `${articleListName(order, slug, '1')}.first`;
}

function firstsOfCategories(
  items: readonly ArticleLike[],
  isWhole: boolean,
): (readonly [slug: string, ids: readonly string[]])[] {
  const bySlug = Map.groupBy(items, ({ category }) => category?.slug ?? '');
  return [...bySlug].flatMap(([slug, own]) => {
    const first = own.slice(0, FIRST_OF_LIST);
    const isEnough = isWhole || first.length === FIRST_OF_LIST;
    // Skip a slug of several categories: the backend filters by stored slugs, in which these may differ.
    const isOne = new Set(own.map(({ category }) => category?.id)).size === 1;
    return isEnough && isOne && slug !== '' ? [[slug, first.map(({ id }) => id)] as const] : [];
  });
}

/** The tag of the next publication date. No page shows this date, but lists are valid only until then. */
export const NEXT_DATE = tagNames.list(ARTICLES, '', 'next-date');

/* The tags of the archive, named as in `content-tags.ts`:
   - `articles@.years`: the years, with the number of articles in each
   - `articles@.years.2026`: the number of articles in a year
   - `articles@.period.2026.months`: the months with their counts; below it a month (`.2026-11`) */

export function yearsName(order: ArticleOrder): string {
  return articleListName(order, '', 'years');
}

export function countName(order: ArticleOrder, period: string): string {
  const [year = ''] = period.split('-');
  return year === period ? `${yearsName(order)}.${year}` : `${monthsName(order, year)}.${period}`;
}

function monthsName(order: ArticleOrder, year: string): string {
  return articleListName(order, '', 'period', year, 'months');
}

export function countTag(order: ArticleOrder, { period, count }: PeriodCount): string {
  return versionedTag(countName(order, period), tagVersion(count));
}

export function yearsProvenance(list: readonly PeriodCount[], order: ArticleOrder): Provenance {
  return provenanceOf(yearsName(order), tagNames.lists(ARTICLES), list, order);
}

/** @returns provenance that makes the months stale if the year's number of articles changes. */
export function monthsProvenance(
  year: string,
  list: readonly PeriodCount[],
  order: ArticleOrder,
): Provenance {
  const group = tagNames.selection(ARTICLES, 'period', year);
  const own = provenanceOf(monthsName(order, year), group, list, order);
  const count = list.reduce((sum, month) => sum + month.count, 0);
  return { ...own, tags: [...own.tags, countTag(order, { period: year, count })] };
}

function provenanceOf(
  name: string,
  group: string,
  list: readonly PeriodCount[],
  order: ArticleOrder,
): Provenance {
  const { tags, ...others } = comparedProvenance(name, group, list);
  const counts = list.map(period => countTag(order, period));
  return { tags: [...publishedTags(order), ...tags, ...counts], ...others };
}
