import type { Json, JsonRecord } from './content-types.ts';

/** @returns whether a value is an object with string keys, neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks that a parsed value is JSON, and copies it into the type `Json`.
 * @throws TypeError for values that only YAML has, such as dates and maps with other keys than texts.
 */
function toJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (isRecord(value)) return toJsonRecord(value);
  throw new TypeError(`Not a JSON value: ${String(value)}`);
}

/** Copies a parsed object like `toJson`. @throws TypeError. */
export function toJsonRecord(value: Record<string, unknown>): JsonRecord {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJson(inner)]));
}
