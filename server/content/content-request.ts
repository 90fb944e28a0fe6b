import { createHash } from 'node:crypto';
import type { JsonAnswer } from '../backend/backend-client.ts';
import type { DecodeContext } from './decode/decode-context.ts';
import type { BeginDecoding } from './decode/decoding.ts';
import type { ServedType } from './described-types.ts';

/** Calls the backend once. The call is aborted together with the load that it belongs to. */
export type Ask = (call: string) => Promise<JsonAnswer>;

/** The provenance of a value: the tags of its content, and the tag of the one entry that it is about (null for lists and the like). */
export interface Provenance {
  tags: readonly string[];
  about: string | null;
}

/** Content as pages read it. */
export interface DecodedContent<T extends object | null> extends Provenance {
  value: T;
  /** A digest of the value. Equal versions mean equal values, in this process and in any other, so results are memoised by it. */
  version: string;
  /** The value's size as JSON in bytes, an estimate of its memory. */
  bytes: number;
  /** Whether the value lacks something that the same answers may give later, such as the size of a picture that could not be fetched. */
  isProvisional: boolean;
}

/**
 * One piece of content: the calls that fetch it, and the decoding of their answers. Fetching and decoding are separate because the
 * disk and the shared tier store the answers, which another build may decode in another way.
 */
export interface ContentRequest<T extends object | null> {
  /** The key in the cache, such as `articles/how-to-pay`. */
  readonly key: string;
  /** The type of the rows in the answers. */
  readonly type: ServedType;
  /** @throws BackendError when a call has no usable answer. */
  fetch(ask: Ask): Promise<readonly JsonAnswer[]>;
  /** @throws BackendError `malformed` when the answers hold no such content. */
  decode(answers: readonly JsonAnswer[]): Promise<DecodedContent<T>>;
}

export interface ContentRequestOptions<P extends object | null, T extends object | null> {
  key: string;
  type: ServedType;
  fetch: ContentRequest<T>['fetch'];
  /** Begins a decoding. `contentRequest` finishes it. */
  begin: BeginDecoding;
  /** @returns the value as plain JSON. Maps, dates and everything else that JSON.stringify would lose are not allowed. */
  decode: (answers: readonly JsonAnswer[], context: DecodeContext) => P;
  /** Adds indexes and tables for lookups to the value. */
  index: (plain: P) => T;
  provenance: (plain: P) => Provenance;
}

/** @returns a request that adds version, size and provenance to its values. */
export function contentRequest<P extends object | null, T extends object | null>({
  key,
  type,
  fetch,
  begin,
  decode,
  index,
  provenance,
}: ContentRequestOptions<P, T>): ContentRequest<T> {
  return {
    key,
    type,
    fetch,
    async decode(answers) {
      const { context, finish } = begin(key);
      let decoded: P;
      try {
        decoded = decode(answers, context);
      } catch (error) {
        await finish();
        throw error;
      }
      const { isProvisional } = await finish();
      const json = JSON.stringify(decoded);
      // V8 keeps the whole of a text in memory for any part cut out of it, and decoding cuts many parts. JSON.parse makes copies.
      const plain: P = JSON.parse(json);
      return {
        value: index(plain),
        version: versionOf(plain, json),
        bytes: Buffer.byteLength(json),
        isProvisional,
        ...provenance(plain),
      };
    },
  };
}

/**
 * The version of a value, without its `attributes`. A single type has its complete record there, because the product specification
 * asks for it. No page reads the record, so a change in it alone must not render pages again.
 */
function versionOf(plain: object | null, json: string): string {
  if (plain === null || !('attributes' in plain)) return digestOf(json);
  const { attributes: _attributes, ...others } = plain;
  return digestOf(JSON.stringify(others));
}

/** The version of content that does not exist. */
export const ABSENT_VERSION = versionOf(null, 'null');

/** @returns a digest of the answers. Answers with an equal digest need not be decoded again. */
export function answersDigest(answers: readonly JsonAnswer[]): string {
  const hash = createHash('sha256');
  for (const { text } of answers) hash.update(text).update('\0');
  return hash.digest('base64url');
}

/** @returns 22 characters in base64url: the first 132 bits of the text's SHA-256. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
