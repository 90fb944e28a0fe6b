import type { Request, RequestHandler } from 'express';
import { saidError } from '../errors.ts';
import { scopeOf } from '../http/request/request-scope.ts';

/**
 * Refuses POST requests from other sites. Browsers send `Sec-Fetch-Site`, or only `Origin` over plain HTTP.
 * A client without both is not a browser and passes.
 * @param options `allowsNullOrigin` is for pages without a referrer, whose requests need a token. `origins`
 *   are those of other sites that may send.
 */
export function refuseCrossSite(
  publicOrigin: string | null,
  {
    allowsNullOrigin = false,
    origins = [],
  }: { allowsNullOrigin?: boolean; origins?: readonly string[] } = {},
): RequestHandler {
  return (req, res, next) => {
    const isAllowed = origins.includes(req.get('origin') ?? '');
    if (!isAllowed && isCrossSite(req, publicOrigin, allowsNullOrigin)) {
      scopeOf(res).log.warn({ code: 'form-cross-site' }, 'forms: a post from another site was refused');
      throw saidError('foreignForm', 403);
    }
    next();
  };
}

function isCrossSite(req: Request, publicOrigin: string | null, allowsNullOrigin: boolean): boolean {
  const site = req.get('sec-fetch-site');
  // `same-site` is another host of the domain, perhaps of other owners. `none`: the visitor typed the
  // address.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = req.get('origin');
  if (origin === undefined || (allowsNullOrigin && origin === 'null')) return false;
  // Compare without the protocol, which a TLS proxy may hide. The origin `null` has no host.
  const host = URL.parse(origin)?.host;
  return host === undefined || (host !== req.host && host !== URL.parse(publicOrigin ?? '')?.host);
}
