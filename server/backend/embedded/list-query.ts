import type { ContentType, Row } from './content-types.ts';
import { attributeOf, compare, isAttribute, parseFilters } from './filters.ts';
import { isRecord } from './json-values.ts';
import { listOf } from './query-values.ts';
import { StrapiError } from './strapi-error.ts';

/** Page sizes of Strapi: the default and the largest. */
const DEFAULT_PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;

export interface Pagination {
  page: number;
  pageSize: number;
  pageCount: number;
  total: number;
}

/**
 * Filters, sorts and pages the rows of a collection.
 * @param query the parsed query; `filters`, `sort` and `pagination` are read.
 * @returns the rows of the requested page, none past the end, and its pagination.
 * @throws StrapiError (400) for a filter or sort key that the type does not have.
 */
export function queryRows(
  type: ContentType,
  rows: readonly Row[],
  query: Record<string, unknown>,
): { rows: readonly Row[]; pagination: Pagination } {
  const order = parseSort(type, rows, query.sort);
  const found = rows.filter(parseFilters(type, query.filters)).toSorted(order);
  const paging = isRecord(query.pagination) ? query.pagination : {};
  const page = positiveInteger(paging.page) ?? 1;
  const pageSize = Math.min(positiveInteger(paging.pageSize) ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const pagination = { page, pageSize, pageCount: Math.ceil(found.length / pageSize), total: found.length };
  return { rows: found.slice((page - 1) * pageSize, page * pageSize), pagination };
}

/**
 * Without a sort the rows keep the order of the content. A sort by `createdAt` keeps it, too: the site sorts lists by `createdAt`, and the
 * times of files say nothing about the order that `order` and the files' names give.
 */
function parseSort(type: ContentType, rows: readonly Row[], sort: unknown): (a: Row, b: Row) => number {
  const keys = listOf(sort)
    .flatMap(item => listOf(item))
    .map(item => {
      const [key = '', direction = 'asc'] = String(item).split(':');
      if (!isAttribute(type, key)) throw StrapiError.invalidKey(key, null, 'sort');
      if (!/^(?:asc|desc)$/i.test(direction)) {
        const message = 'Invalid order. order can only be one of asc|desc|ASC|DESC';
        throw new StrapiError(400, 'ValidationError', message);
      }
      return { key, sign: direction.toLowerCase() === 'desc' ? -1 : 1 };
    });
  const places = new Map(rows.map((row, place) => [row, place]));
  const placeOf = (row: Row) => places.get(row) ?? 0;
  return (a, b) => {
    for (const { key, sign } of keys) {
      const result = key === 'createdAt' ? placeOf(a) - placeOf(b) : compareForSort(a, b, key);
      if (result !== 0) return sign * result;
    }
    return 0;
  };
}

/** Null comes first, as in SQLite. */
function compareForSort(a: Row, b: Row, key: string): number {
  const [left, right] = [attributeOf(a, key), attributeOf(b, key)];
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  const result = compare(left, right);
  return Number.isNaN(result) ? 0 : result;
}

function positiveInteger(value: unknown): number | null {
  return typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null;
}
