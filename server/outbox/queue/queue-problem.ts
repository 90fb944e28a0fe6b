import { ConfigError } from '../../config/config.ts';
import { NamedError } from '../../ops/named-error.ts';
import { AWAY_FAULTS, errorText, faultOf, remediesFor } from '../../shared-store/server-fault.ts';

export interface QueueProblem {
  readonly reason: string;
  readonly remedy: string;
}

const REMEDIES = {
  ...remediesFor('the server of the queue', 'OUTBOX_URL'),
  rights: 'give the user of OUTBOX_URL all commands and the keys site:*',
  full: 'raise maxmemory of the Redis, or give the queue a Redis of its own',
};
const AWAY: readonly string[] = AWAY_FAULTS.map(fault => REMEDIES[fault]);

const POSTGRES_REMEDIES: readonly (readonly [sign: RegExp, remedy: string])[] = [
  [/permission denied/i, 'let the user of OUTBOX_URL create the schema bullmq, or create it for that user'],
  [/database "[^"]*" does not exist/i, 'create the database that OUTBOX_URL names'],
];

/** Describes an error for the log and `/readyz`, without texts of messages or passwords. */
export function queueProblem(error: unknown): QueueProblem {
  if (error instanceof ConfigError)
    return { reason: error.problems.join(' '), remedy: 'do what the reason says' };
  const reason = error instanceof Error ? errorText(error) : String(error);
  const special = POSTGRES_REMEDIES.find(([sign]) => sign.test(reason))?.[1];
  return { reason, remedy: special ?? REMEDIES[faultOf(reason)] };
}

/** The kind of a problem that is logged even during an outage; undefined if the server is only down. */
export function newsOf({ remedy }: QueueProblem): string | undefined {
  return AWAY.includes(remedy) ? undefined : remedy;
}

export function isUserRefused({ remedy }: QueueProblem): boolean {
  return remedy === REMEDIES.user;
}

export class QueueUnavailableError extends NamedError {}

export class LateAnswerError extends QueueUnavailableError {
  constructor(limitMs: number) {
    super(`the queue has not answered within ${limitMs} ms`);
  }
}
