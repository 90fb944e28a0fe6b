import { createHash, hash } from 'node:crypto';
import type { FieldDescriptions } from '../../../shared/content/descriptions.ts';
import { entryTypes, listedTypes } from '../../../shared/content/entries.ts';
import { siteTypes } from '../../../site/types.ts';
import { safeSlug } from '../../addresses/safe-address.ts';
import { namesAbove, versionedTag } from '../../cache/tags/tags.ts';
import type { Steps } from '../../ops/slices.ts';
import { isObject } from '../../wire/wire.ts';

/* The tags of content, below the path of its type (`articles`), decision 133:
   - `articles:42`: all fields of an entry, without those of related entries
   - `articles:42.card`: a part of an entry (`PARTS`)
   - `articles=how-to`: the lookup of a slug
   - `articles.slugs`: content that depends on the slugs of all entries
   - `articles@guides.1`: entries and order of a list; `.first` and `.total` are its parts
   - `articles.lists`: all lists of a type, if they cannot be compared
   - `articles.selected.tag.7`: all lists of an author, tag or period, likewise
   - `articles.published`: lists sorted by `publishedAt`, which decoded entries may not show
   - `articles.whole`: content with all entries in full, loaded again after each event of the type
   - `articles.any`: content that depends on every entry of a type
   - `file:Xb0eY1c2`: a media file, by a digest of its path; with a version after a change
   - `file:many`: any media file, for content with more than MAX_FILES */

const NOT_ON_CARDS: readonly string[] = ['updatedAt', 'order', 'seo', 'publishAt', 'unpublishAt'];

function cardOf({ fields }: { fields: FieldDescriptions }): readonly string[] {
  return Object.keys(fields).filter(name => fields[name]?.inLists && !NOT_ON_CARDS.includes(name));
}

const LINK: readonly string[] = ['title', 'slug'];

/** Parts of entries that pages show without the rest: names of fields, by path and part. */
const PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ...Object.fromEntries(
    [...listedTypes, siteTypes.page].map(type => [type.path, { card: cardOf(type), link: LINK }]),
  ),
  [siteTypes.article.path]: { card: cardOf(siteTypes.article), tags: ['tags'], link: LINK },
  // An author's slug depends on the list of all authors, so the copies in articles have none.
  [siteTypes.author.path]: { name: ['name'], link: ['name', 'slug'] },
  [siteTypes.category.path]: { link: ['name', 'slug'], articles: ['questions', 'cta'] },
  [siteTypes.tag.path]: { link: ['name', 'slug'] },
  [siteTypes.landing.path]: {
    contacts: ['contactsBlock', 'contactsListWithCheckmarks'],
    subscribe: ['subscribeBlockSocials'],
  },
};

const LIST_PARTS: readonly string[] = ['first', 'total'];

/** Types whose entries are looked up by slug. Other types are read as a whole. */
export const LOOKED_UP: readonly string[] = [siteTypes.article, ...entryTypes].map(({ path }) => path);

/** Relations to entries with separate tags. An entry's version contains only their ids. */
const RELATIONS: readonly string[] = ['author', 'category', 'tags'];

const NOT_SHOWN: readonly string[] = ['attributes', 'rank', 'storedSlug'];

export const VERSION_LENGTH = 10;

/** How many of a list's first articles other pages show. */
export const FIRST_OF_LIST = 4;

type Fields = Readonly<Record<string, unknown>>;

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
  selection: (type: string, by: string, id: string) => `${tagNames.selected(type)}.${by}.${inName(id)}`,
  around: (type: string) => `${tagNames.selected(type)}.around`,
  list: (type: string, ...list: readonly string[]) => `${type}@${list.map(inName).join('.')}`,
  slug: (type: string, slug: string) => `${type}=${inName(safeSlug(slug) ?? slug)}`,
};

/** Encodes a text as one level of a name. Names are sent in headers, and ids may have any characters. */
function inName(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('.', '%2E');
}

export function namedIds(type: string, names: readonly string[]): readonly string[] {
  const begin = `${type}:`;
  const ids = names
    .filter(name => name.startsWith(begin))
    .map(name => decodeURIComponent(name.slice(begin.length).split('.', 1)[0] ?? ''));
  return [...new Set(ids)];
}

export function tagVersion(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, VERSION_LENGTH);
}

export function* rowsVersion(rows: readonly unknown[]): Steps<string> {
  const all = createHash('sha256');
  for (const row of rows) {
    all.update(JSON.stringify(row));
    yield;
  }
  return all.digest('base64url').slice(0, VERSION_LENGTH);
}

export function entryTags(type: string, entry: object, id: string | null): string[] {
  const fields = ownFields(entry);
  const name = id === null ? type : tagNames.entry(type, id);
  return [
    versionedTag(name, tagVersion(fields)),
    ...Object.keys(PARTS[type] ?? {}).map(part => partTag(type, entry, id, part)),
  ];
}

/** @returns the possible parts of an entry or a list, even if memory lacks them. */
export function partNames(name: string): readonly string[] {
  const type = namesAbove(name).at(-1) ?? name;
  if (name.startsWith(`${type}:`)) return Object.keys(PARTS[type] ?? {}).map(part => `${name}.${part}`);
  return name.startsWith(`${type}@`) ? LIST_PARTS.map(part => `${name}.${part}`) : [];
}

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
  Array.isArray(related) ? related.map(idOf) : isObject(related) ? (related.id ?? null) : null;
