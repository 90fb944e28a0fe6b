import { contentTypes } from '../../../shared/content/content-types.ts';
import type { ContentCache } from '../content-cache.ts';
import { callOf, joined, pageOf } from '../content-calls.ts';
import type { Ask } from '../content-request.ts';
import { selectedLists, selectionOfList, tagNames } from '../content-tags.ts';
import { entryOf, rowsOf } from '../decode/wire.ts';
import { isRefusalOf } from '../missing-fields.ts';
import { safeSlug } from '../safe-address.ts';
import { storedSlugOf } from '../slugs/slug-spellings.ts';
import { type ArticleSelection, idFilter } from './article-selection.ts';
import type { Publication } from './publication.ts';

/** A selection of articles, by the names of its tags. */
export interface AffectedSelection {
  /** The tag of all its lists. */
  readonly group: string;
  /** The names above its lists, in both orders. */
  readonly lists: readonly string[];
}

/** @returns the tags of the selections whose lists in memory show an article, by its keys. */
export function selectionsShowing(
  ids: readonly string[],
  cache: Pick<ContentCache, 'decidedBy'>,
): readonly string[] {
  return ids
    .flatMap(id => cache.decidedBy(tagNames.part(contentTypes.article.path, id, 'card')))
    .flatMap(name => selectionOfList(name) ?? []);
}

/** An article that has changed, and the selections whose lists have shown it before. */
export interface ListedChange {
  readonly ids: readonly string[];
  readonly isRemoval: boolean;
  readonly shownIn: readonly string[];
}

/**
 * @param monthOf as `Publication.monthOf`.
 * @returns the selections whose lists have shown one of the articles, and those to which they belong after the change.
 * @throws BackendError
 */
export async function affectedSelections(
  changes: readonly ListedChange[],
  ask: Ask,
  monthOf: Publication['monthOf'],
): Promise<readonly AffectedSelection[]> {
  const { path } = contentTypes.article;
  const edits = changes.filter(({ isRemoval }) => !isRemoval);
  const rows = await Promise.all(edits.map(({ ids }) => readArticle(ids[0] ?? '', ask)));
  const after = rows.flatMap(row => selectionsOf(row, monthOf(row)));
  const before = changes.flatMap(({ shownIn }) => shownIn);
  const groups = new Set([...before, ...after.map(({ by, id }) => tagNames.selection(path, by, id))]);
  return [...groups].map(group => ({ group, lists: selectedLists(group) }));
}

const FIELDS = ['slug', 'publishedAt', 'date'];
const RELATIONS = ['category', 'author', 'tags'];
/** The fields that a backend may lack. */
const OPTIONAL = ['tags', 'date'];

/** @returns the row of an article with the fields that select it for lists, as far as the backend has them. */
async function readArticle(id: string, ask: Ask, lacks: readonly string[] = []): Promise<unknown> {
  const isAsked = (name: string) => !lacks.includes(name);
  const query = joined(
    idFilter([], id),
    ...FIELDS.filter(isAsked).map((name, at) => `fields[${at}]=${name}`),
    ...RELATIONS.filter(isAsked).map(
      name => `populate[${name}][fields][0]=${name === 'category' ? 'slug' : 'name'}`,
    ),
    pageOf(1, 1),
  );
  try {
    const { body } = await ask(callOf(contentTypes.article, query));
    return rowsOf(body)?.[0];
  } catch (error) {
    const refused = OPTIONAL.filter(isAsked).find(name => isRefusalOf(name, error));
    if (refused === undefined) throw error;
    return readArticle(id, ask, [...lacks, refused]);
  }
}

interface Selected {
  readonly by: ArticleSelection['by'] | 'around';
  readonly id: string;
}

/** @returns the selections to which an article belongs. Its neighbours in the category count as one, by the slug of the category. */
function selectionsOf(row: unknown, month: string | null): readonly Selected[] {
  const attributes = entryOf(row)?.attributes ?? {};
  const author = entryOf(attributes.author);
  const category = entryOf(attributes.category);
  const slug = category && safeSlug(storedSlugOf(category));
  const periods = month === null ? [] : [month.slice(0, YEAR_LENGTH), month];
  return [
    ...(slug ? [{ by: 'around' as const, id: slug }] : []),
    ...(author ? [{ by: 'author' as const, id: author.id }] : []),
    ...(rowsOf(attributes.tags) ?? []).flatMap(tag => {
      const entry = entryOf(tag);
      return entry ? [{ by: 'tag' as const, id: entry.id }] : [];
    }),
    ...periods.map(id => ({ by: 'period' as const, id })),
  ];
}

const YEAR_LENGTH = '2026'.length;
