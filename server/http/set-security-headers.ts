import type { RequestHandler } from 'express';

/**
 * Sets the security headers. A page has a policy of its own where the settings bring stylesheets or scripts.
 *
 * @param headers names and values, the same for every answer.
 */
export function securityHeaders(
  headers: readonly (readonly [name: string, value: string])[],
): RequestHandler {
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}
