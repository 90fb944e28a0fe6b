import type { RequestHandler } from 'express';
import type { Site } from '../site.ts';
import { refusalOf } from './refusal.ts';
import { trustedProxies } from './served-hosts.ts';

/** Another site's host, or an address too long to be one of ours. Stored pages are kept from such requests by the same rule. */
export function refuseRequest(site: Site): RequestHandler {
  const trusts = trustedProxies(site.config);
  return (req, _res, next) => {
    const refusal = refusalOf(site, req, trusts);
    if (refusal) throw refusal;
    next();
  };
}
