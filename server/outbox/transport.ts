import type { Delivery } from './delivery.ts';
import { createLeases } from './leases.ts';
import type { OutboxMessage } from './outbox-files.ts';

/** Where a message is. `elsewhere`: others deliver it, or it waits in the queue. */
export type MessagePlace = 'delivered' | 'dead' | 'elsewhere';

/** Brings the messages of the folder to the backend: by itself, or through the queue that replicas share. */
export interface Transport {
  readonly queue: QueueReport | null;
  /** @param onDelivered called for each delivery from the queue. */
  begin(onDelivered: (id: string) => void): void;
  /** Whether others have a message, or remember its delivery. */
  knows(id: string): Promise<boolean>;
  /** Resolves when others have the message, which is safe on disk, or after a time limit. Never rejects. */
  offer(id: string, message: OutboxMessage): Promise<void>;
  /** Whether this process may deal with a message now. */
  acquire(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
  /** Does what a waiting message needs next. Rejects when the backend has not accepted it. */
  forward(id: string, message: OutboxMessage, signal: AbortSignal): Promise<MessagePlace>;
  /** Where dead letters are that others have delivered or retried. The rest is left out. */
  revived(ids: readonly string[]): Promise<ReadonlyMap<string, 'delivered' | 'elsewhere'>>;
  removeExpired(): Promise<void>;
  /** Resolves when the deliveries in flight have ended. `close` ends the rest. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** For `/readyz` and the metrics. */
export interface QueueReport {
  readonly engine: 'redis' | 'postgres';
  readonly isUp: boolean;
  /** Null while all is well. */
  readonly problem: { readonly reason: string; readonly remedy: string } | null;
  /** The messages by state, as last counted; empty while the queue is down. */
  readonly jobs: Readonly<Record<string, number>>;
}

/** For a process without a queue. @param pace the number by which the times of leases are divided. */
export function createFolderTransport(dir: string, delivery: Delivery, pace: number): Transport {
  return {
    ...createLeases(dir, pace),
    queue: null,
    begin() {},
    knows: async () => false,
    async offer() {},
    async forward(id, message, signal) {
      await delivery.once(id, message, signal);
      return 'delivered';
    },
    revived: async () => new Map(),
    async removeExpired() {},
    async drain() {},
    async close() {},
  };
}
