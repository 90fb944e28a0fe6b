import type { CacheEntry } from '../../cache/entry-store.ts';
import type { BackendError } from '../../errors.ts';
import type { ContentRequest, DecodedContent } from '../requests/content-request.ts';

/** The largest packed value, in bytes. Packing a larger value would block the event loop. */
const MAX_PACKED_BYTES = 256 * 1024;

/**
 * JSON as text, which takes a quarter of the memory of objects. Each character stands for one byte of UTF-8,
 * because V8 needs two bytes for characters beyond Latin-1.
 */
export class PackedJson {
  readonly #bytes: string;

  constructor(value: object) {
    this.#bytes = Buffer.from(JSON.stringify(value)).toString('latin1');
  }

  read(): object {
    return JSON.parse(Buffer.from(this.#bytes, 'latin1').toString());
  }
}

export function packed(value: object | null, bytes: number): object | null {
  return value === null || bytes > MAX_PACKED_BYTES ? value : new PackedJson(value);
}

export function unpacked(kept: object | null): object | null {
  return kept instanceof PackedJson ? kept.read() : kept;
}

/** The `value` is a `PackedJson` if the request says so. Readers get the unpacked value. */
export interface StoredContent
  extends Readonly<Omit<DecodedContent<object | null>, 'tags' | 'about' | 'answers' | 'isBroken'>> {
  readonly answersDigest: string;
  /** The error of content that was never loaded and counts as empty. */
  readonly emptyBecause: BackendError | null;
  /** The texts of the responses, if dates change the content later; else empty. */
  readonly texts: readonly string[];
  readonly request: ContentRequest<object | null>;
}

export interface RenewedContent {
  readonly before: CacheEntry<StoredContent>;
  readonly entry: CacheEntry<StoredContent>;
}

export type ContentEntry<T extends object | null> = CacheEntry<StoredContent & { readonly value: T }>;

/** Estimated bytes of memory for each byte of JSON: 3.5 for articles, 2.5 for lists of cards. */
const OBJECT_WEIGHT = 3;

export function contentBytes({ value, bytes, texts }: StoredContent): number {
  const ofTexts = texts.reduce((sum, text) => sum + text.length, 0);
  return (value instanceof PackedJson ? bytes : OBJECT_WEIGHT * bytes) + ofTexts;
}

export function isPastItsDates({ dates: { endsAt } }: StoredContent): boolean {
  return endsAt !== null && endsAt <= Date.now();
}

export function withValue(entry: CacheEntry<StoredContent>): CacheEntry<StoredContent> {
  const { value } = entry.value;
  return value instanceof PackedJson ? { ...entry, value: { ...entry.value, value: value.read() } } : entry;
}
