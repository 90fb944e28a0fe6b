import { ConfigError } from '../../config.ts';
import { errorText, faultOf, remediesFor } from '../../shared-state/server-fault.ts';

/** Why the queue cannot be used, and what to do about it. */
export interface QueueProblem {
  readonly reason: string;
  readonly remedy: string;
}

const REMEDIES = {
  ...remediesFor('the server of the queue', 'OUTBOX_URL'),
  rights: 'give the user of OUTBOX_URL all commands and the keys site:*',
  full: 'raise maxmemory of the Redis, or give the queue a Redis of its own',
};
/** A server that goes and comes back is met in all of these states. */
const AWAY: readonly string[] = [REMEDIES.unreachable, REMEDIES.late, REMEDIES.loading];

/** Remedies for faults of PostgreSQL alone. */
const POSTGRES_REMEDIES: readonly (readonly [sign: RegExp, remedy: string])[] = [
  [/permission denied/i, 'let the user of OUTBOX_URL create the schema bullmq, or create it for that user'],
  [/database "[^"]*" does not exist/i, 'create the database that OUTBOX_URL names'],
];

/** @returns what the log and `/readyz` say of an error of the queue. It has no word of a message, nor a password. */
export function queueProblem(error: unknown): QueueProblem {
  if (error instanceof ConfigError)
    return { reason: error.problems.join(' '), remedy: 'do what the reason says' };
  const reason = error instanceof Error ? errorText(error) : String(error);
  const special = POSTGRES_REMEDIES.find(([sign]) => sign.test(reason))?.[1];
  return { reason, remedy: special ?? REMEDIES[faultOf(reason)] };
}

/** @returns whether a problem during an outage is worth a line of its own: it is another one than that the server is away. */
export function isNews(next: QueueProblem, before: QueueProblem | null): boolean {
  return next.remedy !== before?.remedy && !AWAY.includes(next.remedy);
}

/** The queue is not connected. */
export class QueueUnavailableError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'QueueUnavailableError';
  }
}

/** The queue has not answered in time. */
export class LateAnswerError extends QueueUnavailableError {
  constructor(limitMs: number) {
    super(`the queue has not answered within ${limitMs} ms`);
    this.name = 'LateAnswerError';
  }
}
