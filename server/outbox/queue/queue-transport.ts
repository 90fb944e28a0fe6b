import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import type { Delivery } from '../delivery.ts';
import {
  DAY_MS,
  MAX_REMEMBERED,
  type OutboxFiles,
  type OutboxMessage,
  REMEMBERED_MS,
} from '../outbox-files.ts';
import type { MessagePlace, Transport } from '../transport.ts';
import { createJobProcessor, type JobProcessorOptions } from './job-processor.ts';
import type { QueueLink } from './queue-link.ts';

/** A sender waits this long for the queue. The message is safe on disk meanwhile. */
const OFFER_LIMIT_MS = 500;
const OFFER_AGAIN_MS = 50;
export const KEPT_WHEN_COMPLETED = {
  removeOnComplete: { age: REMEMBERED_MS / 1_000, count: MAX_REMEMBERED },
};
const REMOVED_AT_ONCE = 1_000;

export interface QueueTransportOptions extends Pick<JobProcessorOptions, 'isMessage'> {
  link: QueueLink;
  files: Pick<OutboxFiles, 'noteDelivered'>;
  delivery: Delivery;
  deadLetterDays: number;
  pace: number;
  log: Logger;
}

/** A file stays in the folder until its job is completed. A lost job is added again from the file. */
export function createQueueTransport(options: QueueTransportOptions): Transport {
  const { link, files, deadLetterDays, log } = options;
  const stopped = new AbortController();
  const given = new Set<string>();

  /** Adds a job. A job with the same id, even a completed one, stays unchanged. */
  async function add(id: string, message: OutboxMessage): Promise<void> {
    await link.write(queue =>
      queue.add('message', message, {
        jobId: id,
        timestamp: steadyNow(),
        ...KEPT_WHEN_COMPLETED,
        removeOnFail: { age: (deadLetterDays * DAY_MS) / 1_000 },
      }),
    );
    given.add(id);
  }

  async function stateOf(id: string): Promise<MessagePlace | 'absent'> {
    const state = await link.read(queue => queue.getJobState(id));
    if (state === 'unknown') return 'absent';
    if (state === 'completed') return 'delivered';
    return state === 'failed' ? 'dead' : 'elsewhere';
  }

  return {
    get queue() {
      return link.report;
    },

    begin(onDelivered) {
      link.work(createJobProcessor({ ...options, engine: link.engine, signal: stopped.signal }), onDelivered);
    },

    async knows(id) {
      return link.report.isUp && (await stateOf(id).catch(() => 'absent')) !== 'absent';
    },

    async offer(id, message) {
      const until = performance.now() + OFFER_LIMIT_MS;
      const over = delay(OFFER_LIMIT_MS, 'over' as const, { ref: false });
      const attempt = () =>
        add(id, message).then(
          () => 'added' as const,
          () => 'failed' as const,
        );
      while ((await Promise.race([attempt(), over])) === 'failed' && performance.now() < until)
        await Promise.race([delay(OFFER_AGAIN_MS), over]);
    },

    acquire: async () => true,
    async release() {},

    async forward(id, message) {
      // The link itself detects when the queue can be used again.
      if (!link.report.isUp) return 'elsewhere';
      const state = await stateOf(id).catch(() => 'elsewhere' as const);
      if (state === 'delivered') await files.noteDelivered(id);
      if (state === 'delivered' || state === 'dead') given.delete(id);
      if (state !== 'absent') return state;
      if (given.has(id))
        log.warn(
          { code: 'outbox-queue-lost', id },
          'outbox: the queue has lost a message, which is added again',
        );
      await add(id, message).catch(() => {});
      return 'elsewhere';
    },

    async revived(ids) {
      const states = new Map<string, 'delivered' | 'elsewhere'>();
      if (!link.report.isUp) return states;
      for (const id of ids) {
        const state = await stateOf(id).catch(() => 'absent');
        if (state === 'delivered' || state === 'elsewhere') states.set(id, state);
      }
      return states;
    },

    async removeExpired() {
      // BullMQ removes old jobs only when another job ends.
      const clean = (ageMs: number, state: 'completed' | 'failed') =>
        link.write(queue => queue.clean(ageMs, REMOVED_AT_ONCE, state)).catch(() => []);
      await clean(REMEMBERED_MS, 'completed');
      const removed = await clean(deadLetterDays * DAY_MS, 'failed');
      if (removed.length > 0)
        log.warn(
          { code: 'outbox-expired', removed: removed.length },
          'outbox: expired dead letters were removed from the queue',
        );
    },

    drain: () => link.drain(),
    async close() {
      stopped.abort();
      await link.close();
    },
  };
}
