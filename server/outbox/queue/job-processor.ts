import type { Logger } from '../../ops/log.ts';
import { steadyNow } from '../../ops/steady-clock.ts';
import { type Delivery, statusOf } from '../delivery.ts';
import { isMessageId, type OutboxMessage } from '../outbox-files.ts';
import { LONGEST_PAUSE_MS, nextAttempt } from '../schedule.ts';
import {
  attemptTimes,
  decodeJob,
  type JobProcessor,
  type MessageJob,
  NO_MESSAGE,
  type QueueEngine,
} from './queue-server.ts';

export interface JobProcessorOptions {
  engine: Pick<QueueEngine, 'UnrecoverableError' | 'WaitingError'>;
  delivery: Delivery;
  /** Whether the site itself could have put the fields into its outbox. */
  isMessage(fields: OutboxMessage['message']): boolean;
  pace: number;
  log: Logger;
  signal: AbortSignal;
}

/** Makes one attempt to deliver the message of a job, by the same rules as without a queue. */
export function createJobProcessor(options: JobProcessorOptions): JobProcessor {
  const { engine, delivery, isMessage, pace, log, signal } = options;

  /** @throws the error by which BullMQ tries again or gives up. The error quotes no message. */
  async function failed(job: MessageJob, since: number, error: unknown): Promise<never> {
    const now = steadyNow();
    const { id = '', attemptsMade: attempts } = job;
    const next = delivery.failed(id, error, () => nextAttempt({ since, attempts }, now, Math.random(), pace));
    const status = statusOf(error);
    const reason = status === null ? 'The CMS has not answered' : `The CMS has answered ${status}`;
    if (next === null) throw new engine.UnrecoverableError(reason);
    await job.updateProgress({ since, dueAt: now + next.delayMs });
    throw new Error(reason);
  }

  return async (job, token) => {
    const { id = '' } = job;
    const message = decodeJob(job.data);
    if (message === null) return;
    if (message === undefined || !isMessageId(id) || !isMessage(message.message)) {
      log.error({ code: 'outbox-job-refused', id }, 'outbox: a job of another program becomes a dead letter');
      throw new engine.UnrecoverableError('The job holds no message');
    }
    const times = attemptTimes(job);
    const lateMs = steadyNow() - times.dueAt;
    const since = times.since + (lateMs > LONGEST_PAUSE_MS ? lateMs : 0);
    try {
      await delivery.once(id, message, signal);
    } catch (error) {
      if (!signal.aborted) return failed(job, since, error);
      // This process stops, so another one makes the attempt at once.
      await job.moveToWait(token);
      throw new engine.WaitingError();
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
