import { setTimeout as delay } from 'node:timers/promises';
import { statusesOf } from '../client.ts';
import { type Fault, RUBBISH, revisionIn } from '../faulty-backend.ts';
import { askAll, onStage, type StageSizes, untilNone } from '../stage.ts';
import { startTraffic } from '../traffic.ts';

export interface RubbishSizes extends StageSizes {
  perSecond: number;
  /** How long the backend sends each kind. */
  eachMs: number;
  timeoutMs: number;
  /** Pages that are asked for the first time during each kind. */
  unseenEach: number;
  recoverWithinMs: number;
}

export interface RubbishOutcome {
  fault: Fault;
  /** Visits of seen pages that were not answered with 200. */
  failed: number;
  /** Seen pages that do not show what they did before. */
  spoilt: number;
  /** Pages that were asked for the first time. */
  unseen: Record<number, number>;
  /** Spoilt pages that are still wrong once the backend is up. */
  stillWrong: number;
}

/** Fault 5: the backend sends everything but what was asked for. */
export function rubbish(sizes: RubbishSizes): Promise<RubbishOutcome[]> {
  const { perSecond, eachMs, timeoutMs, unseenEach, recoverWithinMs } = sizes;
  return onStage(
    { ...sizes, unseen: unseenEach * RUBBISH.length },
    { env: { CONTENT_TIMEOUT_MS: String(timeoutMs) } },
    async ({ backend, site, seen, unseen }) => {
      const outcomes: RubbishOutcome[] = [];
      for (const [index, fault] of RUBBISH.entries()) {
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
          spoilt: seenReplies.filter(({ status, text }) => status !== 200 || revisionIn(text) !== 1).length,
          unseen: statusesOf(firstReplies),
          stillWrong: left,
        });
      }
      return outcomes;
    },
  );
}
