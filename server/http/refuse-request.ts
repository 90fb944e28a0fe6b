import type { RequestHandler } from 'express';
import type { Site } from '../site.ts';
import { refusalOf } from './refusal.ts';

/** Another site's host, or an address too long to be one of ours. Stored pages are kept from such requests by the same rule. */
export function refuseRequest(site: Site): RequestHandler {
  return (req, _res, next) => {
    const refusal = refusalOf(site, req, req.app.get('trust proxy fn'));
    if (refusal) throw refusal;
    next();
  };
}
