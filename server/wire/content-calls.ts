import { BackendError } from '../errors.ts';
import type { ServedType } from './described-types.ts';
import { isObject, rowsOf, unwrap } from './wire.ts';

export function joined(...parts: readonly string[]): string {
  return parts.filter(Boolean).join('&');
}

/** @returns a call, such as `/api/articles?sort=id`. */
export function callOf({ path }: ServedType, query: string): string {
  return `/api/${path}${query && `?${query}`}`;
}

/** @returns the path, such as `articles`; '' for a call without a type. */
export function pathOfCall(call: string): string {
  return call.split(/[/?]/, 3)[2] ?? '';
}

export function pageOf(number: number, size: number): string {
  return `pagination[page]=${number}&pagination[pageSize]=${size}`;
}

/** @throws BackendError `malformed` for a response that is no list. A list may be empty. */
export function rowsIn(type: ServedType, body: unknown): readonly unknown[] {
  const rows = unwrap(body);
  if (!Array.isArray(rows)) throw malformed(type, 'the answer holds no list');
  return rows;
}

/** @returns the number of all rows of a list. @throws BackendError `malformed` for another response. */
export function countIn(type: ServedType, body: unknown): number {
  rowsIn(type, body);
  return paginationOf(body).total;
}

export function malformed({ path }: ServedType, message: string): BackendError {
  return new BackendError('malformed', `GET /api/${path}`, message);
}

/** @returns the pagination. A response without it contains the complete list. */
export function paginationOf(body: unknown): { pageCount: number; total: number } {
  const meta = isObject(body) ? body.meta : null;
  const pagination = isObject(meta) ? meta.pagination : null;
  const count = (name: string) => {
    const value = isObject(pagination) ? pagination[name] : null;
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
  };
  return { pageCount: count('pageCount') ?? 1, total: count('total') ?? rowsOf(body)?.length ?? 0 };
}
