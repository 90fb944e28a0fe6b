import { expect, test } from 'vitest';
import type { RouteMiddlewareResult } from '../../shared/routing/middleware/route-middleware.ts';
import { launchBrowser } from './browser.ts';
import { eventually } from './eventually.ts';
import { startSampleSite } from './sample-site.ts';
import { type StageOptions, startStage } from './stage.ts';
import { leaveQuietly, type Visitor, type VisitorOptions, visit } from './visitor.ts';

/** Gives each test file a browser. */
export const browserTest = test.extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
  const browser = await launchBrowser();
  onCleanup(() => browser.close());
  return browser;
});

/** Gives each test file a browser, and the site with the sample content. */
export const sampleTest = browserTest.extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
  const site = await startSampleSite();
  onCleanup(() => site.close());
  return site;
});

/**
 * Gives each test file a browser and a stage, and each test visitors.
 *
 * A file describes its stage by `.extend('stageOptions', { scope: 'file' }, { … })`, and the options of all its
 * visitors by `visitorOptions`. A test fails when the page of a visitor complains of anything.
 */
export const stageTest = browserTest
  .extend('stageOptions', { scope: 'file' }, async (): Promise<StageOptions> => ({}))
  .extend('visitorOptions', { scope: 'file' }, async (): Promise<VisitorOptions> => ({}))
  /** Results of the route middleware in this test, by path. */
  .extend('verdicts', { scope: 'file' }, async (): Promise<Record<string, RouteMiddlewareResult>> => ({}))
  .extend('site', { scope: 'file' }, async ({ stageOptions, verdicts }, { onCleanup }) => {
    const stage = await startStage({ verdicts, ...stageOptions });
    onCleanup(() => stage.close());
    return stage;
  })
  /** Opens an address of the stage, or of another site, in a browser context of its own. */
  .extend('open', async ({ browser, site, verdicts, visitorOptions }, { onCleanup }) => {
    const visitors: Visitor[] = [];
    onCleanup(async () => {
      site.releaseAll();
      for (const path of Object.keys(verdicts)) delete verdicts[path];
      for (const visitor of visitors) await leaveQuietly(visitor);
    });
    return async (address = '/', options: VisitorOptions = {}): Promise<Visitor> => {
      const { href } = new URL(address, site.url);
      const visitor = await visit(browser, href, { ...visitorOptions, ...options });
      visitors.push(visitor);
      return visitor;
    };
  })
  /** Opens a page and stops its clock once it is hydrated. */
  .extend('openInStillTime', async ({ open }) => async (path = '/', options: VisitorOptions = {}) => {
    const opened = await open(path, { ...options, prepare: page => page.clock.install() });
    await opened.page.clock.pauseAt(Date.now() + 3_600_000);
    return opened;
  })
  /** Resolves when one request for the page waits for its answer. */
  .extend('held', async ({ site }) => (path: string): Promise<void> => {
    return eventually(() => expect(site.waiting(path)).toBe(1));
  });
