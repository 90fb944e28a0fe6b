import type { RequestHandler } from 'express';
import type { HttpError } from '../../shared/payload/http-error.ts';
import { decodeUri, ENCODED_OCTET } from '../../shared/routing/decode-uri.ts';
import { saidError } from '../errors.ts';

/**
 * Characters that no valid address has, decoded or not: the controls of ASCII, and the backslash, which some clients read as a
 * slash. UNPRINTABLE covers more of Unicode; in an address those characters do no harm, and no page has them in its address.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
const REFUSED = /[\u0000-\u001f\u007f\\]/;

/**
 * Throws a 400 for a path that cannot be decoded, or has a dot segment, an encoded slash, a backslash or a control character, and for the path of an upload that is
 * encoded twice: the CMS, or a proxy in front of it, might decode it once more.
 */
export const rejectMalformedUrl: RequestHandler = (req, _res, next) => {
  const path = req.originalUrl.split('?', 1)[0] ?? '';
  if (!path.startsWith('/')) throw malformed();
  const isUpload = path.startsWith('/uploads/');
  for (const segment of path.split('/')) {
    const decoded = decodeUri(segment);
    if (
      decoded === null ||
      REFUSED.test(decoded) ||
      decoded === '.' ||
      decoded === '..' ||
      decoded.includes('/') ||
      (isUpload && ENCODED_OCTET.test(decoded))
    )
      throw malformed();
  }
  next();
};

function malformed(): HttpError {
  return saidError('wrongAddress', 400);
}
