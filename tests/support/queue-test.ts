import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { engineFor } from './engines.ts';
import { startRedis } from './redis.ts';
import { backendTest } from './site-test.ts';
import { type RunningSite, type StartSiteOptions, startSite } from './start-site.ts';

/** A site with a separate data folder. */
export interface Replica extends RunningSite {
  dataDir: string;
  /** @returns the names of the files in a folder of its outbox. */
  names(folder: string): Promise<string[]>;
}

/** Gives each test a Redis, and a function that starts replicas with it as their queue. */
export const queueTest = backendTest
  .extend('redis', async ({ skip }, { onCleanup }) => {
    engineFor('redis-server', { skip });
    const redis = await startRedis();
    onCleanup(redis.dispose);
    return redis;
  })
  /** Starts a replica whose attempts come at a tenth of the usual times. It stops after the test. */
  .extend('start', async ({ backend, redis }, { onCleanup }) => {
    const replicas: Replica[] = [];
    onCleanup(async () => {
      // Resume the queue, because a queue that hangs would delay the stop of the replicas.
      redis.resume();
      await Promise.all(replicas.map(replica => replica.close()));
      await Promise.all(
        replicas.map(({ dataDir }) => rm(dataDir, { recursive: true, force: true, maxRetries: 10 })),
      );
    });
    return async (options: Partial<StartSiteOptions> = {}): Promise<Replica> => {
      const dataDir = await mkdtemp(path.join(os.tmpdir(), 'replica-'));
      const site = await startSite({
        contentBaseUrl: backend.url,
        dataDir,
        ...options,
        env: { OUTBOX_URL: redis.url, FORM_RATE_LIMIT: '1000', ...options.env },
        overrides: { ...options.overrides, outbox: { pace: 10, ...options.overrides?.outbox } },
      });
      const replica: Replica = {
        ...site,
        dataDir,
        names: folder => readdir(path.join(dataDir, 'outbox', folder)),
      };
      replicas.push(replica);
      return replica;
    };
  });
