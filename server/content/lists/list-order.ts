import type { ServedType } from '../described-types.ts';
import type { MissingFields } from '../missing-fields.ts';

/** The order of all lists but those of articles. Strapi 5 gives an entry a new `id` at each publish, so the `id` alone would shuffle them. */
const OLDEST_FIRST = 'sort[0]=createdAt:asc&sort[1]=id:asc';

/**
 * Reads a list in the order in which its entries were created.
 *
 * @param read reads the list with a sort in its query. The sort is empty for a backend that does not know when entries were created.
 */
export function oldestFirst<T>(
  { path }: ServedType,
  missing: MissingFields,
  read: (sort: string) => Promise<T>,
): Promise<T> {
  const cost = 'its entries may change places when one of them is published';
  return missing.either(
    { type: path, field: 'createdAt', cost },
    () => read(OLDEST_FIRST),
    () => read(''),
  );
}
