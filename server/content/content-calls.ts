import { BackendError } from '../errors.ts';
import { isObject, rowsOf } from './decode/wire.ts';
import type { ServedType } from './described-types.ts';

/** @returns a query of the parts that are not empty. */
export function joined(...parts: readonly string[]): string {
  return parts.filter(Boolean).join('&');
}

/** @returns the call for a type's rows, such as `/api/articles?sort=id`. */
export function callOf({ path }: ServedType, query: string): string {
  return `/api/${path}${query && `?${query}`}`;
}

/** @returns the path of the type that a call asks for, such as `articles`; '' for a call of no type. */
export function pathOfCall(call: string): string {
  return call.split(/[/?]/, 3)[2] ?? '';
}

/** @returns the part of a query that chooses one page of a list. `number` begins at 1. */
export function pageOf(number: number, size: number): string {
  return `pagination[page]=${number}&pagination[pageSize]=${size}`;
}

/** @returns the error for an answer of the backend that cannot be decoded. */
export function malformed({ path }: ServedType, message: string): BackendError {
  return new BackendError('malformed', `GET /api/${path}`, message);
}

/** Reads the pagination of an answer. An answer without one holds the complete list. */
export function paginationOf(body: unknown): { pageCount: number; total: number } {
  const meta = isObject(body) ? body.meta : null;
  const pagination = isObject(meta) ? meta.pagination : null;
  const count = (name: string) => {
    const value = isObject(pagination) ? pagination[name] : null;
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
  };
  return { pageCount: count('pageCount') ?? 1, total: count('total') ?? rowsOf(body)?.length ?? 0 };
}
