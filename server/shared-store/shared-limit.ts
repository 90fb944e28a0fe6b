import { randomUUID } from 'node:crypto';
import { MemoryStore, type Store } from 'express-rate-limit';
import type { SharedStore } from './shared-store.ts';

/** How long a request waits for the counts of other replicas, in ms. */
const LIMIT_MS = 50;
const TELL = `
redis.call('SREM', KEYS[1], ARGV[2])
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return redis.call('SMEMBERS', KEYS[1])`;

/**
 * Shares each replica's count of requests. A seal shows that a replica wrote it. Without the store, each
 * replica applies only its own count. @param name identifies the limit.
 */
export function createSharedLimit(shared: SharedStore, name: string): Store {
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
