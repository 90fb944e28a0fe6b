import type { IncomingMessage, ServerResponse } from 'node:http';
import { passesFilters } from './as-sqlite.ts';
import { sendJson } from './fake-backend.ts';

/** Fields of a row, with `id` and `documentId`. */
export type ListRow = Readonly<Record<string, unknown>> & { readonly id: number };

export interface ListBackendOptions {
  /** Place of null in descending order: `last` in SQLite, `first` in PostgreSQL. */
  nulls?: 'first' | 'last';
  /** Fields that the backend lacks. A query that names one is refused, as in Strapi 5. */
  lacks?: readonly string[];
}

/**
 * @param rows called for each request, so that a test may change the rows
 * @returns a behaviour for `FakeBackend.on` that filters, sorts and pages rows as Strapi 5 does. The rows
 *   have the shape of the v4 header.
 */
export function listOfRows(
  rows: () => readonly ListRow[],
  { nulls = 'last', lacks = [] }: ListBackendOptions = {},
): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    const query = new URL(req.url ?? '/', 'http://backend').searchParams;
    const asked = [...query].flatMap(([name, value]) => `${name} ${value}`.split(/[^\w]+/));
    const refused = lacks.find(field => asked.includes(field));
    if (refused !== undefined) {
      const error = { status: 400, name: 'ValidationError', message: `Invalid key ${refused}`, details: {} };
      return sendJson(res, 400, { data: null, error });
    }
    const isUndated = query.get('filters[date][$null]');
    const found = rows()
      .filter(row => passesFilters(query, 'category][slug', (row.category as ListRow | null)?.slug))
      .filter(row => passesFilters(query, 'slug', row.slug))
      .filter(row => isUndated === null || (row.date ?? null) === null)
      .filter(row => isSince(query, row))
      .filter(row => !isPlanned(query) || (row.publishAt ?? row.unpublishAt ?? null) !== null)
      .toSorted(orderOf(query, nulls));
    const page = Number(query.get('pagination[page]') ?? 1);
    const pageSize = Math.min(100, Number(query.get('pagination[pageSize]') ?? 25));
    const pageCount = Math.ceil(found.length / pageSize);
    sendJson(res, 200, {
      data: found.slice((page - 1) * pageSize, page * pageSize).map(shaped),
      meta: { pagination: { page, pageSize, pageCount, total: found.length } },
    });
  };
}

/** Filters by a time, such as `filters[publishedAt][$gte]`. */
function isSince(query: URLSearchParams, row: ListRow): boolean {
  return ['publishedAt', 'updatedAt'].every(field => {
    const since = query.get(`filters[${field}][$gte]`);
    return since === null || String(row[field]) >= since;
  });
}

/** Whether a query asks for moments of `publishAt` or `unpublishAt` that come. */
function isPlanned(query: URLSearchParams): boolean {
  return [...query.keys()].some(
    key => /\[(?:un)?publishAt\]\[\$gt\]$/.test(key) && key.startsWith('filters[$or]'),
  );
}

/** Rows without a sort come in the order of the database, which is arbitrary: here the newest id first. */
function orderOf(query: URLSearchParams, nulls: 'first' | 'last') {
  const keys = [0, 1, 2].flatMap(at => query.get(`sort[${at}]`) ?? []);
  return (a: ListRow, b: ListRow): number => {
    for (const key of keys.length > 0 ? keys : ['id:desc']) {
      const [field = '', direction] = key.split(':');
      const sign = direction === 'desc' ? -1 : 1;
      const [left, right] = [a[field] ?? null, b[field] ?? null];
      if (left === right) continue;
      if (left === null || right === null) {
        // SQLite treats null as the smallest value, PostgreSQL as the largest.
        const isSmallest = nulls === 'last';
        return sign * ((left === null) === isSmallest ? -1 : 1);
      }
      return sign * (left < right ? -1 : 1);
    }
    return 0;
  };
}

const RELATIONS = ['category', 'author', 'cover'];

function shaped({ id, documentId = `doc${id}`, ...fields }: ListRow): object {
  const attributes = Object.entries(fields).map(([field, value]) => {
    const isRelated = typeof value === 'object' && value !== null && 'id' in value;
    if (isRelated) return [field, { data: shaped(value as ListRow) }];
    return [field, value === null && RELATIONS.includes(field) ? { data: null } : value];
  });
  return { id, documentId, attributes: Object.fromEntries(attributes) };
}
