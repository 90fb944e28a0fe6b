import type { IncomingMessage, ServerResponse } from 'node:http';
import fresh from 'fresh';
import { encodingFor } from '../http/accept-encoding.ts';
import { identityOf, type StoredPage } from './stored-page.ts';

/** @returns the encoding that a page should be stored in for a client: brotli, or gzip, from which `identity` is made, too. */
export function storedEncodingFor(acceptEncoding: string | undefined): 'br' | 'gzip' {
  return encodingFor(acceptEncoding) === 'br' ? 'br' : 'gzip';
}

/**
 * Sends a stored page: in the encoding that the client takes, 304 where the client has it already, the head alone for HEAD. Conditions are those of
 * RFC 9110, section 13; a range is ignored, as section 14.2 allows.
 *
 * @param extra headers of this answer alone, names and values in turn: the request's id, `Age`, `Cache-Status`.
 * @param head the page's, or a head of this answer.
 * @returns the bytes of the body that is sent; null where nothing is sent, because the page still lacks the client's encoding.
 */
export function sendStoredPage(
  req: IncomingMessage,
  res: ServerResponse,
  page: StoredPage,
  extra: readonly string[],
  { fields, contentAt }: Pick<StoredPage['head'], 'fields' | 'contentAt'> = page.head,
): number | null {
  if (isNotModified(req, page)) {
    res.writeHead(304, fields.slice(0, contentAt).concat(extra));
    res.end();
    return 0;
  }
  const encoding = encodingFor(req.headers['accept-encoding']);
  if (encoding === 'identity') return sendIdentity(req, res, page, fields.concat(extra));
  const body = page.encodings[encoding];
  if (body === null) return null;
  const length = ['Content-Encoding', encoding, 'Content-Length', String(body.byteLength)];
  res.writeHead(page.status, fields.concat(length, extra));
  if (req.method === 'HEAD') {
    res.end();
    return 0;
  }
  res.end(body);
  return body.byteLength;
}

/** No body is stored without an encoding: it is decompressed for the few clients that take none. */
function sendIdentity(
  { method }: IncomingMessage,
  res: ServerResponse,
  page: StoredPage,
  head: readonly string[],
): number {
  res.writeHead(page.status, [...head, 'Content-Length', String(page.identityBytes)]);
  if (method === 'HEAD') {
    res.end();
    return 0;
  }
  identityOf(page).then(
    body => res.end(body),
    error => res.destroy(error),
  );
  return page.identityBytes;
}

/** The client's condition alone decides: a reload that says `no-cache` (RFC 9111, 5.2.1.4) is answered from here, with 304 where it fits. */
function isNotModified({ headers }: IncomingMessage, { status, etag }: StoredPage): boolean {
  const condition = headers['if-none-match'];
  if (condition === undefined || status !== 200) return false;
  return condition === etag || fresh({ 'if-none-match': condition }, { etag });
}
