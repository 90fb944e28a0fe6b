import type { Json, JsonObject } from '../../../shared/content/json.ts';

/**
 * One entry in the common form of Strapi's shapes. Strapi 4 answers `{id, attributes}`, Strapi 5 with the v4 header
 * `{id, documentId, attributes}`, and Strapi 5 a flat object. A relation is bare or inside `{data}`. No function here throws.
 */
export interface WireEntry {
  /** `documentId ?? id`, as text: in Strapi 5 the numeric id changes at every publish. */
  id: string;
  attributes: Record<string, unknown>;
}

/** @returns whether a value is an object, neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the value inside `{data: …}`, or the value itself without that wrapper. */
export function unwrap(value: unknown): unknown {
  return isObject(value) && Object.hasOwn(value, 'data') ? value.data : value;
}

/** @returns an entry of any shape, or null for another value and for an entry without an id. */
export function entryOf(value: unknown): WireEntry | null {
  const bare = unwrap(value);
  if (!isObject(bare)) return null;
  const id = idOf(bare.documentId) ?? idOf(bare.id);
  if (id === null) return null;
  const attributes = bare.attributes;
  return { id, attributes: isObject(attributes) ? attributes : bare };
}

/** @returns the rows of a list or a multiple relation, bare or inside `{data}`; [] for null and undefined; null for any other value. */
export function rowsOf(value: unknown): readonly unknown[] | null {
  const bare = unwrap(value);
  if (Array.isArray(bare)) return bare;
  return bare === null || bare === undefined ? [] : null;
}

/** The id as text. Strapi gives ids as numbers and as strings. */
function idOf(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/**
 * Characters that HTML or XML does not allow. A browser drops NUL from the markup, and the page would differ from its payload. Unlike
 * UNPRINTABLE of the log, the expression accepts tabs, line breaks and direction marks.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters.
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

/** @returns a text, trimmed, without control characters and with lone surrogates replaced; null for an empty one. Numbers become text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return null;
  // A lone surrogate has no UTF-8, so the page would differ from its payload.
  const trimmed = value.replace(FORBIDDEN_CHARACTERS, '').trim().toWellFormed();
  return trimmed === '' ? null : trimmed;
}

/** @returns the date in ISO 8601, or null for a value that is not a date. */
export function dateOf(value: unknown): string | null {
  // Date.parse alone is too lenient: it reads 'Article 7' as the first of July 2001.
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** A longer JSON text counts as empty: 200,000 characters of different keys take up to 15 ms to parse, and an entry may have many such texts. */
export const MAX_JSON_TEXT = 200_000;

/**
 * Decodes a JSON field. Strapi 4 may give it as text, and some editors encode that text twice.
 *
 * @returns the value; null when it is absent, or when its text is broken or has more than MAX_JSON_TEXT characters.
 */
export function jsonOf(value: unknown): Json {
  let decoded = value;
  for (let times = 0; times < 2 && typeof decoded === 'string'; times += 1) {
    if (decoded.length > MAX_JSON_TEXT) return null;
    try {
      decoded = JSON.parse(decoded);
    } catch {
      return null;
    }
  }
  // The value comes from JSON.parse, of the answer or of a text in it, so it is JSON.
  return (decoded ?? null) as Json;
}

/** @returns the objects of a JSON list, without its other items. */
export function jsonObjects(value: unknown): readonly JsonObject[] {
  const decoded = jsonOf(value);
  return Array.isArray(decoded) ? decoded.filter((item): item is JsonObject => isObject(item)) : [];
}

/** @returns a JSON object, or null. */
export function jsonObject(value: unknown): JsonObject | null {
  const decoded = jsonOf(value);
  return isObject(decoded) ? (decoded as JsonObject) : null;
}
