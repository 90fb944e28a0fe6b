import type { Delivery } from './delivery.ts';
import { createLeases } from './leases.ts';
import type { OutboxMessage } from './outbox-files.ts';
import type { QueueProblem } from './queue/queue-problem.ts';

/** Where a message is. `elsewhere`: another process delivers the message, or the queue has it. */
export type MessagePlace = 'delivered' | 'dead' | 'elsewhere';

/** Delivers messages of the folder to the backend, directly or through the queue that replicas share. */
export interface Transport {
  readonly queue: QueueReport | null;
  begin(onDelivered: (id: string) => void): void;
  knows(id: string): Promise<boolean>;
  /**
   * Adds a message to the queue. The message is already safe on disk. Resolves at the time limit at the
   * latest, even if the message was not added.
   */
  offer(id: string, message: OutboxMessage): Promise<void>;
  acquire(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
  /** Delivers a waiting message, or checks its state in the queue. Rejects after a failed delivery. */
  forward(id: string, message: OutboxMessage, signal: AbortSignal): Promise<MessagePlace>;
  /** @returns the dead letters that other processes have delivered or retried, with their places. */
  revived(ids: readonly string[]): Promise<ReadonlyMap<string, 'delivered' | 'elsewhere'>>;
  removeExpired(): Promise<void>;
  /** Resolves when the deliveries in flight have ended. `close` ends the rest. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface QueueReport {
  readonly engine: 'redis' | 'postgres';
  readonly isUp: boolean;
  readonly problem: QueueProblem | null;
  /** The number of messages in each state, as last counted; empty while the queue is down. */
  readonly jobs: Readonly<Record<string, number>>;
}

/** The transport of a process without a queue. @param pace divides the times of leases, for tests. */
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
