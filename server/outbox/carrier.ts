import type { Delivery } from './delivery.ts';
import { createLeases } from './leases.ts';
import type { OutboxMessage } from './outbox-files.ts';

/** Where a message is: `delivered`; `dead`, a dead letter; or `elsewhere`, because others deliver it or it waits in the queue. */
export type Carried = 'delivered' | 'dead' | 'elsewhere';

/** Brings the messages of the folder to the backend: by itself, or through the queue that replicas share. */
export interface Carrier {
  /** The state of the queue; null without a queue. */
  readonly queue: QueueReport | null;
  /**
   * Starts the work that the folder does not ask for.
   *
   * @param onDelivered is called when this process has delivered a message of the queue.
   */
  begin(onDelivered: (id: string) => void): void;
  /** @returns whether others have a message, or remember its delivery. */
  knows(id: string): Promise<boolean>;
  /** Gives others a message that is safe on disk. Resolves when they have it, or after a time limit. Never rejects. */
  offer(id: string, message: OutboxMessage): Promise<void>;
  /** @returns whether this process may deal with a message now. */
  acquire(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
  /** Does what a waiting message needs next. Rejects when the backend has not accepted it. */
  carry(id: string, message: OutboxMessage, signal: AbortSignal): Promise<Carried>;
  /** @returns where dead letters are by now, of which others may have delivered or retried some. Only those that are no longer dead letters. */
  revived(ids: readonly string[]): Promise<ReadonlyMap<string, 'delivered' | 'elsewhere'>>;
  /** Removes what is too old. */
  removeExpired(): Promise<void>;
  /** Takes no further messages. Resolves when the deliveries in flight have ended; `close` then ends the rest. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** The state of the queue, for `/readyz` and the metrics. */
export interface QueueReport {
  readonly engine: 'redis' | 'postgres';
  readonly isUp: boolean;
  /** The fault and its remedy. Null while all is well. */
  readonly problem: { readonly reason: string; readonly remedy: string } | null;
  /** The messages by state, as they were counted last; empty while the queue is down. */
  readonly jobs: Readonly<Record<string, number>>;
}

/**
 * The carrier of a process without a queue. Processes that share the folder have leases.
 *
 * @param dir the folder `outbox`.
 * @param pace the number by which the times of leases are divided.
 */
export function createFolderCarrier(dir: string, delivery: Delivery, pace: number): Carrier {
  return {
    ...createLeases(dir, pace),
    queue: null,
    begin() {},
    knows: async () => false,
    async offer() {},
    async carry(id, message, signal) {
      await delivery.once(id, message, signal);
      return 'delivered';
    },
    revived: async () => new Map(),
    async removeExpired() {},
    async drain() {},
    async close() {},
  };
}
