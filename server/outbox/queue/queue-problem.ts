import { ConfigError } from '../../config.ts';

/** Why the queue cannot be used, and what to do about it. */
export interface QueueProblem {
  readonly reason: string;
  readonly remedy: string;
}

const UNREACHABLE =
  'look whether the server of the queue runs, and whether OUTBOX_URL names its host and port';
const LATE = 'look at the load of the server of the queue, and at the network between it and the site';
const LOADING = 'wait until the Redis has read its file';
/** A server that goes and comes back is met in all of these states. */
const AWAY: readonly string[] = [UNREACHABLE, LATE, LOADING];

/** Remedies by what the error says, the first that fits. */
const REMEDIES: readonly (readonly [sign: RegExp, remedy: string])[] = [
  [/^WRONGPASS|^NOAUTH|invalid username-password|password/i, 'give OUTBOX_URL a valid user and password'],
  [/^NOPERM/, 'give the user of OUTBOX_URL all commands and the keys site:*'],
  [/^OOM/, 'raise maxmemory of the Redis, or give the queue a Redis of its own'],
  [/^READONLY/, 'OUTBOX_URL leads to a replica: name the primary, or the Sentinels'],
  [/^MISCONF/, 'the Redis cannot write its snapshot: look at its disk'],
  [/^LOADING/, LOADING],
  [/permission denied/i, 'let the user of OUTBOX_URL create the schema bullmq, or create it for that user'],
  [/database "[^"]*" does not exist/i, 'create the database that OUTBOX_URL names'],
  [
    /certificate|TLS|SSL/i,
    'look at the certificate of the server: NODE_EXTRA_CA_CERTS names others to trust',
  ],
  [/ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|closed|writeable|terminat/i, UNREACHABLE],
];

/** @returns what the log and `/readyz` say of an error of the queue. It has no word of a message, nor a password. */
export function queueProblem(error: unknown): QueueProblem {
  if (error instanceof ConfigError)
    return { reason: error.problems.join(' '), remedy: 'do what the reason says' };
  const reason = error instanceof Error ? causeOf(error) : String(error);
  return { reason, remedy: REMEDIES.find(([sign]) => sign.test(reason))?.[1] ?? LATE };
}

/** @returns whether a problem during an outage is worth a line of its own: it is another one than that the server is away. */
export function isNews(next: QueueProblem, before: QueueProblem | null): boolean {
  return next.remedy !== before?.remedy && !AWAY.includes(next.remedy);
}

/** An error without a text of its own, such as that of a host with several addresses, has a code. */
function causeOf(error: Error): string {
  return error.message || ('code' in error ? String(error.code) : error.name);
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
