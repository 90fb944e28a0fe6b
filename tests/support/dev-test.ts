import type { Locator, Page } from 'playwright-core';
import { hydrated, openPage } from './browser.ts';
import { browserTest } from './browser-test.ts';
import { startDevLoop } from './dev-loop.ts';

/** Marks the document of a page, so that a test sees whether the page has reloaded. */
export async function markDocument(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => void document.documentElement.setAttribute('data-marked', ''));
  return () => page.evaluate(() => document.documentElement.hasAttribute('data-marked'));
}

/** Gives each test file one `npm run dev`, and each test a page of it. */
export const devTest = browserTest
  .extend('dev', { scope: 'file' }, async ({}, { onCleanup }) => {
    const dev = await startDevLoop();
    onCleanup(() => dev.close());
    return dev;
  })
  .extend('page', async ({ browser, dev }, { onCleanup }) => {
    const { page, close } = await openPage(browser);
    onCleanup(close);
    await page.goto(`${dev.url}/contacts`);
    await hydrated(page);
    return page;
  })
  .extend('overlay', async ({ page }): Promise<Locator> => page.locator('vite-error-overlay'));
