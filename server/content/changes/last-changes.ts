import { storedSlugOf } from '../../addresses/slug-spellings.ts';
import { callOf, joined, pageOf, paginationOf } from '../../wire/content-calls.ts';
import type { ServedType } from '../../wire/described-types.ts';
import { entryOf, rowsOf, textOf, unwrap } from '../../wire/wire.ts';
import type { Ask } from '../requests/content-request.ts';
import type { MissingFields } from '../requests/missing-fields.ts';

export interface ChangedRow {
  readonly ids: readonly string[];
  readonly slug: string | null;
  readonly updatedAt: string | null;
  readonly publishedAt: string | null;
}

export interface LastChanges {
  readonly rows: readonly ChangedRow[];
  readonly total: number;
  /** The field that sorts rows, newest first. Null if the backend has none: the last added row is first. */
  readonly by: 'publishedAt' | 'updatedAt' | null;
}

/**
 * Finds the last changed rows. Strapi 5 sets `publishedAt` at each publish, and `updatedAt` for drafts too.
 * Strapi 4 sets `publishedAt` once, and `updatedAt` at each change.
 */
export function createLastChanges(missing: Pick<MissingFields, 'either'>) {
  const ofStrapi5 = new Set<string>();

  async function read(type: ServedType, most: number, ask: Ask): Promise<LastChanges> {
    const by = ofStrapi5.has(type.path) ? 'publishedAt' : 'updatedAt';
    async function call(sort: LastChanges['by'], ...times: readonly string[]): Promise<LastChanges> {
      const names = [...times, ...(Object.hasOwn(type.fields, 'slug') ? ['slug'] : [])];
      const fields = names.map((name, at) => `fields[${at}]=${name}`);
      const list = [`sort[0]=${sort ?? 'id'}:desc&sort[1]=id:desc`, pageOf(1, most)];
      const query = joined(...fields, ...(type.storage === 'single' ? [] : list));
      return lastChanges((await ask(callOf(type, query))).body, sort);
    }
    const cost = 'a change is seen when the content is loaded again, unless an event tells of it';
    return missing.either(
      { type: type.path, field: 'updatedAt', cost },
      () =>
        missing.either(
          { type: type.path, field: 'publishedAt', cost },
          () => call(by, 'updatedAt', 'publishedAt'),
          () => call('updatedAt', 'updatedAt'),
        ),
      () => call(null),
    );
  }

  return async (type: ServedType, most: number, ask: Ask): Promise<LastChanges> => {
    const changes = await read(type, most, ask);
    const isSorted = changes.by !== 'updatedAt' || type.storage === 'single';
    if (isSorted || !changes.rows.some(({ ids, publishedAt }) => ids.length > 1 && publishedAt !== null))
      return changes;
    ofStrapi5.add(type.path);
    return read(type, most, ask);
  };
}

function lastChanges(body: unknown, by: LastChanges['by']): LastChanges {
  const entry = unwrap(body);
  const rows = rowsOf(body) ?? (entry ? [entry] : []);
  return { rows: rows.flatMap(row => changedRow(row) ?? []), total: paginationOf(body).total, by };
}

function changedRow(row: unknown): ChangedRow | null {
  const entry = entryOf(row);
  if (!entry) return null;
  const { updatedAt, publishedAt } = entry.attributes;
  const { id } = unwrap(row) as { id?: unknown };
  return {
    ids: [...new Set([entry.id, textOf(id) ?? entry.id])],
    slug: storedSlugOf(entry),
    updatedAt: textOf(updatedAt),
    publishedAt: textOf(publishedAt),
  };
}
