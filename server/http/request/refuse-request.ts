import type { RequestHandler } from 'express';
import type { HttpError } from '../../../shared/payload/http-error.ts';
import { decodeUri, ENCODED_OCTET } from '../../../shared/routing/decode-uri.ts';
import { saidError } from '../../errors.ts';

/** @param allow the methods of the path, for `Allow` (RFC 9110, 15.5.6). */
export function refuseOtherMethods(allow: string, sentence: 'onlyForms' | 'onlyReading'): RequestHandler {
  return (_req, res, next) => {
    res.set('Allow', allow);
    // Wait a tick, so that Node's 400 for an unreadable body comes first and ends the connection.
    setImmediate(() => next(saidError(sentence, 405)));
  };
}

/** Characters forbidden in addresses: ASCII controls, and the backslash, which may be read as a slash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
const REFUSED = /[\u0000-\u001f\u007f\\]/;

/**
 * Finds a path that cannot be decoded, or that has dot segments, encoded slashes or REFUSED characters.
 * Upload paths must not be encoded twice, because the CMS or a proxy might decode them again.
 * @returns a 400; null for a path that handlers may read.
 */
export function malformedAddress(url: string): HttpError | null {
  return isMalformed(url.split('?', 1)[0] ?? '') ? saidError('wrongAddress', 400) : null;
}

function isMalformed(path: string): boolean {
  if (!path.startsWith('/')) return true;
  const isUpload = path.startsWith('/uploads/');
  return path.split('/').some(segment => {
    const decoded = decodeUri(segment);
    return (
      decoded === null ||
      REFUSED.test(decoded) ||
      decoded === '.' ||
      decoded === '..' ||
      decoded.includes('/') ||
      (isUpload && ENCODED_OCTET.test(decoded))
    );
  });
}
