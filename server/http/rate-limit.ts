import rateLimit, { type Options, type RateLimitRequestHandler } from 'express-rate-limit';

/**
 * Limits the requests from one IP address by express-rate-limit.
 *
 * @param limit requests from one IP address in a window. An IPv6 /56 counts as one address.
 * @param handler answers requests beyond the limit; by default with a plain 429.
 */
export function limitPerAddress(
  windowMs: number,
  limit: number,
  handler?: Options['handler'],
): RateLimitRequestHandler {
  return rateLimit({
    windowMs,
    limit,
    ipv6Subnet: 56,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // TRUST_PROXY decides whether a forwarded address counts. The package would print a warning for each one that does not.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    ...(handler && { handler }),
  });
}
