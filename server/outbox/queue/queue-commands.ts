import { steadyNow } from '../../ops/steady-clock.ts';
import type { OutboxMessage } from '../outbox-files.ts';
import { JOB_STATES, type QueueLink } from './queue-link.ts';
import { decodeJob, type MessageJob, type MessageQueue, NO_MESSAGE } from './queue-server.ts';
import { KEPT_WHEN_COMPLETED } from './queue-transport.ts';

const MAX_JOBS = 20_000;

const STATES = { wait: 'waiting', active: 'active', delayed: 'delayed', failed: 'dead' } as const;

export interface QueueEntry {
  id: string;
  state: (typeof STATES)[keyof typeof STATES];
  attempts: number;
  /** Null for an erased message whose job has not run yet; undefined for a job that cannot be read. */
  message: OutboxMessage | null | undefined;
}

export type QueueCommands = ReturnType<typeof createQueueCommands>;

export function createQueueCommands(link: Pick<QueueLink, 'read' | 'write'>, name: string) {
  const jobOf = (queue: MessageQueue, id: string) => queue.getJob(id) as Promise<MessageJob | undefined>;

  /** @returns false for a job that is active or completed. */
  async function makeDue(queue: MessageQueue, job: MessageJob): Promise<boolean> {
    const state = await queue.getJobState(job.id ?? '');
    if (state === 'failed') await job.retry('failed', { resetAttemptsMade: true });
    else if (state === 'delayed') await job.promote();
    return state === 'failed' || state === 'delayed' || state === 'waiting';
  }

  return {
    name,

    /** Whether a site has ever used the queue. Otherwise a mistyped name would look like an empty queue. */
    hasSite: () =>
      link.read(async queue => {
        // A site writes the version when it starts. If the server has lost its data since, only jobs or
        // connections reveal the site.
        if ((await queue.getVersion()) !== null) return true;
        const jobs = await queue.getJobCounts(...JOB_STATES);
        if (Object.values(jobs).some(count => count > 0)) return true;
        // A server may hide its connections.
        return (await queue.getWorkersCount().catch(() => 0)) > 0;
      }),

    async list(): Promise<QueueEntry[]> {
      const entries: QueueEntry[] = [];
      for (const [kind, state] of Object.entries(STATES)) {
        const jobs = await link.read(queue => queue.getJobs(kind as keyof typeof STATES, 0, MAX_JOBS));
        for (const { id = '', data, attemptsMade } of jobs.filter(job => job !== undefined))
          entries.push({ id, state, attempts: attemptsMade, message: decodeJob(data) });
      }
      return entries;
    },

    countDelivered: async () => (await link.read(queue => queue.getJobCounts('completed'))).completed ?? 0,

    /** Tries the delivery for another 24 hours. @returns false during a delivery, and without the message. */
    retry: (id: string) =>
      link.write(async queue => {
        const job = await jobOf(queue, id);
        if (!job || !decodeJob(job.data)) return false;
        const now = steadyNow();
        await job.updateProgress({ since: now, dueAt: now });
        return makeDue(queue, job);
      }),

    knows: (id: string) => link.read(async queue => (await queue.getJobState(id)) !== 'unknown'),

    /** Removes the text and completes the job. Then every replica removes the message from its disk. */
    erase: (id: string) =>
      link.write(async (queue): Promise<'erased' | 'delivered' | 'absent'> => {
        const job = await jobOf(queue, id);
        if (!job) {
          // Add a job without text, so that a replica with the message on disk removes it.
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
