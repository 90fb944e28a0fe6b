import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startBuiltSite } from '../built-site.ts';
import { statusesOf } from '../client.ts';
import { revisionIn } from '../faulty-backend.ts';
import { askAll, onStage, type StageSizes, writtenToDisk } from '../stage.ts';

export interface RestartSizes extends StageSizes {
  /** Time from the last response to the kill. Entries are written to disk after the responses. */
  settleMs: number;
  /**
   * Whether the second process has another PUBLIC_URL. Stored pages are then useless, and pages are rendered
   * from stored content.
   */
  renamed: boolean;
}

export interface RestartOutcome {
  statuses: Record<number, number>;
  /** Pages with the content from before the outage. */
  good: number;
  /** Pages whose `Cache-Status` says that they are stale. */
  markedStale: number;
  /** Time from the start of the second process until all pages were answered. */
  answeredAfterMs: number;
  /** Time of the first renders of all pages, before the kill: what this machine can do. */
  filledMs: number;
}

/** Fault 2: the process is killed, and another starts while the backend refuses connections. */
export async function restart(sizes: RestartSizes): Promise<RestartOutcome> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'restart-'));
  try {
    return await onStage(sizes, { dataDir, env: { PUBLIC_URL: 'https://www.example.com' } }, async stage => {
      const { backend, seen } = stage;
      await delay(sizes.settleMs);
      await writtenToDisk(dataDir);
      await backend.fail('refuse');
      await stage.site.end('SIGKILL');
      await stage.site.dispose();
      // Waits until the stored pages are stale.
      await delay(sizes.ttlMs);
      const startedAt = performance.now();
      stage.site = await startBuiltSite({
        contentBaseUrl: backend.url,
        dataDir,
        env: {
          CONTENT_TTL_MS: String(sizes.ttlMs),
          PUBLIC_URL: sizes.renamed ? 'https://other.example.com' : 'https://www.example.com',
        },
      });
      const replies = await askAll(stage.site.url, seen);
      return {
        statuses: statusesOf(replies),
        good: replies.filter(({ text }) => revisionIn(text) === 1).length,
        markedStale: replies.filter(({ headers }) => /; ttl=-/.test(String(headers['cache-status']))).length,
        answeredAfterMs: performance.now() - startedAt,
        filledMs: stage.filledMs,
      };
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
