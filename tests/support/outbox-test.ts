import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageId } from '../../server/outbox/outbox-files.ts';
import { backendTest } from './site-test.ts';
import { type RunningSite, type StartSiteOptions, startSite } from './start-site.ts';

export const SEND = '/api/email/send';

/** A new subscription for each call. */
export const message = (email = `${randomUUID()}@example.com`) => ({ form: 'subscribe', email });

/** Gives each test a data folder, and a function that starts sites with their outbox in this folder. */
export const outboxTest = backendTest
  .extend('dataDir', async ({}, { onCleanup }) => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'outbox-'));
    onCleanup(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return dataDir;
  })
  /**
   * Starts a site with the data folder, whose outbox waits a tenth of the usual times. The site is stopped
   * after the test.
   */
  .extend('start', async ({ backend, dataDir }, { onCleanup }) => {
    const sites: RunningSite[] = [];
    onCleanup(async () => {
      await Promise.all(sites.map(site => site.close()));
    });
    return async (options: Partial<StartSiteOptions> = {}): Promise<RunningSite> => {
      const site = await startSite({
        contentBaseUrl: backend.url,
        dataDir,
        ...options,
        overrides: { ...options.overrides, outbox: { pace: 10, ...options.overrides?.outbox } },
      });
      sites.push(site);
      return site;
    };
  })
  .extend(
    'received',
    async ({ backend }) =>
      () =>
        backend.callsTo(SEND),
  )
  .extend(
    'emails',
    async ({ received }) =>
      () =>
        received().map(({ body }): string => JSON.parse(body).email),
  )
  /** The names of the files in a folder of the outbox. */
  .extend(
    'names',
    async ({ dataDir }) =>
      (folder: string) =>
        readdir(path.join(dataDir, 'outbox', folder)),
  )
  .extend('fileOf', async ({ dataDir }) => (folder: string, key: string) => {
    return path.join(dataDir, 'outbox', folder, `${messageId(key)}.json`);
  })
  /**
   * Writes a message into a folder, as an earlier process would have done. @returns its idempotency key.
   */
  .extend('leave', async ({ fileOf }) => {
    return async (folder: 'waiting' | 'dead', ageMs: number, text?: string): Promise<string> => {
      const key = randomUUID();
      const file = fileOf(folder, key);
      await mkdir(path.dirname(file), { recursive: true });
      const receivedAt = new Date(Date.now() - ageMs).toISOString();
      await writeFile(
        file,
        text ?? JSON.stringify({ key, receivedAt, message: message(`${key}@example.com`) }),
      );
      await utimes(file, new Date(receivedAt), new Date(receivedAt));
      return key;
    };
  });
