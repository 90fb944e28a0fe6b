import type { RequestHandler } from 'express';

/**
 * Sets the security headers. A page replaces the policy when the settings name stylesheets or scripts.
 *
 * @param headers names and values, the same for every answer.
 */
export function setSecurityHeaders(
  headers: readonly (readonly [name: string, value: string])[],
): RequestHandler {
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}
