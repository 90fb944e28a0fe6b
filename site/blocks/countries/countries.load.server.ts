import { COUNTRY_COLUMNS } from '../../../shared/constants.ts';
import type { CompleteBlock } from '../complete-block.server.ts';

export const completeCountries: CompleteBlock<'countries'> = ({ countries }) => ({
  countries: inColumns(countries.map(({ title, link, image }) => ({ title, link, image }))),
});

/** Divides a list into columns. The last one may be shorter, and none is empty. */
export function inColumns<T>(items: readonly T[]): readonly (readonly T[])[] {
  const size = Math.ceil(items.length / COUNTRY_COLUMNS);
  return Array.from({ length: COUNTRY_COLUMNS }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  ).filter(column => column.length > 0);
}
