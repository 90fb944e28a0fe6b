import * as z from 'zod';
import { parseSharedAddress, type SharedAddress } from '../../shared-state/shared-address.ts';

/** The server that has the queue. */
export type QueueAddress =
  | { readonly engine: 'redis'; readonly redis: SharedAddress }
  /** `url` has the credentials. */
  | { readonly engine: 'postgres'; readonly url: string };

/** The queue by which replicas share the delivery of messages. */
export interface QueueConfig {
  readonly address: QueueAddress;
  /** Sites that share a server have queues of different names. */
  readonly name: string;
  /** Whether a Redis is used that does not tell its `maxmemory-policy`. */
  readonly isTrusted: boolean;
}

/** The variable OUTBOX_URL. */
export const queueAddress = z.string().transform((value, context): QueueAddress => {
  const redis = /^redis/.test(value) ? parseSharedAddress(value) : null;
  if (redis) return Object.freeze({ engine: 'redis', redis });
  const url = URL.parse(value);
  if (url && /^postgres(?:ql)?:$/.test(url.protocol) && url.hostname && url.pathname.length > 1)
    return Object.freeze({ engine: 'postgres', url: value });
  const message = 'wants an address such as redis://user:password@host:6379/0, rediss://host:6379';
  context.addIssue({ code: 'custom', message: `${message} or postgres://user:password@host:5432/database` });
  return z.NEVER;
});

/** The variable OUTBOX_QUEUE. */
export const queueName = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'wants letters, digits, dots, hyphens and underscores, 100 at most');

/** The variables that say which queue is used, decoded. */
export interface QueueVariables {
  OUTBOX_URL?: QueueAddress | undefined;
  OUTBOX_QUEUE?: string | undefined;
  OUTBOX_TRUST: boolean;
  PUBLIC_URL?: string | undefined;
}

/** @returns the queue. By default it is named after the site's host, so that staging and production on one server have two. */
export function queueConfig({
  OUTBOX_URL: address,
  OUTBOX_QUEUE: name,
  OUTBOX_TRUST: isTrusted,
  PUBLIC_URL: publicUrl,
}: QueueVariables): QueueConfig | null {
  if (!address) return null;
  const host = URL.parse(publicUrl ?? '')?.host.replaceAll(/[^\w.-]/g, '-');
  return Object.freeze({ address, name: name ?? (host ? `outbox-${host}` : 'outbox'), isTrusted });
}
