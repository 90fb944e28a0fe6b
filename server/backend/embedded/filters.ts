import { type ContentType, contentType, type Json, type Row } from './content-types.ts';
import { isRecord } from './json-values.ts';
import { listOf, partsOf } from './query-values.ts';
import { StrapiError } from './strapi-error.ts';

export type Predicate = (row: Row) => boolean;

type Operator = (value: Json, operand: unknown) => boolean;

/** Null is neither equal nor unequal to anything, as in SQL. Only `$null` and `$notNull` match it. */
const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$eq', (value, operand) => value !== null && compare(value, operand) === 0],
  ['$eqi', (value, operand) => value !== null && compare(asciiLower(value), asciiLower(operand)) === 0],
  ['$ne', (value, operand) => value !== null && compare(value, operand) !== 0],
  ['$in', (value, operand) => value !== null && listOf(operand).some(item => compare(value, item) === 0)],
  ['$notNull', (value, operand) => (value !== null) === isTrue(operand)],
  ['$null', (value, operand) => (value === null) === isTrue(operand)],
  ['$lte', (value, operand) => value !== null && compareInColumn(value, operand) <= 0],
  ['$lt', (value, operand) => value !== null && compareInColumn(value, operand) < 0],
  ['$gte', (value, operand) => value !== null && compareInColumn(value, operand) >= 0],
  ['$gt', (value, operand) => value !== null && compareInColumn(value, operand) > 0],
]);

/**
 * @param filters the part `filters[…]` of the query.
 * @returns a test of whether a row passes all of them.
 * @throws StrapiError (400) for an unknown key or operator.
 */
export function parseFilters(type: ContentType, filters: unknown): Predicate {
  return every(
    partsOf(filters).map(([key, condition]) => {
      if (key !== '$or') return keyPredicate(type, key, condition, null);
      const alternatives = partsOf(condition).map(([, each]) => parseFilters(type, each));
      return row => alternatives.some(passes => passes(row));
    }),
  );
}

function keyPredicate(type: ContentType, key: string, condition: unknown, path: string | null): Predicate {
  const link = Object.hasOwn(type.links, key) ? type.links[key] : undefined;
  if (link && path === null) {
    const target = contentType(link.target);
    const inner = partsOf(condition).map(([name, value]) =>
      OPERATORS.has(name) ? idPredicate(name, value) : linked(key, keyPredicate(target, name, value, key)),
    );
    function idPredicate(name: string, value: unknown): Predicate {
      return row => test(name, row.links[key]?.[0]?.id ?? null, value);
    }
    return isRecord(condition) ? every(inner) : idPredicate('$eq', condition);
  }
  if (!isAttribute(type, key)) throw StrapiError.invalidKey(key, path, 'filters');
  const conditions: [string, unknown][] = isRecord(condition) ? partsOf(condition) : [['$eq', condition]];
  for (const [operator] of conditions) {
    if (!OPERATORS.has(operator)) throw StrapiError.invalidKey(operator, key, 'filters');
  }
  return row => conditions.every(([operator, operand]) => test(operator, attributeOf(row, key), operand));
}

/** A relation passes when one of its rows passes. */
function linked(key: string, predicate: Predicate): Predicate {
  return row => row.links[key]?.some(predicate) ?? false;
}

function every(predicates: readonly Predicate[]): Predicate {
  return row => predicates.every(predicate => predicate(row));
}

function test(operator: string, value: Json, operand: unknown): boolean {
  return OPERATORS.get(operator)?.(value, operand) ?? false;
}

/** Lowers the letters that SQLite lowers: those of ASCII. `Ü` and `ü` stay different. */
function asciiLower<T>(value: T): T | string {
  return typeof value === 'string' ? value.replace(/[A-Z]/g, letter => letter.toLowerCase()) : value;
}

function isTrue(operand: unknown): boolean {
  return operand !== 'false' && operand !== '0';
}

/** @returns whether a type has an attribute of this name. `id` and `documentId` count. */
export function isAttribute(type: ContentType, key: string): boolean {
  return key === 'id' || key === 'documentId' || type.attributes.includes(key);
}

/** @returns the value of a row's attribute, `id` or `documentId`. */
export function attributeOf(row: Row, key: string): Json {
  if (key === 'id') return row.id;
  if (key === 'documentId') return row.documentId;
  return row.attributes[key] ?? null;
}

/**
 * Compares a value of the content with another, or with the text of a query: numbers as numbers, moments as moments, all others as text. ISO
 * dates sort correctly as text, and a date without a time comes before all times of its day.
 * @returns negative, zero or positive; NaN for values that cannot be compared.
 */
export function compare(value: Json, other: unknown): number {
  if (typeof value === 'number') return value - Number(other);
  if (typeof other !== 'string' && typeof other !== 'boolean') return Number.NaN;
  const [left, right] = [String(value), String(other)];
  if (MOMENT.test(left) && MOMENT.test(right)) return Date.parse(left) - Date.parse(right);
  return compareTexts(left, right);
}

/** A date without a time is compared with the day of a moment, as Strapi does in a column of days. */
function compareInColumn(value: Json, operand: unknown): number {
  const isDay = typeof value === 'string' && DAY.test(value);
  return isDay && typeof operand === 'string' && MOMENT.test(operand)
    ? compareTexts(value, operand.slice(0, value.length))
    : compare(value, operand);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
