import type { IncomingMessage } from 'node:http';
import { HttpError } from '../../shared/payload/http-error.ts';
import { MAX_ADDRESS_LENGTH } from './limits.ts';

/**
 * Decides whether a request is refused before any work is done: for a host that is not the site's, or an address that is too long.
 *
 * @param isServed whether the site serves the host of the request.
 * @param publicOrigin null: every readable host is served, so a host that is not served cannot be read.
 * @returns the error; null for a request that is served.
 */
export function refusalOf(
  { url = '', rawHeaders, headers }: IncomingMessage,
  isServed: boolean,
  publicOrigin: string | null,
): HttpError | null {
  if (url.length > MAX_ADDRESS_LENGTH) return new HttpError('The address is too long.', 414, 'URI Too Long');
  // RFC 9112, 3.2: a request with two Host headers is refused. A proxy in front may have read the other one.
  if (hasTwoHosts(rawHeaders) || headers.host === undefined)
    return new HttpError('The Host header cannot be read.', 400);
  if (isServed) return null;
  return publicOrigin === null
    ? new HttpError('The Host header cannot be read.', 400)
    : new HttpError('This server does not serve that host.', 421, 'Misdirected Request');
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
