import type { IncomingMessage, ServerResponse } from 'node:http';
import fresh from 'fresh';
import { writeReadyHead } from '../http/ready-head.ts';
import { encodingFor } from '../http/request/accept-encoding.ts';
import type { DecodedBodies } from './page-cache.ts';
import { type AllowedCaching, linesOf304, linesOfFull } from './page-head.ts';
import { identityOf, type StoredPage } from './stored-page.ts';

/**
 * Sends a stored page, or a 304 (RFC 9110, 13). Ranges are ignored, as section 14.2 allows.
 * @param extra the header lines of this response only, such as `Age`.
 * @returns the bytes of the body; null if the page lacks the client's encoding and nothing was sent.
 */
export function sendStoredPage(
  req: IncomingMessage,
  res: ServerResponse,
  page: StoredPage,
  extra: string,
  caching: AllowedCaching = 'fresh',
  decoded: Pick<DecodedBodies, 'of'> = { of: identityOf },
): number | null {
  if (isNotModified(req, page)) {
    writeReadyHead(req, res, 304, linesOf304(page, caching) + extra);
    res.end();
    return 0;
  }
  const encoding = encodingFor(req.headers['accept-encoding']);
  const stored = page.encodings[encoding];
  if (stored === null && encoding !== 'identity') return null;
  const name = encoding === 'identity' ? '' : `Content-Encoding: ${encoding}\r\n`;
  const bytes = stored?.byteLength ?? page.identityBytes;
  const length = `${name}Content-Length: ${bytes}\r\n`;
  writeReadyHead(req, res, page.status, linesOfFull(page, caching) + length + extra);
  if (req.method === 'HEAD') {
    res.end();
    return 0;
  }
  const body = stored ?? decoded.of(page);
  if (body instanceof Promise)
    body.then(
      found => res.end(found),
      error => res.destroy(error),
    );
  else res.end(body);
  return bytes;
}

/** Only `If-None-Match` decides, so a reload with `no-cache` (RFC 9111, 5.2.1.4) may get a 304. */
function isNotModified({ headers }: IncomingMessage, { status, etag }: StoredPage): boolean {
  const condition = headers['if-none-match'];
  if (condition === undefined || status !== 200) return false;
  return condition === etag || fresh({ 'if-none-match': condition }, { etag });
}
