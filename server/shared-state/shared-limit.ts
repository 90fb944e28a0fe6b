import { createHash } from 'node:crypto';
import { type ClientRateLimitInfo, MemoryStore, type Options, type Store } from 'express-rate-limit';
import type { SharedStore } from './shared-store.ts';

/** How long a request waits for the shared count, in ms. */
const LIMIT_MS = 50;

/**
 * @param name tells the limits of a site apart.
 * @returns a store for express-rate-limit that counts the requests of an address on all replicas. It counts those of this replica as well, so that a limit holds
 *   while the shared store does not work.
 */
export function createSharedLimit(shared: SharedStore, name: string): Store {
  const own = new MemoryStore();
  const all = Promise.withResolvers<Store>();

  async function open(options: Options): Promise<Store> {
    const { RedisStore } = await import('./redis-client.ts');
    const scripts = new Map<string, string>();
    const store: Store = new RedisStore({
      prefix: shared.key(`limit:${name}:`),
      async sendCommand(command: string, ...args: string[]) {
        const [first = '', second = ''] = args;
        if (command === 'SCRIPT') {
          // The package loads its scripts once, at the start. The store may be away then, or may lose them later.
          const digest = createHash('sha256').update(second).digest('hex');
          scripts.set(digest, second);
          return digest;
        }
        const script = command === 'EVALSHA' ? scripts.get(first) : undefined;
        const sent = script === undefined ? [command, ...args] : ['EVAL', script, ...args.slice(1)];
        return shared.command(sent[0] ?? '', sent.slice(1), { op: 'limit', limitMs: LIMIT_MS });
      },
    });
    await store.init?.(options);
    return store;
  }

  /** Does the same with the shared count, where the store works. */
  async function inAll<T>(work: (store: Store) => Promise<T> | T): Promise<T | null> {
    try {
      return await work(await all.promise);
    } catch {
      return null;
    }
  }

  return {
    init(options) {
      own.init(options);
      all.resolve(open(options));
    },
    async increment(key) {
      const [mine, ours] = await Promise.all([own.increment(key), inAll(store => store.increment(key))]);
      return larger(mine, ours);
    },
    async get(key) {
      const [mine, ours] = await Promise.all([own.get(key), inAll(async store => store.get?.(key))]);
      return mine && ours ? larger(mine, ours) : (mine ?? ours ?? undefined);
    },
    async decrement(key) {
      await Promise.all([own.decrement(key), inAll(store => store.decrement(key))]);
    },
    async resetKey(key) {
      await Promise.all([own.resetKey(key), inAll(store => store.resetKey(key))]);
    },
    shutdown: () => own.shutdown(),
  };
}

function larger(one: ClientRateLimitInfo, other: ClientRateLimitInfo | null): ClientRateLimitInfo {
  return other && other.totalHits >= one.totalHits ? other : one;
}
