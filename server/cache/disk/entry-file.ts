import { hash } from 'node:crypto';
import * as z from 'zod';

/**
 * The format of an entry's file in a `DiskStore`: the body, the footer and a trailer of fixed length.
 *
 *     body | footer: JSON | SHA-256 of the footer: 32 bytes | length of the footer: 4 bytes | magic: 8 bytes
 *
 * The body begins at offset 0, so that it can be streamed from the file unchanged.
 */
export interface EntryFooter {
  key: string;
  /** The entry's description. `decodeMeta` checks it later. */
  meta: unknown;
  bodyBytes: number;
  sha256: string;
}

/** The last byte is the version of the format. */
const MAGIC = Buffer.from('CORENTR1', 'latin1');
const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
const TRAILER_BYTES = DIGEST_BYTES + LENGTH_BYTES + MAGIC.byteLength;

const footerSchema = z.object({
  key: z.string(),
  meta: z.unknown(),
  bodyBytes: z.int().nonnegative(),
  sha256: z.string(),
});

/** A file that is cut off, changed, of another key or of another format. */
export class DamagedEntryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DamagedEntryError';
  }
}

export function encodeFooter(footer: EntryFooter): Buffer {
  const json = Buffer.from(JSON.stringify(footer));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.byteLength);
  return Buffer.concat([json, hash('sha256', json, 'buffer'), length, MAGIC]);
}

/** @returns the length of footer and trailer together, in bytes. @throws DamagedEntryError */
export function footerBytes(tail: Buffer): number {
  if (tail.byteLength < TRAILER_BYTES) throw new DamagedEntryError('The file is too short');
  if (!tail.subarray(-MAGIC.byteLength).equals(MAGIC))
    throw new DamagedEntryError('The file is cut off or of another format');
  return tail.readUInt32BE(tail.byteLength - MAGIC.byteLength - LENGTH_BYTES) + TRAILER_BYTES;
}

export function decodeFooter(tail: Buffer, fileBytes: number): EntryFooter {
  const length = footerBytes(tail);
  if (length > tail.byteLength) throw new DamagedEntryError('The footer is longer than the file');
  const footer = tail.subarray(tail.byteLength - length);
  const json = footer.subarray(0, length - TRAILER_BYTES);
  const digest = footer.subarray(json.byteLength, json.byteLength + DIGEST_BYTES);
  if (!hash('sha256', json, 'buffer').equals(digest))
    throw new DamagedEntryError('The footer is not as it was written');
  const { meta, ...decoded } = footerSchema.parse(JSON.parse(json.toString('utf8')));
  if (decoded.bodyBytes + length !== fileBytes)
    throw new DamagedEntryError('The length of the body is not as it was written');
  return { meta, ...decoded };
}

/** @throws DamagedEntryError, also for a body that is not as it was written. */
export function decodeEntry(contents: Buffer): { footer: EntryFooter; body: Buffer } {
  const footer = decodeFooter(contents, contents.byteLength);
  const body = contents.subarray(0, footer.bodyBytes);
  if (hash('sha256', body, 'base64url') !== footer.sha256)
    throw new DamagedEntryError('The body is not as it was written');
  return { footer, body };
}
