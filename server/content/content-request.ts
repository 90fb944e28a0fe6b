import { createHash } from 'node:crypto';
import type { JsonAnswer } from '../backend/backend-client.ts';

/** Makes one call of the backend, under the signal and the metrics of whoever asks. */
export type Ask = (call: string) => Promise<JsonAnswer>;

/** Where a value comes from: the tags of its content, and the tag of the one entry that it is about (null for lists and the like). */
export interface Provenance {
  tags: readonly string[];
  about: string | null;
}

/** Content as pages read it. */
export interface DecodedContent<T extends object | null> extends Provenance {
  value: T;
  /** A digest of the value: as long as it is the same, whatever is made from the value is the same, in this process and any other. */
  version: string;
  /** What the value holds in memory, in bytes, measured as JSON. */
  bytes: number;
}

/**
 * One piece of content: which calls it takes, and how their answers become a value. Fetching and decoding are apart, because the
 * answers are what is kept on disk and shared between processes: another build may decode them in another way.
 */
export interface ContentRequest<T extends object | null> {
  /** Its name in the cache, such as `articles/how-to-pay`. */
  readonly key: string;
  /** @throws BackendError when a call has no usable answer. */
  fetch(ask: Ask): Promise<readonly JsonAnswer[]>;
  /** @throws BackendError `malformed` when the answers hold no such content. */
  decode(answers: readonly JsonAnswer[]): Promise<DecodedContent<T>>;
}

export interface ContentRequestOptions<P extends object | null, T extends object | null> {
  key: string;
  fetch: ContentRequest<T>['fetch'];
  /** @returns the value as plain JSON: lists and records, nothing that JSON.stringify would lose. */
  decode: (answers: readonly JsonAnswer[]) => Promise<P>;
  /** Builds what is looked up in the value: indexes, tables. */
  index: (plain: P) => T;
  provenance: (plain: P) => Provenance;
}

/** @returns a request whose values carry their version and provenance. */
export function contentRequest<P extends object | null, T extends object | null>({
  key,
  fetch,
  decode,
  index,
  provenance,
}: ContentRequestOptions<P, T>): ContentRequest<T> {
  return {
    key,
    fetch,
    async decode(answers) {
      const json = JSON.stringify(await decode(answers));
      // Decoding cuts texts out of larger ones, which live as long as their least part. What JSON.parse makes takes the least memory.
      const plain: P = JSON.parse(json);
      return {
        value: index(plain),
        version: versionOf(plain, json),
        bytes: Buffer.byteLength(json),
        ...provenance(plain),
      };
    },
  };
}

/**
 * `attributes` of a single type is the whole record, kept because the product's document asks for it. No page reads it, so a change of it
 * alone is no change.
 */
function versionOf(plain: object | null, json: string): string {
  if (plain === null || !('attributes' in plain)) return digestOf(json);
  const { attributes: _attributes, ...read } = plain;
  return digestOf(JSON.stringify(read));
}

/** @returns a digest of the answers: where it is the same, the value is the same, and need not be decoded. */
export function answersDigest(answers: readonly JsonAnswer[]): string {
  const hash = createHash('sha256');
  for (const { text } of answers) hash.update(text).update('\0');
  return hash.digest('base64url');
}

/** @returns 22 characters that stand for a text: 128 bits of its SHA-256. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
