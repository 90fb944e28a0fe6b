import type { Json } from '../../shared/content/json.ts';

/**
 * An entry in one shape for all versions. Strapi 4 sends `{id, attributes}`, Strapi 5 a flat object, or with
 * the v4 header `{id, documentId, attributes}`. A relation may be inside `{data}`.
 */
export interface WireEntry {
  /** `documentId ?? id` as text, because Strapi 5 changes the numeric id at every publish. */
  id: string;
  attributes: Record<string, unknown>;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function unwrap(value: unknown): unknown {
  return isObject(value) && Object.hasOwn(value, 'data') ? value.data : value;
}

export function entryOf(value: unknown): WireEntry | null {
  const bare = unwrap(value);
  if (!isObject(bare)) return null;
  const id = idOf(bare.documentId) ?? idOf(bare.id);
  if (id === null) return null;
  const attributes = bare.attributes;
  return { id, attributes: isObject(attributes) ? attributes : bare };
}

/** @returns rows, bare or inside `{data}`; [] without a value; null for other values. */
export function rowsOf(value: unknown): readonly unknown[] | null {
  const bare = unwrap(value);
  if (Array.isArray(bare)) return bare;
  return bare === null || bare === undefined ? [] : null;
}

/** @returns the rows of all responses. A response that is no list has none. */
export function rowsOfAll(answers: readonly { readonly body: unknown }[]): readonly unknown[] {
  return answers.flatMap(({ body }) => rowsOf(body) ?? []);
}

export function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function idOf(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/**
 * Characters that HTML or XML forbids. Browsers drop NUL, so the page would differ from its payload. Unlike
 * UNPRINTABLE of the log, it allows tabs, line breaks and direction marks.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters.
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

/** @returns trimmed, well-formed text without control characters; null for an empty text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return null;
  // Repair lone surrogates: UTF-8 cannot encode them, so the page would differ from its payload.
  const trimmed = value.replace(FORBIDDEN_CHARACTERS, '').trim().toWellFormed();
  return trimmed === '' ? null : trimmed;
}

export function dateOf(value: unknown): string | null {
  // Check the format first, because Date.parse reads 'Article 7' as the first of July 2001.
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** The longest JSON text. A longer one counts as empty: it takes 15 ms to parse. */
export const MAX_JSON_TEXT = 200_000;

/** Parses JSON. Strapi 4 may send text, and some editors encode it twice. Null for a broken text. */
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
  // The cast is safe: the value comes from JSON.parse.
  return (decoded ?? null) as Json;
}
