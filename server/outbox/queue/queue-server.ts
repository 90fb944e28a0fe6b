import type { Job, MinimalJob, Queue, Worker, WorkerOptions } from 'bullmq';
import * as z from 'zod';
import { steadyNow } from '../../ops/steady-clock.ts';
import { messageSchema, type OutboxMessage } from '../outbox-files.ts';

export type QueueEngine = typeof import('./queue-engine.ts');

export type MessageJob = Job<JobData, void, string>;

/** The part of a BullMQ queue that the outbox uses. Queues in Redis and PostgreSQL both have it. */
export type MessageQueue = Pick<
  Queue<JobData, void, string>,
  'add' | 'getJob' | 'getJobs' | 'getJobState' | 'getJobCounts' | 'clean' | 'getVersion' | 'getWorkersCount'
>;
export type MessageWorker = Pick<Worker<JobData, void, string>, 'close' | 'disconnect'> & {
  on(event: 'completed', listener: (job: MessageJob) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
};

export type JobProcessor = (job: MessageJob, token: string | undefined) => Promise<void>;

export interface ServerFacts {
  /** Name and version, such as `redis 7.0.15`. */
  readonly server: string;
  /** The setting that protects jobs from loss: `maxmemory-policy`, or `synchronous_commit`. */
  readonly promise: string;
}

export interface OpenQueue {
  readonly queue: MessageQueue;
  readonly facts: ServerFacts;
  openWorker(process: JobProcessor): MessageWorker;
  /** @returns the connection's error if a call failed without a connection; otherwise the error itself. */
  explained(error: unknown): unknown;
  close(): Promise<void>;
}

export const CALL_LIMIT_MS = 400;
export const CONNECT_LIMIT_MS = 1_000;
/** In effect no limit for attempts, because each stop of a process may interrupt one. */
const ANY_NUMBER = 1_000_000;

export const KEY_PREFIX = 'site';

/** The worker decides the time of the next attempt, and which attempt is the last. */
export const JOB_OPTIONS = {
  attempts: ANY_NUMBER,
  backoff: { type: 'custom' },
  // Jobs need no stack traces: the log of the site has the errors.
  stackTraceLimit: 0,
};

export const WORKER_OPTIONS = {
  prefix: KEY_PREFIX,
  autorun: true,
  concurrency: 4,
  // Another process repeats a delivery whose lock was not renewed for this time.
  lockDuration: 15_000,
  lockRenewTime: 4_000,
  stalledInterval: 5_000,
  maxStalledCount: ANY_NUMBER,
  runRetryDelay: 1_000,
  skipVersionCheck: true,
  settings: {
    backoffStrategy: (_attempts, _type, _error, job) =>
      // PostgreSQL accepts only whole numbers.
      Math.max(job ? Math.ceil(attemptTimes(job).dueAt - steadyNow()) : 0, 1),
  },
} as const satisfies Omit<WorkerOptions, 'connection'>;

export interface QueueOptions {
  engine: QueueEngine;
  name: string;
  isSite: boolean;
  onError(error: Error): void;
}

/** Empty for a message that has been delivered or erased. */
export type JobData = OutboxMessage | Record<string, never>;

export const NO_MESSAGE: JobData = Object.freeze({});

/** @returns null for a message that has been delivered or erased; undefined for data of another kind. */
export function decodeJob(data: unknown): OutboxMessage | null | undefined {
  if (typeof data === 'object' && data !== null && Object.keys(data).length === 0) return null;
  return messageSchema.safeParse(data).data;
}

const timesSchema = z.object({ since: z.number(), dueAt: z.number() });

/**
 * Reads the times, in ms since the epoch, from the job's progress. The 24 hours of a message begin at
 * `since`. Writing the times to the job's data could restore an erased message.
 */
export function attemptTimes(job: Pick<MinimalJob, 'progress' | 'timestamp'>) {
  return timesSchema.safeParse(job.progress).data ?? { since: job.timestamp, dueAt: job.timestamp };
}
