import type { RequestHandler } from 'express';
import type { Site } from '../site.ts';

/** Sets the security headers. A page has a policy of its own where the settings bring stylesheets or scripts. */
export function securityHeaders({ securityHeaders: headers }: Site): RequestHandler {
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}
