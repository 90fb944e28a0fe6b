import type { Request, RequestHandler } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';
import { scopeOf } from '../http/request-scope.ts';

/**
 * Refuses a form post that a page of another site has sent in a visitor's name. Browsers send `Sec-Fetch-Site` (Fetch Metadata, W3C), or
 * `Origin` where they do not, over plain http for example. A client that sends neither is no browser.
 */
export function refuseCrossSite(publicOrigin: string | null): RequestHandler {
  return (req, res, next) => {
    if (isCrossSite(req, publicOrigin)) {
      scopeOf(res).log.warn('a form post from another site was refused');
      throw new HttpError('This form can only be sent from the site itself.', 403);
    }
    next();
  };
}

function isCrossSite(req: Request, publicOrigin: string | null): boolean {
  const site = req.get('sec-fetch-site');
  // `same-site` is another host of the same domain, which somebody else may run; `none` is a request that the visitor typed.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = req.get('origin');
  if (origin === undefined) return false;
  // Hosts are compared without their protocol: a proxy that ends TLS need not forward it. The origin `null` is never the site's own.
  const host = URL.parse(origin)?.host;
  return host === undefined || (host !== req.host && host !== URL.parse(publicOrigin ?? '')?.host);
}
