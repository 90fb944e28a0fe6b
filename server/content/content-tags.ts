import { createHash, hash } from 'node:crypto';
import { isBelow, namesAbove, parseTag, versionedTag } from '../cache/tags.ts';
import type { Steps } from '../ops/turns.ts';
import { safeSlug } from './safe-address.ts';

/*
 * The tags of content, below the path of its type (`articles`):
 *
 * `articles:42`        all fields of an entry, without the fields of the entries that it is related to
 * `articles:42.card`   a part of an entry (`PARTS`)
 * `articles=how-to`    the lookup of a slug
 * `articles.slugs`     content that depends on the slugs of all entries
 * `articles@guides.1`  the entries of one list and their order; `.first` and `.total` are parts of a list
 * `articles.lists`     all lists of a type; announced only where the lists cannot be compared
 * `articles.selected.tag.7`  all lists of the articles of one author, one tag or one period, in the same way
 * `articles.published` lists in the order of publication, which no field of an entry shows
 * `articles.whole`     content that holds all entries of a type in full, and is loaded again after each event about the type
 * `articles.any`       content that depends on every entry of a type
 * `file:Xb0eY1c2`       a media file, by a digest of its path; with a version once the file was changed
 * `file:many`           any media file, for content with more files than MAX_FILES
 */

/** The provenance of a value: the tags of its content, and the tag of the one entry that it is about (null for lists and the like). */
export interface Provenance {
  tags: readonly string[];
  about: string | null;
  /**
   * The names of tags whose current versions this content decides: after an event it is loaded again, and everything of another version
   * is stale. Names below are meant, too. Other content may have copies of the same entries, which decide nothing.
   */
  decides: readonly string[];
  /**
   * The tags of the single entries in a complete list, by their names. No index has them, because there may be thousands: the list is
   * invalidated by its own tags.
   */
  parts?: ReadonlyMap<string, string>;
}

/** Parts of entries that pages show without the rest, by the path of the type: the names of the fields. */
const PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  articles: {
    card: ['title', 'description', 'slug', 'date', 'cover', 'category', 'author'],
    tags: ['tags'],
    link: ['title', 'slug'],
  },
  // The copies of authors inside articles have no address: the list of all authors decides it.
  authors: { name: ['name'], link: ['name', 'slug'] },
  'business-solutions': { card: ['title', 'description', 'slug', 'cover'] },
  categories: { link: ['name', 'slug'], questions: ['questions'] },
  commerces: { card: ['title', 'description', 'slug', 'cover'] },
  landing: {
    contacts: ['contactsBlock', 'contactsListWithCheckmarks'],
    subscribe: ['subscribeBlockSocials'],
  },
  pages: { card: ['title', 'description', 'slug', 'cover'], link: ['title', 'slug'] },
  tags: { link: ['name', 'slug'] },
};

/** Parts of lists: the entries that stand first, and the number of all. */
const LIST_PARTS: readonly string[] = ['first', 'total'];

/** The types whose entries are looked up by their slugs. Of every other type all entries are read at once. */
export const LOOKED_UP: readonly string[] = ['articles', 'business-solutions', 'commerces', 'pages'];
/** The relations to entries with tags of their own. An entry's version names the other entries by their ids. */
const RELATIONS: readonly string[] = ['author', 'category', 'tags'];
/** Fields that no page shows: the complete record of a single type, and the facts that decide which category wins an address. */
const NOT_SHOWN: readonly string[] = ['attributes', 'rank', 'storedSlug'];
/** Characters of a version: 60 bits tell the versions of one piece of content apart. */
const VERSION_LENGTH = 10;
/** The articles that stand first in a list: those that other pages show of it. */
export const FIRST_OF_LIST = 4;

type Fields = Readonly<Record<string, unknown>>;

/** The names of the tags of a type. */
export const tagNames = {
  entry: (type: string, id: string) => `${type}:${inName(id)}`,
  part: (type: string, id: string | null, part: string) =>
    `${id === null ? type : tagNames.entry(type, id)}.${part}`,
  any: (type: string) => `${type}.any`,
  whole: (type: string) => `${type}.whole`,
  slugs: (type: string) => `${type}.slugs`,
  published: (type: string) => `${type}.published`,
  lists: (type: string) => `${type}.lists`,
  selected: (type: string) => `${type}.selected`,
  /** All lists of the entries that another entry selects, or a period. */
  selection: (type: string, by: string, id: string) => `${tagNames.selected(type)}.${by}.${inName(id)}`,
  /** The neighbours of articles in their categories. */
  around: (type: string) => `${tagNames.selected(type)}.around`,
  /** @param list the parts of the list's name. */
  list: (type: string, ...list: readonly string[]) => `${type}@${list.map(inName).join('.')}`,
  /** @param slug in any spelling. */
  slug: (type: string, slug: string) => `${type}=${inName(safeSlug(slug) ?? slug)}`,
};

