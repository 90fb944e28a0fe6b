import { DATE_ATTRIBUTES, type Json, type JsonRecord } from './content-types.ts';

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/;

/**
 * @param mtimeMs the time of the entry's file, which stands in for dates that the file does not have.
 * @returns `createdAt`, `updatedAt` and `publishedAt` in ISO 8601.
 */
export function entryDates(values: JsonRecord, mtimeMs: number): JsonRecord {
  const written = new Date(mtimeMs).toISOString();
  const createdAt = isoDate(values.createdAt) ?? written;
  return {
    createdAt,
    updatedAt: isoDate(values.updatedAt) ?? written,
    publishedAt: isoDate(values.publishedAt) ?? isoDate(values.date) ?? createdAt,
  };
}

/**
 * Refuses dates that cannot be parsed. An article with such a date would get the time of its file and sort to the top.
 * @throws Error that names the key.
 */
export function checkDates(values: JsonRecord): void {
  for (const key of [...DATE_ATTRIBUTES, 'date']) {
    const value = values[key];
    const isGiven = value !== undefined && value !== null && value !== '';
    if (isGiven && isoDate(value) === null) throw new Error(`'${key}' is not a date such as 2026-03-31`);
  }
}

function isoDate(value: Json | undefined): string | null {
  if (typeof value !== 'string' || !DATE.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
