// The only file that imports the client's packages. It is loaded only if SHARED_URL is set.

import { Redis } from 'ioredis';
import type { SharedAddress } from '../config/server-addresses.ts';
import { BackOff } from '../ops/back-off.ts';
import { redisOptions } from './redis-options.ts';

export type { Redis };

const CONNECT_TIMEOUT_MS = 2_000;
const LONGEST_RETRY_MS = 1_000;
const FIRST_RETRY_MS = 20;
/** The shortest time between two moves from a read-only server to the new primary, in ms. */
const READ_ONLY_RETRY_MS = 5_000;

/** Creates a client that always reconnects. It refuses commands while disconnected, and repeats none. */
export function createRedis(address: SharedAddress, silenceMs: number): Redis {
  let leftReadOnlyAt = Number.NEGATIVE_INFINITY;
  const pauses = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  return new Redis({
    ...redisOptions(address),
    enableReadyCheck: false,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: silenceMs,
    retryStrategy: times => pauses.after(times),
    reconnectOnError(error) {
      if (!error.message.startsWith('READONLY')) return false;
      if (performance.now() - leftReadOnlyAt < READ_ONLY_RETRY_MS) return false;
      leftReadOnlyAt = performance.now();
      return 1;
    },
  });
}
