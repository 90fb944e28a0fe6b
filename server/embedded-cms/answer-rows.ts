import { inOrder } from '../wire/wire.ts';
import { contentType, type Json, type JsonRecord, type Row } from './content-types.ts';
import type { Filter, Operator, parseListQuery, Selection } from './parse-query.ts';

export function queryRows(
  rows: readonly Row[],
  { filter, sort, page, pageSize }: ReturnType<typeof parseListQuery>,
) {
  const places = new Map(rows.map((row, place) => [row, place]));
  const placeOf = (row: Row) => places.get(row) ?? 0;
  const found = rows
    .filter(row => passes(row, filter))
    .toSorted((a, b) => {
      for (const { key, isDescending } of sort) {
        // For `createdAt` compare positions: file times do not follow the `order` of entries and their names.
        const result = key === 'createdAt' ? placeOf(a) - placeOf(b) : compareForSort(a, b, key);
        if (result !== 0) return isDescending ? -result : result;
      }
      return 0;
    });
  const pagination = { page, pageSize, pageCount: Math.ceil(found.length / pageSize), total: found.length };
  return { rows: found.slice((page - 1) * pageSize, page * pageSize), pagination };
}

function passes(row: Row, filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.filters.every(each => passes(row, each));
    case 'any':
      return filter.filters.some(each => passes(row, each));
    case 'linked':
      return row.links[filter.of]?.some(linked => passes(linked, filter.filter)) ?? false;
    case 'id-of-link':
      return TESTS[filter.operator](row.links[filter.of]?.[0]?.id ?? null, filter.operands);
    case 'attribute':
      return TESTS[filter.operator](attributeOf(row, filter.of), filter.operands);
  }
}

/** As in SQL, null is neither equal nor unequal to a value. Only `$null` and `$notNull` match it. */
const TESTS: Readonly<Record<Operator, (value: Json, operands: readonly string[]) => boolean>> = {
  $eq: (value, [operand]) => value !== null && compare(value, operand) === 0,
  $eqi: (value, [operand]) => value !== null && compare(asciiLower(value), asciiLower(operand)) === 0,
  $ne: (value, [operand]) => value !== null && compare(value, operand) !== 0,
  $in: (value, operands) => value !== null && operands.some(operand => compare(value, operand) === 0),
  $notNull: (value, [operand]) => (value !== null) === isTrue(operand),
  $null: (value, [operand]) => (value === null) === isTrue(operand),
  $lte: (value, [operand]) => value !== null && compareInColumn(value, operand) <= 0,
  $lt: (value, [operand]) => value !== null && compareInColumn(value, operand) < 0,
  $gte: (value, [operand]) => value !== null && compareInColumn(value, operand) >= 0,
  $gt: (value, [operand]) => value !== null && compareInColumn(value, operand) > 0,
};

function asciiLower<T>(value: T): T | string {
  return typeof value === 'string' ? value.replace(/[A-Z]/g, letter => letter.toLowerCase()) : value;
}

function isTrue(operand: string | undefined): boolean {
  return operand !== 'false' && operand !== '0';
}

function attributeOf(row: Row, key: string): Json {
  if (key === 'id') return row.id;
  if (key === 'documentId') return row.documentId;
  return row.attributes[key] ?? null;
}

/** Null comes first, as in SQLite. */
function compareForSort(a: Row, b: Row, key: string): number {
  const [left, right] = [attributeOf(a, key), attributeOf(b, key)];
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  const result = compare(left, right);
  return Number.isNaN(result) ? 0 : result;
}

/** A date, or a date and time without an offset, in the site's time zone. */
const LOCAL = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

function compare(value: Json, other: Json | undefined): number {
  if (typeof value === 'number') return value - Number(other);
  if (typeof other !== 'string' && typeof other !== 'boolean') return Number.NaN;
  const [left, right] = [String(value), String(other)];
  if (MOMENT.test(left) && MOMENT.test(right)) return Date.parse(left) - Date.parse(right);
  return inOrder(left, right);
}

/** Compares a local value at its own precision: a date with the operand's date, as Strapi does. */
function compareInColumn(value: Json, operand: string | undefined): number {
  const isLocal = typeof value === 'string' && LOCAL.test(value);
  return isLocal && operand !== undefined && MOMENT.test(operand)
    ? inOrder(value.replace(' ', 'T'), operand.slice(0, value.length))
    : compare(value, operand);
}

/** `flat` is the default of Strapi 5. The header `Strapi-Response-Format: v4` asks for `v4`. */
type AnswerShape = 'flat' | 'v4';

export function shapeRow(row: Row, selection: Selection, shape: AnswerShape): JsonRecord {
  const { id, documentId } = row;
  const attributes = { ...chosen(row, selection), ...links(row, selection, shape) };
  if (row.type.component) return { id, ...attributes };
  return shape === 'v4' ? { id, documentId, attributes } : { id, documentId, ...attributes };
}

function chosen(row: Row, selection: Selection): JsonRecord {
  if (selection.fields === null) return row.attributes;
  const names = selection.fields.filter(name => Object.hasOwn(row.attributes, name));
  return Object.fromEntries(names.map(name => [name, row.attributes[name] ?? null]));
}

/** Selects what `populate=*` includes of a linked row: its fields, without files and inner components. */
function withoutLinks(target: string): Selection {
  const { attributes, links } = contentType(target);
  return { fields: attributes.filter(name => !Object.hasOwn(links, name)), populate: new Map() };
}

function links(row: Row, selection: Selection, shape: AnswerShape): JsonRecord {
  const shaped: JsonRecord = {};
  const populate = selection.allLinks
    ? new Map(Object.entries(row.type.links).map(([key, { target }]) => [key, withoutLinks(target)]))
    : selection.populate;
  for (const [key, selected] of populate) {
    const link = row.type.links[key];
    const linked = row.links[key];
    // If the link has no rows, send the JSON of the file, which is among the attributes.
    if (!link || (link.orJson && !linked)) continue;
    const rows = (linked ?? []).flatMap(inner => {
      const own = selected.on ? selected.on.get(inner.type.name) : selected;
      const component = link.kind === 'zone' ? { __component: `site.${inner.type.name}` } : {};
      return own ? [{ ...component, ...shapeRow(inner, own, shape) }] : [];
    });
    const value: Json = link.many ? rows : (rows[0] ?? null);
    // Components are part of their entry, so no shape wraps them.
    shaped[key] =
      shape === 'v4' && link.kind !== 'component' && link.kind !== 'zone' ? { data: value } : value;
  }
  return shaped;
}