/** @returns a text as one level of a name, whatever its characters: names stand in headers, and a CMS chooses its ids. */
function inName(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E');
}

/** @returns the ids of a type's entries in a list of names. */
export function namedIds(type: string, names: readonly string[]): readonly string[] {
  const begin = `${type}:`;
  const ids = names
    .filter(name => name.startsWith(begin))
    .map(name => decodeURIComponent(name.slice(begin.length).split('.', 1)[0] ?? ''));
  return [...new Set(ids)];
}

/** @returns the version of a value that is plain JSON. */
export function tagVersion(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, VERSION_LENGTH);
}

/** Computes the version of rows that are plain JSON, one in each step. */
export function* rowsVersion(rows: readonly unknown[]): Steps<string> {
  const all = createHash('sha256');
  for (const row of rows) {
    all.update(JSON.stringify(row));
    yield;
  }
  return all.digest('base64url').slice(0, VERSION_LENGTH);
}

/** @returns the tags of a complete entry: its own, and those of its parts. A single type has no id. */
export function entryTags(type: string, entry: object, id: string | null): string[] {
  const fields = ownFields(entry);
  const name = id === null ? type : tagNames.entry(type, id);
  return [
    versionedTag(name, tagVersion(fields)),
    ...Object.keys(PARTS[type] ?? {}).map(part => partTag(type, entry, id, part)),
  ];
}

/** @returns the names of the parts that an entry or a list may have, whether or not something in memory carries them. */
export function partNames(name: string): readonly string[] {
  const type = namesAbove(name).at(-1) ?? name;
  if (name.startsWith(`${type}:`)) return Object.keys(PARTS[type] ?? {}).map(part => `${name}.${part}`);
  return name.startsWith(`${type}@`) ? LIST_PARTS.map(part => `${name}.${part}`) : [];
}

/** @returns the tag of one part of an entry, complete or not. */
export function partTag(type: string, entry: object, id: string | null, part: string): string {
  const own = ownFields(entry);
  const values = (PARTS[type]?.[part] ?? []).map(field => own[field] ?? null);
  return versionedTag(tagNames.part(type, id, part), tagVersion(values));
}

function ownFields(entry: object): Fields {
  return Object.fromEntries(
    Object.entries(entry)
      .filter(([field]) => !NOT_SHOWN.includes(field))
      .map(([field, value]) => [field, RELATIONS.includes(field) ? idOf(value) : value]),
  );
}

const idOf = (related: unknown): unknown =>
  Array.isArray(related)
    ? related.map(idOf)
    : typeof related === 'object' && related !== null && 'id' in related
      ? related.id
      : null;

/** An article, complete or as a list has it. */
interface ArticleLike {
  readonly id: string;
  readonly category: ({ readonly id: string; readonly name: string; readonly slug: string } & object) | null;
  readonly author: ({ readonly id: string; readonly name: string } & object) | null;
}

/** @returns the tags of an article's copies of its category and its author. */
function copyTags({ category, author }: ArticleLike): string[] {
  return [
    ...(category ? [partTag('categories', category, category.id, 'link')] : []),
    ...(author ? [partTag('authors', author, author.id, 'name')] : []),
  ];
}

/** @returns the tags of a complete article. */
export function articleTags(article: ArticleLike): string[] {
  return [...entryTags('articles', article, article.id), ...copyTags(article)];
}

/** @returns the tags of an article as a list has it. */
export function cardTags(article: ArticleLike): string[] {
  const parts = ['card', 'link'].map(part => partTag('articles', article, article.id, part));
  return [...parts, ...copyTags(article)];
}

/** The provenance of content that holds all of a type. */
export function wholeProvenance(type: string, ...tags: readonly string[]): Provenance {
  return { tags: [tagNames.whole(type), ...tags], about: null, decides: [type] };
}

/** The provenance of the complete list of a type, each entry with all its fields. `.all` stands for all, `.links` for the links to all. */
export function* wholeListProvenance(
  type: string,
  items: readonly ({ id: string } & object)[],
): Steps<Provenance> {
  const parts = new Map<string, string>();
  const all = createHash('sha256');
  const links = createHash('sha256');
  for (const item of items) {
    for (const tag of entryTags(type, item, item.id)) {
      parts.set(parseTag(tag).name, tag);
      all.update(tag);
    }
    links.update(partTag(type, item, item.id, 'link'));
    yield;
  }
  return {
    ...wholeProvenance(
      type,
      versionedTag(`${type}.all`, all.digest('base64url').slice(0, VERSION_LENGTH)),
      versionedTag(`${type}.links`, links.digest('base64url').slice(0, VERSION_LENGTH)),
    ),
    parts,
  };
}

