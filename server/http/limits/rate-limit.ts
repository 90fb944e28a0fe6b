import type { Request } from 'express';
import rateLimit, {
  ipKeyGenerator,
  MemoryStore,
  type Options,
  type RateLimitRequestHandler,
  type Store,
} from 'express-rate-limit';

import type { LimitName } from '../../ops/metrics/metric-table.ts';
import { scopeOf } from '../request/request-scope.ts';

const IPV6_SUBNET = 56;

/**
 * Limits the requests from one IP address in a window. An IPv6 /56 counts as one address.
 * @param name the limit in metrics and log entries.
 */
export function limitPerAddress(
  name: LimitName,
  windowMs: number,
  limit: number,
  { handler, store }: { handler?: Options['handler']; store?: Store | undefined } = {},
): RateLimitRequestHandler {
  return rateLimit({
    windowMs,
    limit,
    ipv6Subnet: IPV6_SUBNET,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Turn off warnings about forwarded addresses. TRUST_PROXY decides whether a forwarded address counts.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    passOnStoreError: true,
    ...(store && { store }),
    handler(req, res, next, options) {
      scopeOf(res).trace.cause = name;
      if (handler) handler(req, res, next, options);
      else res.status(options.statusCode).send(options.message);
    },
  });
}

/** @returns a function that counts a failure. It returns whether the IP address exceeds the limit. */
export function limitFailures(
  windowMs: number,
  limit: number,
  store: Store = new MemoryStore(),
): (req: Request) => Promise<boolean> {
  store.init?.({ windowMs } as Options);
  return async ({ ip = '' }) => (await store.increment(ipKeyGenerator(ip, IPV6_SUBNET))).totalHits > limit;
}
