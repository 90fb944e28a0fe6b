import type { JsonAnswer } from '../../backend/backend-client.ts';
import { entryOf, rowsOf } from '../decode/wire.ts';
import type { ServedType } from '../described-types.ts';
import type { MissingFields } from '../missing-fields.ts';

/** The order in which all lists but those of articles are read. Strapi 5 gives an entry a new `id` at each publish, so the `id` alone would shuffle them. */
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

/**
 * Sorts the rows of a complete list by their field `order`. Rows without it come last, and rows of one number stay as they are. The site sorts,
 * because databases disagree about the place of null.
 */
export function inOrder<T extends { id: string }>(
  { fields }: ServedType,
  rows: readonly T[],
  answers: readonly JsonAnswer[],
): readonly T[] {
  if (!('order' in fields)) return rows;
  const places = new Map(
    answers.flatMap(({ body }) =>
      (rowsOf(body) ?? []).flatMap(row => {
        const entry = entryOf(row);
        return entry ? [[entry.id, placeIn(entry.attributes.order)] as const] : [];
      }),
    ),
  );
  const placeOf = ({ id }: T) => places.get(id) ?? LAST;
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
}

const LAST = Number.MAX_VALUE;

function placeIn(order: unknown): number {
  return typeof order === 'number' && Number.isFinite(order) ? order : LAST;
}
