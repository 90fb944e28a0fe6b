import { safeSlug } from '../../addresses/safe-address.ts';
import { storedSlugOf } from '../../addresses/slug-spellings.ts';
import { paginationOf } from '../../wire/content-calls.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { entryOf, rowsOf } from '../../wire/wire.ts';
import type { Ask } from '../requests/content-request.ts';
import { pagesOf } from './all-pages.ts';

/**
 * Reads the ids of all entries, and their slugs in canonical form, page by page.
 * @returns null if the list changed meanwhile, because a row may be missing. @throws BackendError
 */
export async function readNames(type: ServedType, query: string, ask: Ask) {
  const [slugs, ids, totals] = [new Set<string>(), new Set<string>(), new Set<number>()];
  for await (const { body } of pagesOf(type, query, ask)) {
    totals.add(paginationOf(body).total);
    for (const row of rowsOf(body) ?? []) {
      const entry = entryOf(row);
      // Give up, because the slug of a row without an id cannot be read.
      if (!entry) return null;
      ids.add(entry.id);
      const slug = safeSlug(storedSlugOf(entry));
      if (slug !== null) slugs.add(slug);
    }
  }
  return totals.size === 1 && totals.has(ids.size) ? { ids, slugs } : null;
}
