import type { CacheEntry } from '../cache/entry-store.ts';
import type { BackendError } from '../errors.ts';
import type { ContentRequest } from './content-request.ts';
import { PackedJson } from './packed-json.ts';

/** Decoded content in memory. */
export interface StoredContent {
  /** A `PackedJson` in an entry of the store, if the request says so. The cache hands out entries with the value itself. */
  readonly value: object | null;
  readonly version: string;
  /** A digest of the answers from which the value was decoded. */
  readonly answersDigest: string;
  /** The value's size as JSON in bytes. */
  readonly bytes: number;
  /** Whether the same answers are decoded again at the next renewal, because the value lacks something. */
  readonly isProvisional: boolean;
  /** The backend's error for content that was never loaded and counts as empty; null for content of the backend. */
  readonly emptyBecause: BackendError | null;
  /** How many rows the answers hold. */
  readonly rows: number;
  /** The names of tags whose current versions the content decides (`Provenance`). */
  readonly decides: readonly string[];
  /** The tags of the entries in a complete list (`Provenance`). */
  readonly parts: ReadonlyMap<string, string>;
  /** The request that loads the content again. */
  readonly request: ContentRequest<object | null>;
}

/** Content that was loaded again, and the entry before. */
export interface RenewedContent {
  readonly before: CacheEntry<StoredContent>;
  readonly entry: CacheEntry<StoredContent>;
}

/** The result of a read: the value, its version and its provenance. */
export type ContentEntry<T extends object | null> = CacheEntry<StoredContent & { readonly value: T }>;

/** Bytes of memory that objects take for each byte of their JSON: 3.5 for articles, 2.5 for lists of cards. */
const OBJECT_WEIGHT = 3;

/** @returns the bytes of content in memory. */
export function contentBytes({ value, bytes }: StoredContent): number {
  return value instanceof PackedJson ? bytes : OBJECT_WEIGHT * bytes;
}

/** @returns the entry with its value as objects. */
export function withValue(entry: CacheEntry<StoredContent>): CacheEntry<StoredContent> {
  const { value } = entry.value;
  return value instanceof PackedJson ? { ...entry, value: { ...entry.value, value: value.read() } } : entry;
}
