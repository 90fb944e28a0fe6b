import type { Request } from 'express';
import rateLimit, {
  ipKeyGenerator,
  MemoryStore,
  type Options,
  type RateLimitRequestHandler,
  type Store,
} from 'express-rate-limit';

/** An IPv6 network of this size counts as one address. */
const IPV6_SUBNET = 56;

/**
 * Limits the requests from one IP address by express-rate-limit.
 *
 * @param limit requests from one IP address in a window. An IPv6 /56 counts as one address.
 * @param options `handler` answers requests beyond the limit; by default with a plain 429. `store` counts; by default in this process.
 */
export function limitPerAddress(
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
    // TRUST_PROXY decides whether a forwarded address counts. The package would print a warning for each one that does not.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    // A request that cannot be counted passes.
    passOnStoreError: true,
    ...(store && { store }),
    ...(handler && { handler }),
  });
}

/**
 * Counts the failures of each IP address, such as wrong secrets, in windows that begin with the first one.
 *
 * @param limit failures of one IP address in a window.
 * @param store counts the failures; by default in this process.
 * @returns a function that counts a failure and tells whether it is beyond the limit.
 */
export function limitFailures(
  windowMs: number,
  limit: number,
  store: Store = new MemoryStore(),
): (req: Request) => Promise<boolean> {
  // Stores read nothing else.
  store.init?.({ windowMs } as Options);
  return async ({ ip = '' }) => (await store.increment(ipKeyGenerator(ip, IPV6_SUBNET))).totalHits > limit;
}
