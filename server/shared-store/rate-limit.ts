import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import rateLimit, {
  ipKeyGenerator,
  MemoryStore,
  type Options,
  type RateLimitRequestHandler,
  type Store,
} from 'express-rate-limit';
import { scopeOf } from '../http/request/request-scope.ts';
import type { LimitName } from '../ops/metrics/metric-table.ts';
import type { SharedStore } from './shared-store.ts';

/** How long a request waits for the counts of other replicas, in ms. */
const LIMIT_MS = 50;
const TELL = `
redis.call('SREM', KEYS[1], ARGV[2])
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return redis.call('SMEMBERS', KEYS[1])`;

const IPV6_SUBNET = 56;

/**
 * Limits the requests from one IP address in a window. An IPv6 /56 counts as one address.
 * @param name the limit in metrics, log entries and the shared store.
 * @param shared counts the requests to all replicas. Null counts those to this one.
 */
export function limitPerAddress(
  name: LimitName,
  windowMs: number,
  limit: number,
  shared: SharedStore | null,
  handler?: Options['handler'],
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
    ...(shared && { store: createSharedLimit(shared, name) }),
    handler(req, res, next, options) {
      scopeOf(res).trace.cause = name;
      if (handler) handler(req, res, next, options);
      else res.status(options.statusCode).send(options.message);
    },
  });
}

export const GUESSES_WINDOW_S = 60;
/** Limit for wrong secrets from one IP address. Further ones get a 429. The right secret always passes. */
const MAX_GUESSES = 10;

/** @returns a function that counts a wrong secret. It returns whether the IP address exceeds the limit. */
export function limitGuesses(shared: SharedStore | null = null): (req: Request) => Promise<boolean> {
  const store = shared ? createSharedLimit(shared, 'guesses') : new MemoryStore();
  store.init?.({ windowMs: GUESSES_WINDOW_S * 1_000 } as Options);
  return async ({ ip = '' }) => {
    const { totalHits } = await store.increment(ipKeyGenerator(ip, IPV6_SUBNET));
    return totalHits > MAX_GUESSES;
  };
}

/**
 * Counts requests to all replicas: each shares its own count, sealed as proof that a replica wrote it.
 * Without the store, each replica applies only its own count. @param name identifies the limit.
 */
function createSharedLimit(shared: SharedStore, name: string): Store {
  const own = new MemoryStore();
  const id = randomUUID();
  let windowMs = 0;

  async function hitsElsewhere(address: string, hits: number, until: number): Promise<number> {
    const key = shared.key(`hits:${name}:${address}`);
    const options = { op: 'limit', limitMs: LIMIT_MS };
    const countOf = (number: number) => shared.seal(key, `${id} ${number} ${until}`);
    const arguments_ = [TELL, 1, key, countOf(hits), countOf(hits - 1), windowMs];
    const counts = await shared.command<string[]>('EVAL', arguments_, options);
    const largest = new Map<string, number>();
    const outdated: string[] = [];
    for (const sealed of counts) {
      const [by = '', number, end] = shared.open(key, sealed)?.toString().split(' ') ?? [];
      if (!(Number(end) > Date.now())) outdated.push(sealed);
      else if (by !== id) largest.set(by, Math.max(largest.get(by) ?? 0, Number(number)));
    }
    if (outdated.length > 0) void shared.command('SREM', [key, ...outdated], options).catch(() => {});
    return [...largest.values()].reduce((sum, number) => sum + number, 0);
  }

  return {
    init(options) {
      ({ windowMs } = options);
      own.init(options);
    },
    async increment(address) {
      const { totalHits, resetTime } = await own.increment(address);
      const others = await hitsElsewhere(address, totalHits, Number(resetTime)).catch(() => 0);
      return { totalHits: totalHits + others, resetTime };
    },
    decrement: address => own.decrement(address),
    resetKey: address => own.resetKey(address),
    shutdown: () => own.shutdown(),
  };
}
