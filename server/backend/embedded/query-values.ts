import { isRecord } from './json-values.ts';

/** @returns the items of a list in the query: `x=a,b` or `x[0]=a`. The query parser turns a long list into an object. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'string') return value.split(',').map(item => item.trim());
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [value];
}

/** @returns the entries of a nested part of the query; none for a plain value. */
export function partsOf(value: unknown): [key: string, value: unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  return isRecord(value) ? Object.entries(value) : [];
}
