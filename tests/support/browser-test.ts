import { expect, test } from 'vitest';
import type { RouteMiddlewareResult } from '../../shared/routing/route-middleware.ts';
import { launchBrowser } from './browser.ts';
import { eventually } from './eventually.ts';
import { SMALL_PATH } from './sample-paths.ts';
import { startSampleSite } from './sample-site.ts';
import { type StageOptions, startStage } from './stage.ts';
import { closeWithoutComplaints, type Visitor, type VisitorOptions, visit } from './visitor.ts';

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
 * Gives each test file a browser and a stage (`stage.ts`), and each test a function that opens pages.
 *
 * A test file sets the options of its stage by `.extend('stageOptions', { scope: 'file' }, { … })`, and those
 * of its visitors by `visitorOptions`. A console message, an uncaught error or a failed request of a page
 * fails the test.
 */
export const stageTest = browserTest
  .extend('stageOptions', { scope: 'file' }, async (): Promise<StageOptions> => ({}))
  .extend('visitorOptions', { scope: 'file' }, async (): Promise<VisitorOptions> => ({}))
  /** Results of the route middleware by path. They are cleared after each test. */
  .extend(
    'middlewareResults',
    { scope: 'file' },
    async (): Promise<Record<string, RouteMiddlewareResult>> => ({}),
  )
  .extend('site', { scope: 'file' }, async ({ stageOptions, middlewareResults }, { onCleanup }) => {
    const stage = await startStage({ middlewareResults, ...stageOptions });
    onCleanup(() => stage.close());
    return stage;
  })
  /**
   * Opens an address of the stage, or of another site, in a new browser context. The default is a small page.
   */
  .extend('open', async ({ browser, site, middlewareResults, visitorOptions }, { onCleanup }) => {
    const visitors: Visitor[] = [];
    onCleanup(async () => {
      site.releaseAll();
      for (const path of Object.keys(middlewareResults)) delete middlewareResults[path];
      for (const visitor of visitors) await closeWithoutComplaints(visitor);
    });
    return async (address: string = SMALL_PATH, options: VisitorOptions = {}): Promise<Visitor> => {
      const { href } = new URL(address, site.url);
      const visitor = await visit(browser, href, { ...visitorOptions, ...options });
      visitors.push(visitor);
      return visitor;
    };
  })
  /** Opens a page and stops its clock after hydration. */
  .extend(
    'openInStillTime',
    async ({ open }) =>
      async (path: string = SMALL_PATH, options: VisitorOptions = {}) => {
        const opened = await open(path, { ...options, prepare: page => page.clock.install() });
        await opened.page.clock.pauseAt(Date.now() + 3_600_000);
        return opened;
      },
  )
  /** Resolves when the stage holds one request for the page. */
  .extend('held', async ({ site }) => (path: string): Promise<void> => {
    return eventually(() => expect(site.waiting(path)).toBe(1));
  });
