import { siteTypes } from '../../../site/types.ts';
import { safeSlug } from '../../addresses/safe-address.ts';
import { storedSlugOf } from '../../addresses/slug-spellings.ts';
import { callOf, joined, pageOf } from '../../wire/content-calls.ts';
import { entryOf, rowsOf } from '../../wire/wire.ts';
import { idFilter, TAGS } from '../articles/article-selection.ts';
import type { Publication } from '../articles/publication.ts';
import type { Ask } from '../requests/content-request.ts';
import type { MissingFields } from '../requests/missing-fields.ts';
import type { ContentCache } from '../store/content-cache.ts';
import { selectedLists, selectionOfList } from '../tags/article-tags.ts';
import { tagNames } from '../tags/content-tags.ts';

const type = siteTypes.article;

export interface AffectedSelection {
  readonly group: string;
  readonly lists: readonly string[];
}

export function selectionsShowing(
  ids: readonly string[],
  cache: Pick<ContentCache, 'decidedBy'>,
): readonly string[] {
  return ids
    .flatMap(id => cache.decidedBy(tagNames.part(type.path, id, 'card')))
    .flatMap(name => selectionOfList(name) ?? []);
}

export interface ListedChange {
  readonly ids: readonly string[];
  readonly isRemoval: boolean;
  readonly shownIn: readonly string[];
}

/** @returns selections whose lists contained or will contain one of the articles. @throws BackendError */
export async function affectedSelections(
  missing: MissingFields,
  monthOf: Publication['monthOf'],
  changes: readonly ListedChange[],
  ask: Ask,
): Promise<readonly AffectedSelection[]> {
  const edits = changes.filter(({ isRemoval }) => !isRemoval);
  const rows = await Promise.all(edits.map(({ ids }) => readArticle(missing, ids[0] ?? '', ask)));
  const after = rows.flatMap(row => selectionsOf(row, monthOf(row)));
  const before = changes.flatMap(({ shownIn }) => shownIn);
  const groups = new Set([...before, ...after.map(({ by, id }) => tagNames.selection(type.path, by, id))]);
  return [...groups].map(group => ({ group, lists: selectedLists(group) }));
}

async function readArticle(missing: MissingFields, id: string, ask: Ask): Promise<unknown> {
  const { body } = await missing.ask(type, 'list', selection => {
    const row = (populated: string) =>
      ask(callOf(type, joined(idFilter([], id), selection, populated, pageOf(1, 1))));
    return missing.either(
      TAGS,
      () => row('populate[tags][fields][0]=name'),
      () => row(''),
    );
  });
  return rowsOf(body)?.[0];
}

/** @returns the selections that contain the article. `around` stands for the neighbours in its category. */
function selectionsOf(row: unknown, month: string | null) {
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
