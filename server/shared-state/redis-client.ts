// The only file that imports the client's packages. The build makes a file of its own from it (`build/modules-apart.ts`), which is read only
// where SHARED_URL is set.

import { Redis } from 'ioredis';
import { redisOptions } from './redis-options.ts';
import type { SharedAddress } from './shared-address.ts';

export type { Redis };

/** How long a connection may take to be established, in ms. */
const CONNECT_TIMEOUT_MS = 2_000;
/** The longest pause between two attempts to connect, in ms. It begins with FIRST_RETRY_MS and doubles. */
const LONGEST_RETRY_MS = 1_000;
const FIRST_RETRY_MS = 20;
/** A read-only server is left for a new connection at most once in this time, in ms. The next one may lead to the new primary. */
const READ_ONLY_RETRY_MS = 5_000;

/**
 * Creates a client, which connects at once and again and again. A command is refused while there is no connection, and is never repeated: the caller
 * knows what to do without an answer.
 *
 * @param silenceMs a connection on which a command has had no answer for this time is given up, in ms.
 */
export function createRedis(address: SharedAddress, silenceMs: number): Redis {
  let leftReadOnlyAt = Number.NEGATIVE_INFINITY;
  return new Redis({
    ...redisOptions(address),
    enableReadyCheck: false,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: silenceMs,
    retryStrategy: times => Math.min(FIRST_RETRY_MS * 2 ** (times - 1), LONGEST_RETRY_MS),
    reconnectOnError(error) {
      if (!error.message.startsWith('READONLY')) return false;
      if (performance.now() - leftReadOnlyAt < READ_ONLY_RETRY_MS) return false;
      leftReadOnlyAt = performance.now();
      return 1;
    },
  });
}
