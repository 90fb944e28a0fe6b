import type { Json } from '../../shared/content/json.ts';

/**
 * The common form of Strapi's shapes: `{id, attributes}` of Strapi 4, `{id, documentId, attributes}` of
 * Strapi 5 with the v4 header, and a flat object of Strapi 5. A relation is bare or inside `{data}`.
 */
export interface WireEntry {
  /** `documentId ?? id`, as text: in Strapi 5 the numeric id changes at every publish. */
  id: string;
  attributes: Record<string, unknown>;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the value inside `{data: …}`, or the value itself without that wrapper. */
export function unwrap(value: unknown): unknown {
  return isObject(value) && Object.hasOwn(value, 'data') ? value.data : value;
}

/** @returns an entry of any shape; null for another value and for an entry without an id. */
export function entryOf(value: unknown): WireEntry | null {
  const bare = unwrap(value);
  if (!isObject(bare)) return null;
  const id = idOf(bare.documentId) ?? idOf(bare.id);
  if (id === null) return null;
  const attributes = bare.attributes;
  return { id, attributes: isObject(attributes) ? attributes : bare };
}

/** The rows are bare or inside `{data}`; [] without a value; null for any other value. */
export function rowsOf(value: unknown): readonly unknown[] | null {
  const bare = unwrap(value);
  if (Array.isArray(bare)) return bare;
  return bare === null || bare === undefined ? [] : null;
}

function idOf(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/**
 * Characters that HTML or XML does not allow. A browser drops NUL, and the page would differ from its
 * payload. Unlike UNPRINTABLE of the log, this accepts tabs, line breaks and direction marks.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters.
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

/** @returns trimmed, well-formed text without control characters; null for an empty one. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return null;
  // A lone surrogate has no UTF-8, so the page would differ from its payload.
  const trimmed = value.replace(FORBIDDEN_CHARACTERS, '').trim().toWellFormed();
  return trimmed === '' ? null : trimmed;
}

/** In ISO 8601. */
export function dateOf(value: unknown): string | null {
  // Date.parse alone is too lenient: it reads 'Article 7' as the first of July 2001.
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** A longer JSON text counts as empty: it takes up to 15 ms to parse, and an entry may have many. */
export const MAX_JSON_TEXT = 200_000;

/** Strapi 4 may give JSON as text, and some editors encode it twice. Null for a broken or long text. */
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
