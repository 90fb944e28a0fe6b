import { contentTypes } from '../../../shared/content/content-types.ts';
import { BackendError } from '../../errors.ts';
import type { ContentCache } from '../content-cache.ts';
import { callOf, joined, pageOf } from '../content-calls.ts';
import type { Ask } from '../content-request.ts';
import { selectedLists, selectionOfList, tagNames } from '../content-tags.ts';
import { entryOf, rowsOf } from '../decode/wire.ts';
import { safeSlug } from '../safe-address.ts';
import { storedSlugOf } from '../slugs/slug-spellings.ts';
import { type ArticleSelection, idFilter } from './article-selection.ts';

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
 * @returns the selections whose lists have shown one of the articles, and those to which they belong after the change.
 * @throws BackendError
 */
export async function affectedSelections(
  changes: readonly ListedChange[],
  ask: Ask,
): Promise<readonly AffectedSelection[]> {
  const { path } = contentTypes.article;
  const edits = changes.filter(({ isRemoval }) => !isRemoval);
  const after = (await Promise.all(edits.map(({ ids }) => selectionsOf(ids[0] ?? '', ask)))).flat();
  const before = changes.flatMap(({ shownIn }) => shownIn);
  const groups = new Set([...before, ...after.map(({ by, id }) => tagNames.selection(path, by, id))]);
  return [...groups].map(group => ({ group, lists: selectedLists(group) }));
}

/** @returns the selections to which an article belongs. Its neighbours in the category count as one, by the slug of the category. */
async function selectionsOf(
  id: string,
  ask: Ask,
): Promise<readonly { readonly by: ArticleSelection['by'] | 'around'; readonly id: string }[]> {
  const query = (...relations: readonly string[]) =>
    callOf(
      contentTypes.article,
      joined(
        idFilter([], id),
        'fields[0]=slug',
        ...relations.map(name => `populate[${name}][fields][0]=${name === 'category' ? 'slug' : 'name'}`),
        pageOf(1, 1),
      ),
    );
  const answer = await ask(query('category', 'author', 'tags')).catch((error: unknown) => {
    // A backend may know no tags.
    if (error instanceof BackendError && error.status === 400) return ask(query('category', 'author'));
    throw error;
  });
  const [row] = rowsOf(answer.body) ?? [];
  const attributes = entryOf(row)?.attributes ?? {};
  const author = entryOf(attributes.author);
  const category = entryOf(attributes.category);
  const slug = category && safeSlug(storedSlugOf(category));
  return [
    ...(slug ? [{ by: 'around' as const, id: slug }] : []),
    ...(author ? [{ by: 'author' as const, id: author.id }] : []),
    ...(rowsOf(attributes.tags) ?? []).flatMap(tag => {
      const entry = entryOf(tag);
      return entry ? [{ by: 'tag' as const, id: entry.id }] : [];
    }),
  ];
}
