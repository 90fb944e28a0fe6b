import type { RequestHandler } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';

/** Characters that no honest address has, decoded or not: controls, and the backslash that some clients take for a slash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the control characters that are looked for.
const REFUSED = /[\u0000-\u001f\u007f\\]/;

/** A path that cannot be decoded, or that hides dots or control characters, is a 400 before any work is done. */
export const rejectMalformedUrl: RequestHandler = (req, _res, next) => {
  const path = req.originalUrl.split('?', 1)[0] ?? '';
  if (!path.startsWith('/')) throw malformed();
  for (const segment of path.split('/')) {
    const decoded = decode(segment);
    if (REFUSED.test(decoded) || decoded === '.' || decoded === '..' || decoded.includes('/'))
      throw malformed();
  }
  next();
};

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    throw malformed(error);
  }
}

function malformed(cause?: unknown): HttpError {
  return new HttpError('The address cannot be read.', 400, 'Bad Request', { cause });
}
