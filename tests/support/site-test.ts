import { test } from 'vitest';
import { startFakeBackend } from './fake-backend.ts';
import { startSampleSite } from './sample-site.ts';
import { AS_BROWSER, sendRequest } from './send-request.ts';
import { type RunningSite, type StartSiteOptions, startSite } from './start-site.ts';

/** Gives each test file a fake backend, which is reset for each test. Each test can start separate sites. */
export const backendTest = test
  .extend('backend', { scope: 'file' }, async ({}, { onCleanup }) => {
    const backend = await startFakeBackend();
    onCleanup(() => backend.close());
    return backend;
  })
  .extend('resetBackend', { auto: true }, async ({ backend }) => backend.reset())
  /** Starts a site that reads from the backend. It stops after the test. */
  .extend('startOwnSite', async ({ backend }, { onCleanup }) => {
    const running: RunningSite[] = [];
    onCleanup(async () => {
      await Promise.all(running.map(site => site.close()));
    });
    return async (options: Partial<StartSiteOptions> = {}): Promise<RunningSite> => {
      const site = await startSite({ contentBaseUrl: backend.url, ...options });
      running.push(site);
      return site;
    };
  });

/** Gives each test file a site that reads from the fake backend, and a site with the sample content. */
export const siteTest = backendTest
  .extend('siteEnv', { scope: 'file' }, async (): Promise<Record<string, string>> => ({}))
  .extend('site', { scope: 'file' }, async ({ backend, siteEnv }, { onCleanup }) => {
    const site = await startSite({ contentBaseUrl: backend.url, env: siteEnv });
    onCleanup(() => site.close());
    return site;
  })
  .extend('sample', { scope: 'file' }, async ({ siteEnv }, { onCleanup }) => {
    const sample = await startSampleSite({ env: siteEnv });
    onCleanup(() => sample.close());
    return sample;
  })
  // The fixture depends on `site`: the site starts first, and the reset then forgets its start-up calls.
  .extend('resetBackend', { auto: true }, async ({ backend, site: _site }) => backend.reset())
  /** Requests a page from the sample site, or from `base`. */
  .extend('getPage', async ({ sample }) => (path: string, base = sample.url) => {
    return sendRequest(base, path, { headers: AS_BROWSER });
  });
