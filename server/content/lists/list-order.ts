import type { JsonAnswer } from '../../backend/backend-client.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { entryOf, rowsOf } from '../../wire/wire.ts';
import type { MissingFields } from '../requests/missing-fields.ts';

/** Sorts by creation first, because Strapi 5 renews the `id` at each publish. */
const OLDEST_FIRST = 'sort[0]=createdAt:asc&sort[1]=id:asc';

/** @param read reads the list with a sort, or without one for a backend without creation dates. */
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

/** Sorts by `order`, rows without it last. The site sorts, because databases place null differently. */
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
