import type { PostgresConnectionOptions, PostgresQueueBackend } from 'bullmq';
import {
  CONNECT_LIMIT_MS,
  JOB_OPTIONS,
  type JobData,
  type OpenQueue,
  type QueueEngine,
  type QueueOptions,
  type ServerFacts,
  WORKER_OPTIONS,
} from './queue-server.ts';

const MAX_CONNECTIONS = 4;
/** Time limit for creating the tables, in ms. Calls of the site have a shorter limit. */
const QUERY_LIMIT_MS = 5_000;

/** Connects to PostgreSQL, and creates missing tables of the queue in the schema `bullmq`. */
export async function openPostgresQueue(options: QueueOptions & { url: string }): Promise<OpenQueue> {
  const { engine, url, name, isSite, onError } = options;
  const connection = {
    connectionString: url,
    migrate: true,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
    application_name: name,
  };
  const facts = await examine(engine, url);
  const queue = new engine.Queue<
    JobData,
    void,
    string,
    JobData,
    void,
    string,
    PostgresQueueBackend,
    PostgresConnectionOptions
  >(
    name,
    {
      connection: { ...connection, query_timeout: QUERY_LIMIT_MS },
      skipMetasUpdate: !isSite,
      defaultJobOptions: JOB_OPTIONS,
    },
    engine.createPostgresBackend,
  );
  queue.on('error', onError);
  try {
    await queue.waitUntilReady();
  } catch (error) {
    await queue.close().catch(() => {});
    throw error;
  }
  return {
    queue,
    facts,
    openWorker: process =>
      new engine.Worker(name, process, { ...WORKER_OPTIONS, connection }, engine.createPostgresBackend),
    explained: error => error,
    close: () => queue.close().catch(() => {}),
  };
}

async function examine(engine: QueueEngine, url: string): Promise<ServerFacts> {
  const client = new engine.pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: CONNECT_LIMIT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT current_setting('server_version') AS version, current_setting('synchronous_commit') AS commit`,
    );
    return { server: `postgresql ${rows[0]?.version}`, promise: `synchronous_commit=${rows[0]?.commit}` };
  } finally {
    await client.end().catch(() => {});
  }
}
