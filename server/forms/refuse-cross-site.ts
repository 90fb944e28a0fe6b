import type { Request, RequestHandler } from 'express';
import { saidError } from '../errors.ts';
import { scopeOf } from '../http/request-scope.ts';

/**
 * Refuses a form post that a page of another site has sent in a visitor's name. Browsers send `Sec-Fetch-Site` (Fetch Metadata, W3C), and
 * over plain HTTP only `Origin`. A client that sends neither is no browser, and is not refused.
 *
 * @param options `allowsNullOrigin` for the forms of pages that tell no other page their address, and whose post needs a token: browsers say
 *   `Origin: null` there.
 */
export function refuseCrossSite(
  publicOrigin: string | null,
  { allowsNullOrigin = false } = {},
): RequestHandler {
  return (req, res, next) => {
    if (isCrossSite(req, publicOrigin, allowsNullOrigin)) {
      scopeOf(res).log.warn('a form post from another site was refused');
      throw saidError('foreignForm', 403);
    }
    next();
  };
}

function isCrossSite(req: Request, publicOrigin: string | null, allowsNullOrigin: boolean): boolean {
  const site = req.get('sec-fetch-site');
  // `same-site` means another host of the same domain, which may belong to others. `none` means that the visitor entered the address.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = req.get('origin');
  if (origin === undefined || (allowsNullOrigin && origin === 'null')) return false;
  // Hosts are compared without the protocol, which a proxy that ends TLS may not forward. The origin `null` has no host and is refused.
  const host = URL.parse(origin)?.host;
  return host === undefined || (host !== req.host && host !== URL.parse(publicOrigin ?? '')?.host);
}
