import { createHash } from 'node:crypto';

/** As long as the ids that Strapi 5 gives. */
const DOCUMENT_ID_LENGTH = 24;

/**
 * Derives the two keys of an entry from its type and name, so that they outlive restarts, edits and
 * other machines (the site's caches are keyed by them).
 * @returns `id`: a positive 31-bit integer; `documentId`: 24 characters `a-z0-9`, the first a letter.
 */
export function stableId(type: string, name: string): { id: number; documentId: string } {
  const digest = createHash('sha256').update(`${type}\0${name}`).digest();
  const id = digest.readUInt32BE(0) >>> 1 || 1;
  const text = BigInt(`0x${digest.toString('hex')}`)
    .toString(36)
    .slice(-(DOCUMENT_ID_LENGTH - 1));
  const letter = String.fromCharCode(97 + (digest.readUInt8(0) % 26));
  return { id, documentId: letter + text.padStart(DOCUMENT_ID_LENGTH - 1, '0') };
}