/** The provenance of the complete list of a type, each entry with the fields of its card. */
export function* cardListProvenance(
  type: string,
  items: readonly ({ id: string } & object)[],
): Steps<Provenance> {
  const parts = new Map<string, string>();
  for (const item of items) {
    parts.set(tagNames.part(type, item.id, 'card'), partTag(type, item, item.id, 'card'));
    yield;
  }
  return {
    tags: [
      tagNames.any(type),
      ...listTags(tagNames.lists(type), tagNames.list(type, 'all'), items, items.length),
    ],
    about: null,
    decides: [tagNames.list(type, 'all')],
    parts,
  };
}

/** A list of articles, or one page of it. */
export interface ArticleList {
  /** The parts of its name. */
  name: readonly string[];
  items: readonly ArticleLike[];
  /** How many articles the whole list has. */
  total: number;
  /** Whether the order is that of publication, which no field of an article shows. */
  isByPublication: boolean;
  /** For a list of several categories: whether it has all of their articles. Null for every other list. */
  isWhole: boolean | null;
  /** The group of the list, if an author, a tag or a period selects its articles. */
  selection?: string;
  /** The tag of the number of its articles, if other content tells the number as well. */
  countTag?: string;
  /** The slug of the category, for its first page. The page tells the neighbours of its articles. */
  firstOf?: string;
}

/**
 * The provenance of a list of articles, or of one page of it. A list of several categories also decides which articles are the first of those
 * categories of which it has enough, and the first page of a category decides the neighbours of its articles: their tags are `parts`, by the names that the categories' own lists give them.
 */
export function articleListProvenance(list: ArticleList): Provenance {
  const { name, items, total, isByPublication, isWhole, selection = tagNames.lists('articles') } = list;
  const own = articleListName(isByPublication, ...name);
  const firsts = isWhole === null ? [] : firstsOfCategories(items, isWhole);
  const parts = new Map(
    firsts.map(([slug, ids]) => {
      const first = firstOfCategoryName(isByPublication, slug);
      return [first, versionedTag(first, tagVersion(ids))];
    }),
  );
  for (const [name, tag] of list.firstOf === undefined ? [] : aroundTags(list, list.firstOf))
    parts.set(name, tag);
  return {
    tags: [
      ...(isByPublication ? [tagNames.published('articles')] : []),
      ...listTags(selection, own, items, total),
      ...(list.countTag === undefined ? [] : [list.countTag]),
      ...items.flatMap(cardTags),
    ],
    about: null,
    decides: [own, ...parts.keys()],
    parts,
  };
}

export function articleListName(isByPublication: boolean, ...name: readonly string[]): string {
  return tagNames.list('articles', ...(isByPublication ? ['', 'published', ...name] : name));
}

/** @returns the name of the tag of the two articles beside one in the list of its category. */
export function aroundName(isByPublication: boolean, category: string, id: string): string {
  return articleListName(isByPublication, '', 'around', category, id);
}

export function aroundTag(
  isByPublication: boolean,
  category: string,
  id: string,
  newer: { readonly id: string } | null,
  older: { readonly id: string } | null,
): string {
  const version = tagVersion([newer?.id ?? null, older?.id ?? null]);
  return versionedTag(aroundName(isByPublication, category, id), version);
}

/** @returns the tags of the neighbours of articles on the first page of a category. The last article of a page has one on the next page. */
function aroundTags(
  { items, total, isByPublication }: ArticleList,
  category: string,
): (readonly [name: string, tag: string])[] {
  const isWhole = total <= items.length;
  return items.slice(0, isWhole ? items.length : -1).map(({ id }, at) => {
    const tag = aroundTag(isByPublication, category, id, items[at - 1] ?? null, items[at + 1] ?? null);
    return [parseTag(tag).name, tag];
  });
}

/** The names above all lists of selected articles, in both orders, and above the neighbours of articles. */
export const SELECTED_LISTS: readonly string[] = ['author', 'tag', 'period', 'around'].flatMap(by =>
  [false, true].map(isByPublication => articleListName(isByPublication, '', by)),
);

/** @returns the name of the group to which a list belongs by its name; null for a list that nothing selects. */
export function selectionOfList(name: string): string | null {
  const above = SELECTED_LISTS.find(top => isBelow(name, top));
  if (above === undefined) return null;
  const by = above.slice(above.lastIndexOf('.') + 1);
  const [id = ''] = name.slice(above.length + 1).split('.');
  return `${tagNames.selected('articles')}.${by}.${id}`;
}

/** @returns the names above the lists of a selection, in both orders. @param group the name of its group. */
export function selectedLists(group: string): readonly string[] {
  const [by = '', id = ''] = group.slice(tagNames.selected('articles').length + 1).split('.');
  return SELECTED_LISTS.filter(above => above.endsWith(`.${by}`)).map(above => `${above}.${id}`);
}

