import * as z from 'zod';
import { messageSchema, type OutboxMessage } from '../outbox-files.ts';

/** Empty for a message that has been delivered or erased. */
export type JobData = OutboxMessage | Record<string, never>;

export const NO_MESSAGE: JobData = Object.freeze({});

/** Null for a message that has been delivered or erased; undefined for data of another kind. */
export function decodeJob(data: unknown): OutboxMessage | null | undefined {
  if (typeof data === 'object' && data !== null && Object.keys(data).length === 0) return null;
  return messageSchema.safeParse(data).data;
}

/** In ms since the epoch. `since`: the begin of the message's 24 hours. */
export interface AttemptTimes {
  since: number;
  dueAt: number;
}

const timesSchema = z.object({ since: z.number(), dueAt: z.number() });

/** In the job's progress: a write of its data would bring back the words of an erased message. */
export function attemptTimes(job: { progress: unknown; timestamp: number }): AttemptTimes {
  return timesSchema.safeParse(job.progress).data ?? { since: job.timestamp, dueAt: job.timestamp };
}
