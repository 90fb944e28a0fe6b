import type { Request, RequestHandler } from 'express';
import { HttpError } from '../../shared/payload/http-error.ts';
import { scopeOf } from '../http/request-scope.ts';
import type { Site } from '../site.ts';

/**
 * Refuses what a page of another site has sent in a visitor's name. The browser says so itself (Fetch Metadata, W3C), or
 * by its `Origin` where it does not, over plain http for example. A program that says neither is nobody's browser.
 */
export function refuseCrossSite(site: Site): RequestHandler {
  return (req, res, next) => {
    if (isCrossSite(req, site.config.publicOrigin)) {
      scopeOf(res).log.warn('a form post from another site was refused');
      throw new HttpError('This form can only be sent from the site itself.', 403);
    }
    next();
  };
}

function isCrossSite(req: Request, publicOrigin: string | null): boolean {
  const site = req.get('sec-fetch-site');
  // `same-site` is another host of the same domain, run by who knows whom; `none` is the visitor's own doing.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = req.get('origin');
  if (origin === undefined) return false;
  // The host alone: who ends TLS in front of this process need not have told it so. `null` is no origin of ours.
  const host = URL.parse(origin)?.host;
  return host === undefined || (host !== req.host && host !== URL.parse(publicOrigin ?? '')?.host);
}