/** @returns the name of the tag of a category's first articles. */
export function firstOfCategoryName(isByPublication: boolean, slug: string): string {
  return `${articleListName(isByPublication, slug, '1')}.first`;
}

/** @returns the ids of the first articles of each category, by its slug, of which a list has enough. */
function firstsOfCategories(
  items: readonly ArticleLike[],
  isWhole: boolean,
): (readonly [slug: string, ids: readonly string[]])[] {
  const bySlug = Map.groupBy(items, ({ category }) => category?.slug ?? '');
  return [...bySlug].flatMap(([slug, own]) => {
    const first = own.slice(0, FIRST_OF_LIST);
    const isEnough = isWhole || first.length === FIRST_OF_LIST;
    // The backend filters by the stored slug, in which two categories of one address may differ.
    const isOne = new Set(own.map(({ category }) => category?.id)).size === 1;
    return isEnough && isOne && slug !== '' ? [[slug, first.map(({ id }) => id)] as const] : [];
  });
}

/** The provenance of the order of a type's lists, which is compared like a list. */
export function orderProvenance(type: string, order: object): Provenance {
  const name = tagNames.list(type, '', 'order');
  return {
    tags: [tagNames.lists(type), versionedTag(name, tagVersion(order))],
    about: null,
    decides: [name],
  };
}

/** The name of the tag of the next date at which an article is published. No page shows it: it decides how long lists are right. */
export const NEXT_DATE = tagNames.list('articles', '', 'next-date');

/** The provenance of the next date, which is compared like a list. */
export function nextDateProvenance(next: object): Provenance {
  return {
    tags: [tagNames.lists('articles'), versionedTag(NEXT_DATE, tagVersion(next))],
    about: null,
    decides: [NEXT_DATE],
  };
}

/** The provenance of content that depends on every entry of some types. */
export function anyProvenance(...types: readonly string[]): Provenance {
  return { tags: types.map(tagNames.any), about: null, decides: [] };
}

/**
 * The provenance of the lookup of a slug. An entry may appear or disappear at any time: the tag of the lookup is then invalidated.
 *
 * @param found the entries with their tags.
 */
export function lookupProvenance(
  type: string,
  slug: string,
  found: readonly { id: string; tags: readonly string[] }[],
): Provenance {
  const names = found.map(({ id }) => tagNames.entry(type, id));
  const tags = [tagNames.slug(type, slug), ...new Set(found.flatMap(entry => entry.tags))];
  return { tags, about: names.length === 1 ? (names[0] ?? null) : null, decides: names };
}

/** @returns the tags of a page of a list: its group, the entries in their order, the first of them, and the number of all. */
function listTags(group: string, list: string, items: readonly { id: string }[], total: number): string[] {
  const ids = items.map(({ id }) => id);
  return [
    group,
    versionedTag(list, tagVersion([ids, total])),
    versionedTag(`${list}.first`, tagVersion(ids.slice(0, FIRST_OF_LIST))),
    versionedTag(`${list}.total`, tagVersion(total)),
  ];
}

/** The version stands at the end of an address (`server/media/file-versions.ts`). */
const UPLOADS = /\/uploads\/[^"'\s<>()?#&\\,]+(?:\?v=[0-9a-z]+)?/g;
const VERSION_IN_ADDRESS = '?v=';
const MEDIA = 'file:';
/** Characters of a media file's tag: a page may show many files, and its headers are short. */
const MEDIA_NAME_LENGTH = 8;

/** @returns the tag of a media file. */
export function mediaTag(path: string): string {
  return MEDIA + hash('sha256', path, 'base64url').slice(0, MEDIA_NAME_LENGTH);
}

/** Most files that have tags of their own in a value. An event about any file concerns a value with more of them. */
const MAX_FILES = 500;
export const MANY_FILES_TAG = `${MEDIA}many`;

/** @returns the addresses of the media files that a text names, with their versions: decoded content as JSON, or a page. */
export function mediaPaths(text: string): readonly string[] {
  return text.match(UPLOADS) ?? [];
}

/** @returns the tags of media files, with the versions in their addresses. @param addresses as `mediaPaths` returns them. */
export function mediaTags(addresses: ReadonlySet<string>): string[] {
  const versions = new Map<string, string | null>();
  for (const address of addresses) {
    const [path = '', version = null] = address.split(VERSION_IN_ADDRESS);
    // The complete record of a single type, and text about a file, name it without its version.
    if (version !== null || !versions.has(path)) versions.set(path, version);
  }
  if (versions.size > MAX_FILES) return [MANY_FILES_TAG];
  return Array.from(versions, ([path, version]) =>
    version === null ? mediaTag(path) : versionedTag(mediaTag(path), version),
  );
}

export function isMediaTag(tag: string): boolean {
  return tag.startsWith(MEDIA);
}
