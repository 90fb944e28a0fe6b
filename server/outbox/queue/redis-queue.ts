import { ConfigError } from '../../config/config.ts';
import { type SharedAddress, shownAddress } from '../../config/server-addresses.ts';
import { BackOff } from '../../ops/back-off.ts';
import { examineInfo } from '../../shared-store/examine-store.ts';
import { redisOptions } from '../../shared-store/redis-options.ts';
import { QueueUnavailableError } from './queue-problem.ts';
import {
  CONNECT_LIMIT_MS,
  JOB_OPTIONS,
  type JobData,
  KEY_PREFIX,
  type OpenQueue,
  type QueueOptions,
  type ServerFacts,
  WORKER_OPTIONS,
} from './queue-server.ts';

/** Errors of ioredis for a call without a connection. These errors name no cause. */
const NO_CONNECTION = /writeable|Connection is closed|max retries per request/;
/** Errors of Node for a connection that breaks. These errors name no address. */
const BROKEN = /^(?:read|write) E[A-Z]+$/;
const SAFE_POLICY = 'noeviction';
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 1_000;
const SILENCE_LIMIT_MS = 2_000;

interface RedisQueueOptions extends QueueOptions {
  redis: SharedAddress;
  isTrusted: boolean;
}

/** @throws ConfigError for a Redis that may evict messages, and any error of the connection. */
export async function openRedisQueue(options: RedisQueueOptions): Promise<OpenQueue> {
  const { engine, redis, name, isTrusted, isSite, onError } = options;
  const connection = connectionOptions(redis);
  // Calls of the site fail at once without a connection. BullMQ's defaults would wait for one.
  const client = new engine.Redis({
    ...connection,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: SILENCE_LIMIT_MS,
  });
  let lastError: Error | undefined;
  client.on('error', error => {
    lastError = error;
    onError(error);
  });
  client.on('ready', () => {
    lastError = undefined;
  });
  try {
    await client.connect();
    const facts = checkedFacts(await client.info(), isTrusted);
    const queue = new engine.Queue<JobData, void, string>(name, {
      connection: client,
      prefix: KEY_PREFIX,
      skipVersionCheck: true,
      skipMetasUpdate: !isSite,
      skipWaitingForReady: true,
      defaultJobOptions: JOB_OPTIONS,
    });
    queue.on('error', onError);
    await queue.waitUntilReady();
    return {
      queue,
      facts,
      openWorker: process =>
        new engine.Worker<JobData, void, string>(name, process, {
          ...WORKER_OPTIONS,
          connection: { ...connection, maxRetriesPerRequest: null },
        }),
      explained(error) {
        if (!(error instanceof Error)) return error;
        const cause = NO_CONNECTION.test(error.message) ? lastError : error;
        if (cause && !BROKEN.test(cause.message)) return cause;
        const how = cause ? `broke: ${cause.message}` : 'is closed';
        return new QueueUnavailableError(`the connection to ${shownAddress(redis)} ${how}`);
      },
      async close() {
        client.disconnect();
      },
    };
  } catch (error) {
    client.disconnect();
    // The error of `connect` only says that the connection is closed.
    throw error instanceof ConfigError ? error : (lastError ?? error);
  }
}

function connectionOptions(address: SharedAddress) {
  const pauses = new BackOff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  return {
    ...redisOptions(address),
    connectTimeout: CONNECT_LIMIT_MS,
    retryStrategy: (times: number) => pauses.after(times),
    // Reconnect after a failover: the host name then leads to the new primary.
    reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 1 : false),
  };
}

/** @param info the response to INFO. @throws ConfigError for a Redis that cannot keep the messages. */
export function checkedFacts(info: string, isTrusted: boolean): ServerFacts {
  const examination = examineInfo(info);
  if (examination.kind === 'unusable')
    throw new ConfigError([`OUTBOX_URL: this Redis cannot be used, because ${examination.reason}`]);
  const { server, policy } = examination.facts;
  if (policy === null && !isTrusted)
    throw new ConfigError([
      'OUTBOX_URL: this Redis does not tell its maxmemory-policy. Look at it where the Redis is managed, and set OUTBOX_TRUST=on if it is noeviction',
    ]);
  if (policy !== null && policy !== SAFE_POLICY)
    throw new ConfigError([
      `OUTBOX_URL: this Redis may evict messages: its maxmemory-policy is ${policy}. Set maxmemory-policy noeviction in its configuration, or name a Redis that has it`,
    ]);
  return { server, promise: policy ?? 'trusted' };
}
