import * as z from 'zod';
import { messageSchema, type OutboxMessage } from '../outbox-files.ts';

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
 * `since`. Storing them in its data could restore an erased message.
 */
export function attemptTimes(job: { progress: unknown; timestamp: number }) {
  return timesSchema.safeParse(job.progress).data ?? { since: job.timestamp, dueAt: job.timestamp };
}
