import type { IncomingMessage } from 'node:http';
import { HttpError } from '../../shared/payload/http-error.ts';
import type { Site } from '../site.ts';
import { MAX_ADDRESS_LENGTH } from './limits.ts';
import { requestedHost, type TrustsProxy } from './served-hosts.ts';

/**
 * Why a request is not answered at all, stored page or not; null: it is. Cheap, because it is asked of every request before
 * anything else is.
 */
export function refusalOf(
  { servesHost, config }: Pick<Site, 'servesHost' | 'config'>,
  req: IncomingMessage,
  trusts: TrustsProxy,
): HttpError | null {
  const { url = '', rawHeaders } = req;
  if (url.length > MAX_ADDRESS_LENGTH) return new HttpError('The address is too long.', 414, 'URI Too Long');
  // RFC 9112, 3.2: two hosts are none. Who stands in front may have believed the other one.
  if (hasTwoHosts(rawHeaders) || req.headers.host === undefined)
    return new HttpError('The Host header cannot be read.', 400);
  if (servesHost(requestedHost(req, trusts))) return null;
  return config.publicOrigin === null
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
