import type { CacheEntry } from '../../cache/entry-store.ts';
import type { BackendError } from '../../errors.ts';
import type { ContentRequest } from '../requests/content-request.ts';
import { PackedJson } from './packed-json.ts';

export interface StoredContent {
  /** The value, stored as a `PackedJson` if the request says so. Readers get the unpacked value. */
  readonly value: object | null;
  readonly version: string;
  readonly answersDigest: string;
  readonly bytes: number;
  /** Whether to decode equal answers again at the next load, because the value lacks something. */
  readonly isProvisional: boolean;
  /** The error of content that was never loaded and counts as empty. */
  readonly emptyBecause: BackendError | null;
  readonly rows: number;
  readonly decides: readonly string[];
  readonly parts: ReadonlyMap<string, string>;
  readonly request: ContentRequest<object | null>;
}

export interface RenewedContent {
  readonly before: CacheEntry<StoredContent>;
  readonly entry: CacheEntry<StoredContent>;
}

/** The result of a read: the value, its version and its provenance. */
export type ContentEntry<T extends object | null> = CacheEntry<StoredContent & { readonly value: T }>;

/** Estimated bytes of memory for each byte of JSON: 3.5 for articles, 2.5 for lists of cards. */
const OBJECT_WEIGHT = 3;

export function contentBytes({ value, bytes }: StoredContent): number {
  return value instanceof PackedJson ? bytes : OBJECT_WEIGHT * bytes;
}

export function withValue(entry: CacheEntry<StoredContent>): CacheEntry<StoredContent> {
  const { value } = entry.value;
  return value instanceof PackedJson ? { ...entry, value: { ...entry.value, value: value.read() } } : entry;
}
