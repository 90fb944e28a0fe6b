/** A list of articles or one page of it, as it is cached. */
interface CachedList {
  readonly items: readonly { readonly id: string; readonly date: string }[];
  readonly page?: number;
  readonly pageCount?: number;
}

/**
 * Articles of one date stand in the order of the backend's row ids. Strapi 5 gives an article a new row id with each publish, so an article
 * may pass others of its date although none of its fields has changed.
 *
 * @param lists the values of all lists of articles in memory.
 * @param ids the keys of an article whose fields are known to be as before.
 * @returns whether its place may have changed: it has the date of another article, or may have, or no list in memory shows it.
 */
export function mayMove(lists: readonly unknown[], ids: readonly string[]): boolean {
  const cached = lists.flatMap(list => asList(list) ?? []);
  const articles = cached.flatMap(({ items }) => items);
  const own = articles.find(({ id }) => ids.includes(id));
  if (!own) return true;
  if (articles.some(({ id, date }) => date === own.date && !ids.includes(id))) return true;
  // The page before or after this one may not be in memory.
  return cached.some(
    ({ items, page = 1, pageCount = 1 }) =>
      (page > 1 && items[0]?.id === own.id) || (page < pageCount && items.at(-1)?.id === own.id),
  );
}

function asList(value: unknown): CachedList | null {
  return typeof value === 'object' && value !== null && 'items' in value ? (value as CachedList) : null;
}
