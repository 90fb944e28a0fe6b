import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzip } from 'node:zlib';
import type { StoredPage } from './stored-page.ts';

type Encoding = 'br' | 'gzip' | 'identity';

/** What visitors' browsers send is one of a few dozen texts: each is read once. */
const encodings = new Map<string, Encoding>();
const MAX_ENCODINGS = 1_000;

/**
 * Sends a stored page: in the encoding that the client takes, 304 where it has it already, the head alone for HEAD.
 * Conditions are those of RFC 9110, section 13; a range is ignored, as section 14.2 allows.
 *
 * @param extra names and values that are not stored: the request's id, `Age`, `Cache-Status`, the security headers.
 * @returns the bytes of the body.
 */
export function sendStoredPage(
  req: IncomingMessage,
  res: ServerResponse,
  page: StoredPage,
  extra: readonly string[],
): number {
  const head = [...page.headers, 'ETag', page.etag, ...extra];
  if (page.status === 200 && matches(req.headers['if-none-match'], page.etag)) {
    res.writeHead(304, withoutContent(head));
    res.end();
    return 0;
  }
  const encoding = encodingOf(req.headers['accept-encoding']);
  if (encoding === 'identity') {
    res.writeHead(page.status, [...head, 'Content-Length', String(page.identityBytes)]);
    if (req.method === 'HEAD') res.end();
    else gunzip(page.gzip, (error, body) => (error ? res.destroy(error) : res.end(body)));
    return page.identityBytes;
  }
  const body = encoding === 'br' ? page.br : page.gzip;
  res.writeHead(page.status, [
    ...head,
    'Content-Encoding',
    encoding,
    'Content-Length',
    String(body.byteLength),
  ]);
  res.end(req.method === 'HEAD' ? undefined : body);
  return body.byteLength;
}

/** RFC 9110, 13.1.2: a list of tags compared weakly, or `*`. */
function matches(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  if (condition === etag || condition.trim() === '*') return true;
  const opaque = etag.slice(2);
  return (condition.match(/(?:W\/)?"[^"]*"/g) ?? []).some(tag => tag.replace(/^W\//, '') === opaque);
}

/** RFC 9110, 15.4.5: a 304 has the fields that a cache needs to renew what it has, and none of the content's. */
function withoutContent(head: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < head.length; index += 2) {
    const [name = '', value = ''] = head.slice(index, index + 2);
    if (name !== 'Content-Type' && name !== 'Link') kept.push(name, value);
  }
  return kept;
}

function encodingOf(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity';
  const known = encodings.get(accepted);
  if (known) return known;
  const encoding = negotiate(accepted);
  if (encodings.size < MAX_ENCODINGS) encodings.set(accepted, encoding);
  return encoding;
}

/** RFC 9110, 12.5.3. Of those that are taken equally the smallest is sent. */
function negotiate(accepted: string): Encoding {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map(text => text.trim());
    const weight = parameters.find(parameter => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [br, gzip] = [weightOf('br'), weightOf('gzip')];
  // Not named, it is taken, and after all that is.
  const identity = weights.get('identity') ?? 0;
  if (br > 0 && br >= gzip && br >= identity) return 'br';
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity';
}
