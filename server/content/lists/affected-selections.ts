import { contentTypes } from '../../../shared/content/content-types.ts';
import { BackendError } from '../../errors.ts';
import type { ContentCache } from '../content-cache.ts';
import { callOf, joined, pageOf } from '../content-calls.ts';
import type { Ask } from '../content-request.ts';
import { selectedLists, selectionOfList, tagNames } from '../content-tags.ts';
import { entryOf, rowsOf } from '../decode/wire.ts';
import { type ArticleSelection, idFilter } from './article-selection.ts';

/** A selection of articles, by the names of its tags. */
export interface AffectedSelection {
  /** The tag of all its lists. */
  readonly group: string;
  /** The names above its lists, in both orders. */
  readonly lists: readonly string[];
}

/**
 * @param ids the keys of an article that has changed.
 * @returns the selections whose lists show the article now in memory, and those to which it belongs after the change.
 * @throws BackendError
 */
export async function affectedSelections(
  ids: readonly string[],
  isRemoval: boolean,
  cache: Pick<ContentCache, 'decidedBy'>,
  ask: Ask,
): Promise<readonly AffectedSelection[]> {
  const { path } = contentTypes.article;
  const before = ids
    .flatMap(id => cache.decidedBy(tagNames.part(path, id, 'card')))
    .flatMap(name => selectionOfList(name) ?? []);
  const after = isRemoval ? [] : await selectionsOf(ids[0] ?? '', ask);
  const groups = new Set([...before, ...after.map(({ by, id }) => tagNames.selection(path, by, id))]);
  return [...groups].map(group => ({ group, lists: selectedLists(group) }));
}

/** @returns the selections to which an article belongs. */
async function selectionsOf(id: string, ask: Ask): Promise<readonly ArticleSelection[]> {
  const query = (...relations: readonly string[]) =>
    callOf(
      contentTypes.article,
      joined(
        idFilter([], id),
        'fields[0]=slug',
        ...relations.map(name => `populate[${name}][fields][0]=name`),
        pageOf(1, 1),
      ),
    );
  const answer = await ask(query('author', 'tags')).catch((error: unknown) => {
    // A backend may know no tags.
    if (error instanceof BackendError && error.status === 400) return ask(query('author'));
    throw error;
  });
  const [row] = rowsOf(answer.body) ?? [];
  const attributes = entryOf(row)?.attributes ?? {};
  const author = entryOf(attributes.author);
  return [
    ...(author ? [{ by: 'author' as const, id: author.id }] : []),
    ...(rowsOf(attributes.tags) ?? []).flatMap(tag => {
      const entry = entryOf(tag);
      return entry ? [{ by: 'tag' as const, id: entry.id }] : [];
    }),
  ];
}
