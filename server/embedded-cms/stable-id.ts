import { createHash } from 'node:crypto';

/** The length of ids in Strapi 5. */
const DOCUMENT_ID_LENGTH = 24;
export const DOCUMENT_ID = /^[a-z][a-z\d]{23}$/;

/**
 * Makes ids that never change, because cache tags contain them. `id` is a positive 31-bit integer;
 * `documentId` has 24 characters of `a-z0-9` and begins with a letter.
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
