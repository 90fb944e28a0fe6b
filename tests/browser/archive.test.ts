import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';

let site: SampleSite;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

describe('the archive', () => {
  it.for([true, false])(
    'links lead from the blog to the archive, a month and its articles, with JavaScript: %s',
    async javaScriptEnabled => {
      const { page, complaints, close } = await openPage(
        browser,
        { javaScriptEnabled },
        // Chromium reports blocked scripts.
        javaScriptEnabled ? undefined : /failed: \S+\/assets\/\S+\.js csp$/,
      );
      await page.goto(`${site.url}/blog`);
      if (javaScriptEnabled) {
        await hydrated(page);
        await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
      }
      const heading = page.locator('main h1');
      await page.locator('main').getByRole('link', { name: 'Archive', exact: true }).click();
      await page.waitForURL(`${site.url}/blog/archive`);
      await expect.poll(() => heading.innerText()).toBe('Archive of articles');
      await page.locator('main').getByRole('link', { name: 'May 4 articles' }).click();
      await page.waitForURL(`${site.url}/blog/archive/2026/05`);
      await expect.poll(() => heading.innerText()).toBe('Articles from May 2026');
      const months = page.getByRole('navigation', { name: 'Months' });
      expect(await months.locator('[aria-current=page]').innerText()).toContain('May');
      expect(await page.locator('main article').count()).toBe(4);
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: '2026' }).click();
      await expect.poll(() => heading.innerText()).toBe('Articles from 2026');
      await page.locator('main').getByRole('link', { name: 'Page 2' }).click();
      await page.waitForURL(`${site.url}/blog/archive/2026?page=2`);
      await expect.poll(() => page.locator('main article').count()).toBe(12);
      expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(javaScriptEnabled);
      expect(complaints).toEqual([]);
      await close();
    },
  );
});
