import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { postJson } from '../../support/send-request.ts';
import { type BuiltSite, startBuiltSite } from '../built-site.ts';
import { startMailBackend } from '../mail-backend.ts';
import { untilNone } from '../stage.ts';

export interface QueueSizes {
  /** Replicas that accept messages, are killed, and lose their disks. */
  replicas: number;
  /** Number of messages for each of these replicas. */
  messages: number;
  /** Messages that wait at each of two replicas when the queue is wiped. */
  waiting: number;
  /** Messages posted to two replicas with the same idempotency key. */
  posted: number;
}

/** The server that holds the queue. */
export interface QueueServer {
  readonly url: string;
  /** Deletes the whole queue. */
  wipe(): Promise<unknown>;
}

/** Counts of messages. */
interface Deliveries {
  acknowledged: number;
  /** Acknowledged messages that the CMS does not have. */
  lost: number;
  /**
   * First: messages that the CMS got more than once. Second: those never sent, or repeated with another text.
   */
  repeated: number;
  wrong: number;
}

export interface QueueOutcome {
  /** Each replica that accepted messages was killed, and its disk removed. */
  disksLost: Deliveries;
  /** The queue was wiped while messages waited. */
  queueWiped: Deliveries;
  /** Each message was posted to two replicas. */
  postedTwice: Deliveries;
  /** Message files on the disk of the surviving replica. */
  left: number;
}

const DELIVERED_WITHIN_MS = 60_000;
const POSTS_AT_ONCE = 8;
const OUTBOX = path.resolve(import.meta.dirname, '../../../dist/server/outbox.js');

/**
 * Faults of the queue: a replica is lost with its disk, the queue is wiped, or a browser posts to two
 * replicas.
 */
export async function queueFaults(sizes: QueueSizes, queue: QueueServer): Promise<QueueOutcome> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'survivor-'));
  const backend = await startMailBackend();
  const env = {
    OUTBOX_URL: queue.url,
    FORM_RATE_LIMIT: '1000000',
    NODE_ENV: 'production',
    CONTENT_SWEEP_MS: '0',
    PUBLIC_URL: 'any',
  };
  const start = (dir?: string) =>
    startBuiltSite({ contentBaseUrl: backend.url, ...(dir ? { dataDir: dir } : {}), unready: true, env });
  const sites: BuiltSite[] = [];

  /** Posts messages to sites. @returns the idempotency keys of messages that all sites acknowledged. */
  async function post(count: number, to: readonly BuiltSite[]): Promise<string[]> {
    const keys = Array.from({ length: count }, () => randomUUID());
    const acknowledged: string[] = [];
    for (let index = 0; index < count; index += POSTS_AT_ONCE) {
      const part = keys.slice(index, index + POSTS_AT_ONCE).map(async idempotencyKey => {
        const message = { form: 'subscribe', email: `${idempotencyKey}@example.com`, idempotencyKey };
        const answers = await Promise.all(to.map(({ url }) => postJson(url, '/api/email/send', message)));
        if (answers.every(({ status }) => status === 202)) acknowledged.push(idempotencyKey);
      });
      await Promise.all(part);
    }
    return acknowledged;
  }

  /** Counts the deliveries of the messages accepted since the last call. */
  const counted = new Set<string>();
  let repeatedBefore = 0;
  async function deliveriesOf(acknowledged: readonly string[]): Promise<Deliveries> {
    const missing = () => acknowledged.filter(key => !backend.messages.has(key)).length;
    const { left } = await untilNone(async () => missing(), DELIVERED_WITHIN_MS);
    for (const key of acknowledged) counted.add(key);
    const repeated = backend.repeated - repeatedBefore;
    repeatedBefore = backend.repeated;
    const wrong = [...backend.messages.keys()].filter(key => !counted.has(key)).length + backend.different;
    return { acknowledged: acknowledged.length, lost: left, repeated, wrong };
  }

  /** Retries become rare while the CMS refuses messages. The operators' command makes all messages due. */
  const retry = () =>
    promisify(execFile)(process.execPath, [OUTBOX, 'retry'], { env: { ...env, DATA_DIR: dataDir } });

  try {
    const survivor = await start(dataDir);
    sites.push(survivor);

    backend.refuses = true;
    const kept: string[] = [];
    for (let count = 0; count < sizes.replicas; count += 1) {
      const replica = await start();
      kept.push(...(await post(sizes.messages, [replica])));
      await replica.end('SIGKILL');
      await replica.dispose();
    }
    backend.refuses = false;
    await retry();
    const disksLost = await deliveriesOf(kept);

    backend.refuses = true;
    const second = await start();
    sites.push(second);
    const both = [survivor, second];
    const waiting = (await Promise.all(both.map(site => post(sizes.waiting, [site])))).flat();
    await queue.wipe();
    backend.refuses = false;
    const queueWiped = await deliveriesOf(waiting);

    const postedTwice = await deliveriesOf(await post(sizes.posted, both));
    const files = async () => (await readdir(path.join(dataDir, 'outbox', 'waiting'))).length;
    const { left } = await untilNone(files, DELIVERED_WITHIN_MS);
    return { disksLost, queueWiped, postedTwice, left };
  } finally {
    await Promise.all(sites.map(site => site.dispose()));
    await backend.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
