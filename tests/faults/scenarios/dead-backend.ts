import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startBuiltSite } from '../built-site.ts';
import { askAnyway } from '../client.ts';
import { type Fault, revisionIn } from '../faulty-backend.ts';
import { askAll, onStage, type StageSizes, untilNone, writtenToDisk } from '../stage.ts';
import { startTraffic, type Visit } from '../traffic.ts';

export interface DeadBackendSizes extends StageSizes {
  perSecond: number;
  /** Duration of each fault. */
  eachMs: number;
  /** Messages that visitors send during a fault, half of them before the kill. */
  messages: number;
  recoverWithinMs: number;
}

export interface DeadBackendOutcome {
  fault: Fault;
  visits: number;
  /** Visits not answered with 200, except those that the kill cut off. */
  failed: number;
  cut: number;
  /** Stored pages whose responses differ in the second process. */
  changed: number;
  /** Messages of visitors that were not acknowledged, and acknowledged messages that were not delivered. */
  refused: number;
  lost: number;
  /** Messages that were delivered more than once. */
  repeated: number;
  /** Pages that do not show the new content after the fault. */
  old: number;
}

/**
 * Fault 13: a long fault of the backend, with constant visitors. Halfway the process is killed (SIGKILL), and
 * another starts on its folder.
 */
export async function deadBackend(fault: Fault, sizes: DeadBackendSizes): Promise<DeadBackendOutcome> {
  const { ttlMs, perSecond, eachMs, messages, recoverWithinMs } = sizes;
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'dead-backend-'));
  const env = {
    CONTENT_TTL_MS: String(ttlMs),
    CONTENT_TIMEOUT_MS: '2500',
    FORM_RATE_LIMIT: '1000',
    PUBLIC_URL: 'https://www.example.com',
  };
  const sent: { email: string; status: number }[] = [];

  /**
   * Visits pages and sends messages for a time, and then calls `end`, which ends the process.
   * @returns the visits.
   */
  async function half(url: string, seen: readonly string[], end: () => Promise<unknown>): Promise<Visit[]> {
    const traffic = startTraffic(url, seen, perSecond);
    const count = messages / 2;
    for (let index = 0; index < count; index += 1) {
      const words = { form: 'subscribe', email: `${randomUUID()}@example.com` };
      const { status } = await askAnyway(url, '/api/email/send', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(words),
      });
      sent.push({ email: words.email, status });
      await delay(eachMs / 2 / count);
    }
    await end();
    await traffic.stop();
    return [...traffic.visits];
  }

  try {
    return await onStage(sizes, { dataDir, env }, async stage => {
      const { backend, seen } = stage;
      // The process writes entries after its responses.
      await writtenToDisk(dataDir);
      await delay(ttlMs + 1_000);
      await backend.fail(fault);
      for (const article of backend.articles) article.revision = 2;
      let killedAt = Number.POSITIVE_INFINITY;
      const before = await half(stage.site.url, seen, async () => {
        killedAt = performance.now();
        await stage.site.end('SIGKILL');
      });
      await stage.site.dispose();
      stage.site = await startBuiltSite({ contentBaseUrl: backend.url, dataDir, env });
      const changed = (await askAll(stage.site.url, seen)).filter(
        ({ text }) => revisionIn(text) !== 1,
      ).length;
      const after = await half(stage.site.url, seen, () => backend.fail(null));

      const fresh = await untilNone(async () => {
        const replies = await askAll(stage.site.url, seen);
        return replies.filter(({ text }) => revisionIn(text) !== 2).length;
      }, recoverWithinMs);
      const acknowledged = sent.filter(({ status }) => status === 202);
      const delivered = await untilNone(
        async () => acknowledged.filter(({ email }) => !backend.emails.has(email)).length,
        recoverWithinMs,
      );
      const isCut = ({ status, at, ms }: Visit) => status === 0 && at + ms >= killedAt;
      const visits = [...before.filter(visit => !isCut(visit)), ...after];
      return {
        fault,
        visits: visits.length,
        failed: visits.filter(({ status }) => status !== 200).length,
        cut: before.filter(isCut).length,
        changed,
        refused: sent.length - acknowledged.length,
        lost: delivered.left,
        repeated: [...backend.emails.values()].filter(times => times > 1).length,
        old: fresh.left,
      };
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
