import type { IncomingMessage, ServerResponse } from 'node:http';
import fresh from 'fresh';
import { type Encoding, encodingFor } from '../http/accept-encoding.ts';
import { identityOf, type StoredPage } from './stored-page.ts';

/** @returns the encoding that a page should be stored in for a client: brotli, or gzip, from which `identity` is made, too. */
export function storedEncodingFor(acceptEncoding: string | undefined): 'br' | 'gzip' {
  return encodingFor(acceptEncoding) === 'br' ? 'br' : 'gzip';
}

/** @returns whether a page can be sent at once: it has the encoding that the client takes, or the client has the page. */
export function canSend(req: IncomingMessage, page: StoredPage): boolean {
  const encoding = encodingFor(req.headers['accept-encoding']);
  return encoding === 'identity' || page.encodings[encoding] !== null || isNotModified(req, page);
}

/**
 * Sends a stored page: in the encoding that the client takes, 304 where the client has it already, the head alone for HEAD. Conditions are those of
 * RFC 9110, section 13; a range is ignored, as section 14.2 allows.
 *
 * @param page has the encoding that the client takes (`canSend`).
 * @param extra headers of this answer alone, names and values one after the other: the request's id, `Age`, `Cache-Status`.
 * @param fields the page's head without its content fields, where this answer's differs.
 * @returns the bytes of the body that is sent.
 */
export function sendStoredPage(
  req: IncomingMessage,
  res: ServerResponse,
  page: StoredPage,
  extra: readonly string[],
  { fields, contentAt }: Pick<StoredPage['head'], 'fields' | 'contentAt'> = page.head,
): number {
  if (isNotModified(req, page)) {
    res.writeHead(304, fields.slice(0, contentAt).concat(extra));
    res.end();
    return 0;
  }
  const encoding: Encoding = encodingFor(req.headers['accept-encoding']);
  const body = encoding === 'identity' ? null : page.encodings[encoding];
  const length = body?.byteLength ?? page.identityBytes;
  const head = body
    ? fields.concat('Content-Encoding', encoding, 'Content-Length', String(length), extra)
    : fields.concat('Content-Length', String(length), extra);
  res.writeHead(page.status, head);
  if (req.method === 'HEAD') {
    res.end();
    return 0;
  }
  if (body) res.end(body);
  else
    identityOf(page).then(
      identity => res.end(identity),
      error => res.destroy(error),
    );
  return length;
}

/** The client's condition alone decides: a reload that says `no-cache` (RFC 9111, 5.2.1.4) is answered from here, with 304 where it fits. */
function isNotModified({ headers }: IncomingMessage, { status, etag }: StoredPage): boolean {
  const condition = headers['if-none-match'];
  if (condition === undefined || status !== 200) return false;
  return condition === etag || fresh({ 'if-none-match': condition }, { etag });
}
