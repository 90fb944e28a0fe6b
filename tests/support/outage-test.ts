import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { type CaptureSet, type FakeBackend, startFakeBackend } from './fake-backend.ts';
import { type Relay, startRelay } from './relay.ts';
import { makeSecondBuild } from './second-build.ts';
import { type Answer, AS_BROWSER, sendRequest } from './send-request.ts';
import { type RunningSite, type StartSiteOptions, startSite } from './start-site.ts';

export const PUBLIC_URL = 'https://www.example.com';

/** A backend with the recorded content that can go down. */
export interface MortalBackend extends Pick<Relay, 'url' | 'goDown'> {
  fake: FakeBackend;
  /** Answers again, with the recorded content. */
  recover(): void;
}

/**
 * Gives each test a data folder, backends that can go down, processes that share the folder, and the next
 * build.
 */
export const it = test
  .extend('nextBuild', { scope: 'file' }, async ({}, { onCleanup }) => {
    const build = await makeSecondBuild('next');
    onCleanup(() => build.remove());
    return build;
  })
  .extend('dataDir', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'outage-'));
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return path.join(folder, 'data');
  })
  .extend('startBackend', async ({}, { onCleanup }) => {
    const ends: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      await Promise.all(ends.map(end => end()));
    });
    return async (set: CaptureSet = 'v5-flat'): Promise<MortalBackend> => {
      const fake = await startFakeBackend(set);
      const relay = await startRelay(fake.url);
      ends.push(async () => {
        await relay.close();
        await fake.close();
      });
      return { url: relay.url, fake, goDown: relay.goDown, recover: relay.reset };
    };
  })
  /**
   * Starts a process on the data folder. Its content is stale at once, and it stops after the test at the
   * latest.
   */
  .extend('startProcess', async ({ dataDir }, { onCleanup }) => {
    const running = new Set<RunningSite>();
    onCleanup(async () => {
      await Promise.all([...running].map(site => site.close()));
    });
    return async (
      contentBaseUrl: string,
      { env = {}, ...options }: Partial<StartSiteOptions> = {},
    ): Promise<RunningSite> => {
      const site = await startSite({
        contentBaseUrl,
        dataDir,
        env: { PUBLIC_URL, CONTENT_TTL_MS: '20', ...env },
        ...options,
      });
      running.add(site);
      return {
        ...site,
        async close() {
          if (running.delete(site)) await site.close();
        },
      };
    };
  });

export function get(site: RunningSite, address: string): Promise<Answer> {
  return sendRequest(site.url, address, { headers: AS_BROWSER });
}

/** Visits pages. @returns the answers, each of which is a 200. */
export async function visit(site: RunningSite, addresses: readonly string[]): Promise<Map<string, Answer>> {
  const seen = new Map<string, Answer>();
  for (const address of addresses) {
    const answer = await get(site, address);
    expect([address, answer.status]).toEqual([address, 200]);
    seen.set(address, answer);
  }
  return seen;
}

/** Resolves when a process is ready. */
export async function ready(site: RunningSite): Promise<void> {
  await eventually(async () => expect((await sendRequest(site.opsUrl, '/readyz')).status).toBe(200));
}
