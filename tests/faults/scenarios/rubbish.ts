import { setTimeout as delay } from 'node:timers/promises';
import { statusesOf } from '../client.ts';
import { type Fault, revisionIn } from '../faulty-backend.ts';
import { askAll, onStage, type StageSizes, untilNone } from '../stage.ts';
import { startTraffic } from '../traffic.ts';

export interface RubbishSizes extends StageSizes {
  faults: readonly Fault[];
  perSecond: number;
  /** Duration of each fault. */
  eachMs: number;
  timeoutMs: number;
  /** Pages requested for the first time during each fault. */
  unseenEach: number;
  recoverWithinMs: number;
}

export interface RubbishOutcome {
  fault: Fault;
  /** Visits to stored pages that were not answered with 200. */
  failed: number;
  /** Stored pages that have changed. */
  changed: number;
  /** Statuses of pages requested for the first time. */
  unseen: Record<number, number>;
  /** Pages of `unseen` that are still wrong after the fault. */
  stillWrong: number;
}

/** Fault 5: the backend sends invalid responses of several kinds. */
export function rubbish(sizes: RubbishSizes): Promise<RubbishOutcome[]> {
  const { faults, perSecond, eachMs, timeoutMs, unseenEach, recoverWithinMs } = sizes;
  return onStage(
    { ...sizes, unseen: unseenEach * faults.length },
    { env: { CONTENT_TIMEOUT_MS: String(timeoutMs) } },
    async ({ backend, site, seen, unseen }) => {
      const outcomes: RubbishOutcome[] = [];
      for (const [index, fault] of faults.entries()) {
        const first = unseen.slice(index * unseenEach, (index + 1) * unseenEach);
        await backend.fail(fault);
        const traffic = startTraffic(site.url, seen, perSecond);
        await delay(eachMs / 2);
        const firstReplies = await askAll(site.url, first);
        await delay(eachMs / 2);
        await traffic.stop();
        const seenReplies = await askAll(site.url, seen);
        await backend.fail(null);
        const { left } = await untilNone(async () => {
          const replies = await askAll(site.url, first);
          return replies.filter(({ status, text }) => status !== 200 || revisionIn(text) !== 1).length;
        }, recoverWithinMs);
        outcomes.push({
          fault,
          failed: traffic.visits.filter(({ status }) => status !== 200).length,
          changed: seenReplies.filter(({ status, text }) => status !== 200 || revisionIn(text) !== 1).length,
          unseen: statusesOf(firstReplies),
          stillWrong: left,
        });
      }
      return outcomes;
    },
  );
}
