import { createHash } from 'node:crypto';
import type { JsonAnswer } from '../backend/backend-client.ts';

/** Makes one call of the backend, under the signal and the metrics of the reader. */
export type Ask = (call: string) => Promise<JsonAnswer>;

/** The tags of a value's content, and the tag of the one entry that the value is about (null for lists and single types). */
export interface Provenance {
  tags: readonly string[];
  about: string | null;
}

/** Content as pages read it. */
export interface DecodedContent<T extends object | null> extends Provenance {
  value: T;
  /** A digest of the value. Two values with one version make the same page, in this process and in any other. */
  version: string;
  /** The size of the value in bytes, measured as JSON. */
  bytes: number;
}

/**
 * One piece of content: the calls to make, and the way from their answers to a value. Fetching and decoding are apart because the
 * answers are kept on disk and shared between processes. Another build may decode them in another way.
 */
export interface ContentRequest<T extends object | null> {
  /** The name in the cache, such as `articles/how-to-pay`. */
  readonly key: string;
  /** @throws BackendError when a call has no usable answer. */
  fetch(ask: Ask): Promise<readonly JsonAnswer[]>;
  /** @throws BackendError `malformed` when the answers hold no such content. */
  decode(answers: readonly JsonAnswer[]): Promise<DecodedContent<T>>;
}

export interface ContentRequestOptions<P extends object | null, T extends object | null> {
  key: string;
  fetch: ContentRequest<T>['fetch'];
  /** @returns the value as plain JSON: lists and records, without anything that JSON.stringify would lose. */
  decode: (answers: readonly JsonAnswer[]) => Promise<P>;
  /** Builds indexes and tables from the value. */
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
      // A text cut out of a larger text keeps the whole of it in memory. JSON.parse makes texts that stand alone.
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
 * `attributes` of a single type is the whole record. The product's document asks for it, and no page reads it, so a change of
 * `attributes` alone is not a change of the version.
 */
function versionOf(plain: object | null, json: string): string {
  if (plain === null || !('attributes' in plain)) return digestOf(json);
  const { attributes: _attributes, ...read } = plain;
  return digestOf(JSON.stringify(read));
}

/** @returns a digest of the answers. Answers with one digest have one value, which need not be decoded again. */
export function answersDigest(answers: readonly JsonAnswer[]): string {
  const hash = createHash('sha256');
  for (const { text } of answers) hash.update(text).update('\0');
  return hash.digest('base64url');
}

/** @returns 128 bits of a text's SHA-256, as 22 characters. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
