import type { Json, JsonObject } from '../../../shared/content/json.ts';

/**
 * One shape for all in which Strapi answers. An entry is `{id, attributes}` (version 4),
 * `{id, documentId, attributes}` (5 with the header) or flat (5); a relation is bare or inside `{data}`.
 * No function of this module throws, whatever the value.
 */
export interface WireEntry {
  /** `documentId ?? id`, as text: in Strapi 5 the numeric id changes at every publish. */
  id: string;
  attributes: Record<string, unknown>;
}

/** @returns whether a value is a plain object, that is neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns what is inside `{data: …}`, or the value itself where there is no such wrapping. */
export function unwrap(value: unknown): unknown {
  return isObject(value) && Object.hasOwn(value, 'data') ? value.data : value;
}

/** @returns an entry, whatever its shape, or null when the value is none or has no id. */
export function entryOf(value: unknown): WireEntry | null {
  const bare = unwrap(value);
  if (!isObject(bare)) return null;
  const id = idOf(bare.documentId) ?? idOf(bare.id);
  if (id === null) return null;
  const attributes = bare.attributes;
  return { id, attributes: isObject(attributes) ? attributes : bare };
}

/** @returns the rows of a list or of a multiple relation: `[]`, `{data: []}` and `{data: null}` alike; null for anything else. */
export function rowsOf(value: unknown): readonly unknown[] | null {
  const bare = unwrap(value);
  if (Array.isArray(bare)) return bare;
  return bare === null || bare === undefined ? [] : null;
}

/** Ids come as numbers and as strings. */
function idOf(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/**
 * Characters that neither HTML nor XML can hold. A browser drops a NUL from the markup, and the page would then differ from its
 * payload. Tabs and line breaks stay. Narrower than UNPRINTABLE of the log: texts need their direction marks.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the control characters that are taken out.
const NOWHERE_ALLOWED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

/** @returns a text, trimmed, without lone surrogates and control characters. Null: nothing is left of it. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return null;
  // A lone surrogate has no UTF-8, so the page would differ from its payload.
  const trimmed = value.replace(NOWHERE_ALLOWED, '').trim().toWellFormed();
  return trimmed === '' ? null : trimmed;
}

/** @returns an ISO 8601 date, or null for anything that is no date. */
export function dateOf(value: unknown): string | null {
  // Date.parse accepts almost any text: it reads 'Article 7' as the first of July 2001.
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/**
 * A JSON field: objects and arrays come as such, in Strapi 4 also as text that holds JSON, at times encoded twice.
 *
 * @returns the value, or null where it is absent or its text is broken.
 */
export function jsonOf(value: unknown): Json {
  let decoded = value;
  for (let times = 0; times < 2 && typeof decoded === 'string'; times += 1) {
    try {
      decoded = JSON.parse(decoded);
    } catch {
      return null;
    }
  }
  // The value came from JSON.parse, of the answer or of a text in it, so it is JSON.
  return (decoded ?? null) as Json;
}

/** @returns the objects of a JSON list. Other items are left out. */
export function jsonObjects(value: unknown): readonly JsonObject[] {
  const decoded = jsonOf(value);
  return Array.isArray(decoded) ? decoded.filter((item): item is JsonObject => isObject(item)) : [];
}

/** @returns a JSON object, or null. */
export function jsonObject(value: unknown): JsonObject | null {
  const decoded = jsonOf(value);
  return isObject(decoded) ? (decoded as JsonObject) : null;
}
