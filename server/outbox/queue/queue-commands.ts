import { steadyNow } from '../../ops/steady-clock.ts';
import type { OutboxMessage } from '../outbox-files.ts';
import { KEPT_WHEN_COMPLETED } from './queue-carrier.ts';
import { JOB_STATES, type QueueLink } from './queue-link.ts';
import type { MessageJob, MessageQueue } from './queue-server.ts';
import { decodeJob, NO_MESSAGE } from './queued-message.ts';

/** The most jobs of each state that the command looks at. */
const MAX_JOBS = 20_000;

/** The states of messages that have not been delivered, in the words of `npm run outbox`. */
const STATES = { wait: 'waiting', active: 'active', delayed: 'delayed', failed: 'dead' } as const;

/** A message of the queue that has not been delivered. */
export interface QueueEntry {
  id: string;
  state: (typeof STATES)[keyof typeof STATES];
  /** How often it has been tried. */
  attempts: number;
  /** Null for an erased message, whose job has not come to its turn; undefined for a job that cannot be read. */
  message: OutboxMessage | null | undefined;
}

/** The part of `npm run outbox` that concerns the queue. */
export interface QueueCommands {
  /** The name of the queue. */
  readonly name: string;
  /** @returns whether a site uses the queue, or has used it. A queue of a mistyped name would be empty, and a command on it change nothing. */
  hasSite(): Promise<boolean>;
  list(): Promise<QueueEntry[]>;
  /** @returns how many messages have been delivered and are remembered. */
  countDelivered(): Promise<number>;
  /** Lets a message be tried at once, and for another 24 hours. @returns false when it is being delivered, or has gone. */
  retry(id: string): Promise<boolean>;
  /** @returns whether the queue knows the message, also as a delivered one. */
  knows(id: string): Promise<boolean>;
  /**
   * Takes the words of a message out of the queue. Its job stays and is completed without a delivery: by that every replica learns to remove
   * the message from its disk, and does not add it again.
   *
   * @returns `delivered` where the queue only remembers the delivery, and `absent` where it knew nothing of the message.
   */
  erase(id: string): Promise<'erased' | 'delivered' | 'absent'>;
}

export function createQueueCommands(link: Pick<QueueLink, 'read' | 'write'>, name: string): QueueCommands {
  const jobOf = (queue: MessageQueue, id: string) => queue.getJob(id) as Promise<MessageJob | undefined>;

  /** Makes a job that does not run wait for its turn. @returns false for a job that is active or completed. */
  async function makeDue(queue: MessageQueue, job: MessageJob): Promise<boolean> {
    const state = await queue.getJobState(job.id ?? '');
    if (state === 'failed') await job.retry('failed', { resetAttemptsMade: true });
    else if (state === 'delayed') await job.promote();
    return state === 'failed' || state === 'delayed' || state === 'waiting';
  }

  return {
    name,

    hasSite: () =>
      link.read(async queue => {
        // A site writes the version when it starts. A server that was flushed since has only the site's connections, or new jobs.
        if ((await queue.getVersion()) !== null) return true;
        const jobs = await queue.getJobCounts(...JOB_STATES);
        if (Object.values(jobs).some(count => count > 0)) return true;
        // A server may not tell of its connections.
        return (await queue.getWorkersCount().catch(() => 0)) > 0;
      }),

    async list() {
      const entries: QueueEntry[] = [];
      for (const [kind, state] of Object.entries(STATES)) {
        const jobs = await link.read(queue => queue.getJobs(kind as keyof typeof STATES, 0, MAX_JOBS));
        for (const { id = '', data, attemptsMade } of jobs.filter(job => job !== undefined))
          entries.push({ id, state, attempts: attemptsMade, message: decodeJob(data) });
      }
      return entries;
    },

    countDelivered: async () => (await link.read(queue => queue.getJobCounts('completed'))).completed ?? 0,

    retry: id =>
      link.write(async queue => {
        const job = await jobOf(queue, id);
        if (!job || !decodeJob(job.data)) return false;
        const now = steadyNow();
        await job.updateProgress({ since: now, dueAt: now });
        return makeDue(queue, job);
      }),

    knows: id => link.read(async queue => (await queue.getJobState(id)) !== 'unknown'),

    erase: id =>
      link.write(async queue => {
        const job = await jobOf(queue, id);
        if (!job) {
          // Another replica may have the message on its disk alone.
          await queue.add('message', NO_MESSAGE, { ...KEPT_WHEN_COMPLETED, jobId: id });
          return 'absent';
        }
        if ((await queue.getJobState(id)) === 'completed') return 'delivered';
        await job.updateData(NO_MESSAGE);
        await makeDue(queue, job);
        return 'erased';
      }),
  };
}
