import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import { type Delivery, statusOf } from '../delivery.ts';
import {
  DAY_MS,
  isMessageId,
  MAX_REMEMBERED,
  type OutboxFiles,
  type OutboxMessage,
  REMEMBERED_MS,
} from '../outbox-files.ts';
import { LONGEST_PAUSE_MS, nextAttempt } from '../schedule.ts';
import type { MessagePlace, Transport } from '../transport.ts';
import type { QueueLink } from './queue-link.ts';
import { attemptTimes, decodeJob, type JobProcessor, type MessageJob, NO_MESSAGE } from './queue-server.ts';

/** A visitor who sends a form waits at most this long for the queue. The message is already on disk. */
const OFFER_LIMIT_MS = 500;
const OFFER_AGAIN_MS = 50;
export const KEPT_WHEN_COMPLETED = {
  removeOnComplete: { age: REMEMBERED_MS / 1_000, count: MAX_REMEMBERED },
};
const REMOVED_AT_ONCE = 1_000;

interface QueueTransportOptions {
  link: QueueLink;
  files: Pick<OutboxFiles, 'noteDelivered'>;
  delivery: Delivery;
  /** Whether the site itself could have put the fields into its outbox. */
  isMessage(fields: OutboxMessage['message']): boolean;
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
      link.work(createJobProcessor(options, stopped.signal), onDelivered);
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

/** Makes one attempt to deliver the message of a job, by the same rules as without a queue. */
function createJobProcessor(options: QueueTransportOptions, signal: AbortSignal): JobProcessor {
  const { delivery, isMessage, pace, log, link } = options;
  const { UnrecoverableError, WaitingError } = link.engine;

  /** @throws an error that makes BullMQ retry or give up. It quotes nothing from the message. */
  async function failed(job: MessageJob, since: number, error: unknown): Promise<never> {
    const now = steadyNow();
    const { id = '', attemptsMade: attempts } = job;
    const next = delivery.failed(id, error, () => nextAttempt({ since, attempts }, now, Math.random(), pace));
    const status = statusOf(error);
    const reason = status === null ? 'The CMS has not answered' : `The CMS has answered ${status}`;
    if (next === null) throw new UnrecoverableError(reason);
    await job.updateProgress({ since, dueAt: now + next.delayMs });
    throw new Error(reason);
  }

  return async (job, token) => {
    const { id = '' } = job;
    const message = decodeJob(job.data);
    if (message === null) return;
    if (message === undefined || !isMessageId(id) || !isMessage(message.message)) {
      log.error({ code: 'outbox-job-refused', id }, 'outbox: a job of another program becomes a dead letter');
      throw new UnrecoverableError('The job holds no message');
    }
    const times = attemptTimes(job);
    const lateMs = steadyNow() - times.dueAt;
    const since = times.since + (lateMs > LONGEST_PAUSE_MS ? lateMs : 0);
    try {
      await delivery.once(id, message, signal);
    } catch (error) {
      if (!signal.aborted) return failed(job, since, error);
      // Return the job: this process is stopping, and another one makes the attempt at once.
      await job.moveToWait(token);
      throw new WaitingError();
    }
    // Remove the message's text from the queue. The job's id stays, as the mark of the delivery.
    await job
      .updateData(NO_MESSAGE)
      .catch(error =>
        log.debug(
          { code: 'outbox-job-not-emptied', err: error, id },
          'outbox: the text of a delivered message could not be removed from the queue',
        ),
      );
  };
}
