import * as z from 'zod';
import { messageSchema, type OutboxMessage } from '../outbox-files.ts';

/** The data of a job. A job whose message has been delivered or erased has none. */
export type JobData = OutboxMessage | Record<string, never>;

export const NO_MESSAGE: JobData = Object.freeze({});

/** @returns null for a message that has been delivered or erased; undefined for data of another kind. */
export function decodeJob(data: unknown): OutboxMessage | null | undefined {
  if (typeof data === 'object' && data !== null && Object.keys(data).length === 0) return null;
  return messageSchema.safeParse(data).data;
}

/** The times of a message's attempts, in ms since the epoch. */
export interface AttemptTimes {
  /** When its 24 hours began. */
  since: number;
  /** When its next attempt is due. */
  dueAt: number;
}

const timesSchema = z.object({ since: z.number(), dueAt: z.number() });

/**
 * @param job its progress has the times. They are no part of its data: to write them would write back the words of a message that was erased
 *   during an attempt.
 */
export function attemptTimes(job: { progress: unknown; timestamp: number }): AttemptTimes {
  return timesSchema.safeParse(job.progress).data ?? { since: job.timestamp, dueAt: job.timestamp };
}
