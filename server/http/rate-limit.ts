import rateLimit, { type RateLimitRequestHandler } from 'express-rate-limit';

/**
 * @param windowMs the length of the window
 * @param limit requests of one address in a window; of IPv6 a /56 counts as one. Beyond it the answer is 429.
 */
export function limitPerAddress(windowMs: number, limit: number): RateLimitRequestHandler {
  return rateLimit({
    windowMs,
    limit,
    ipv6Subnet: 56,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // It would say on the console, past the log, that somebody has sent a forwarded header: those count by TRUST_PROXY alone.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
  });
}
