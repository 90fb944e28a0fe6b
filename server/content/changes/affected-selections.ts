import { siteTypes } from '../../../site/types.ts';
import { safeSlug } from '../../addresses/safe-address.ts';
import { storedSlugOf } from '../../addresses/slug-spellings.ts';
import { callOf, joined, pageOf } from '../../wire/content-calls.ts';
import { entryOf, rowsOf } from '../../wire/wire.ts';
import { idFilter } from '../articles/article-selection.ts';
import type { Publication } from '../articles/publication.ts';
import type { ArticleSelection } from '../reading/content-reader.ts';
import type { Ask } from '../requests/content-request.ts';
import { isRefusalOf } from '../requests/missing-fields.ts';
import type { ContentCache } from '../store/content-cache.ts';
import { selectedLists, selectionOfList } from '../tags/article-tags.ts';
import { tagNames } from '../tags/content-tags.ts';

export interface AffectedSelection {
  readonly group: string;
  readonly lists: readonly string[];
}

/** @returns the tags of the selections whose lists in memory show an article, by its keys. */
export function selectionsShowing(
  ids: readonly string[],
  cache: Pick<ContentCache, 'decidedBy'>,
): readonly string[] {
  return ids
    .flatMap(id => cache.decidedBy(tagNames.part(siteTypes.article.path, id, 'card')))
    .flatMap(name => selectionOfList(name) ?? []);
}

export interface ListedChange {
  readonly ids: readonly string[];
  readonly isRemoval: boolean;
  readonly shownIn: readonly string[];
}

/** @returns the selections whose lists showed one of the articles, or will show it. @throws BackendError */
export async function affectedSelections(
  changes: readonly ListedChange[],
  ask: Ask,
  monthOf: Publication['monthOf'],
): Promise<readonly AffectedSelection[]> {
  const { path } = siteTypes.article;
  const edits = changes.filter(({ isRemoval }) => !isRemoval);
  const rows = await Promise.all(edits.map(({ ids }) => readArticle(ids[0] ?? '', ask)));
  const after = rows.flatMap(row => selectionsOf(row, monthOf(row)));
  const before = changes.flatMap(({ shownIn }) => shownIn);
  const groups = new Set([...before, ...after.map(({ by, id }) => tagNames.selection(path, by, id))]);
  return [...groups].map(group => ({ group, lists: selectedLists(group) }));
}

const FIELDS = ['slug', 'publishedAt', 'date'];
const RELATIONS = ['category', 'author', 'tags'];
const OPTIONAL = ['tags', 'date'];

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
    const { body } = await ask(callOf(siteTypes.article, query));
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

/** Its neighbours in the category count as one selection, by the slug of the category. */
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
