import rateLimit, { type Options, type RateLimitRequestHandler } from 'express-rate-limit';

/**
 * @param windowMs the length of the window.
 * @param limit requests of one address in a window. An IPv6 /56 counts as one address.
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
    // TRUST_PROXY decides whether a forwarded address counts. One that does not is no mistake to report on the console.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    ...(handler && { handler }),
  });
}
