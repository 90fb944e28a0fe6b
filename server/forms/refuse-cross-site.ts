import type { Request, RequestHandler } from 'express';
import { saidError } from '../errors.ts';
import { scopeOf } from '../http/request/request-scope.ts';

/**
 * Browsers send `Sec-Fetch-Site` (Fetch Metadata, W3C), and over plain HTTP only `Origin`. A client that
 * sends neither is no browser, and passes.
 * @param options `allowsNullOrigin` for pages without a referrer, whose post needs a token.
 */
export function refuseCrossSite(
  publicOrigin: string | null,
  { allowsNullOrigin = false } = {},
): RequestHandler {
  return (req, res, next) => {
    if (isCrossSite(req, publicOrigin, allowsNullOrigin)) {
      scopeOf(res).log.warn({ code: 'form-cross-site' }, 'a form post from another site was refused');
      throw saidError('foreignForm', 403);
    }
    next();
  };
}

function isCrossSite(req: Request, publicOrigin: string | null, allowsNullOrigin: boolean): boolean {
  const site = req.get('sec-fetch-site');
  // `same-site` is another host of the domain, which may belong to others. `none`: the visitor entered the
  // address.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = req.get('origin');
  if (origin === undefined || (allowsNullOrigin && origin === 'null')) return false;
  // Without the protocol, which a proxy that ends TLS may not forward. The origin `null` has no host.
  const host = URL.parse(origin)?.host;
  return host === undefined || (host !== req.host && host !== URL.parse(publicOrigin ?? '')?.host);
}
