import { paginationOf } from '../content-calls.ts';
import type { Ask } from '../content-request.ts';
import { entryOf, rowsOf } from '../decode/wire.ts';
import type { ServedType } from '../described-types.ts';
import { safeSlug } from '../safe-address.ts';
import { storedSlugOf } from '../slugs/slug-spellings.ts';
import { pagesOf } from './all-pages.ts';

/** The names of all entries of a type. */
export interface EntryNames {
  readonly ids: ReadonlySet<string>;
  /** The slugs in their canonical form. */
  readonly slugs: ReadonlySet<string>;
}

/**
 * Reads the ids and the slugs of all entries. Each page is forgotten after its turn, and the turns are short.
 *
 * @returns null when the list has changed during the reading, because a row may then be on no page that was read.
 * @throws BackendError
 */
export async function readNames(type: ServedType, query: string, ask: Ask): Promise<EntryNames | null> {
  const [slugs, ids, totals] = [new Set<string>(), new Set<string>(), new Set<number>()];
  for await (const { body } of pagesOf(type, query, ask)) {
    totals.add(paginationOf(body).total);
    for (const row of rowsOf(body) ?? []) {
      const entry = entryOf(row);
      // Nothing says which slug a row without an id has.
      if (!entry) return null;
      ids.add(entry.id);
      const slug = safeSlug(storedSlugOf(entry));
      if (slug !== null) slugs.add(slug);
    }
  }
  return totals.size === 1 && totals.has(ids.size) ? { ids, slugs } : null;
}
