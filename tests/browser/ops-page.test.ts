import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { ALL_VIEWS, violationsIn } from '../support/axe.ts';
import { openPage, type WatchedPage } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { startSampleSite } from '../support/sample-site.ts';

const TOKEN = 'a-token-of-the-operators';

const it = browserTest
  .extend('site', async ({}, { onCleanup }) => {
    const site = await startSampleSite({ env: { OPS_TOKEN: TOKEN } });
    onCleanup(() => site.close());
    return site;
  })
  /** Opens the page with a clock that the test moves. */
  .extend('open', async ({ browser, site }, { onCleanup }) => {
    const opened: WatchedPage[] = [];
    onCleanup(async () => {
      const complaints = opened.flatMap(({ complaints }) => complaints);
      for (const { close } of opened) await close();
      expect(complaints).toEqual([]);
    });
    // A sign-in or the closing of a page may abort a refresh.
    return async (ignore = /ERR_ABORTED/): Promise<Page> => {
      const watched = await openPage(browser, { viewport: { width: 360, height: 800 } }, ignore);
      opened.push(watched);
      await watched.page.clock.install();
      await watched.page.goto(`${site.opsUrl}/`);
      return watched.page;
    };
  });

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('OPS_TOKEN').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

describe('the ops page in a browser', () => {
  it('axe finds nothing on the ops page, which fits on a phone, before and after the sign-in', async ({
    open,
  }) => {
    const page = await open();
    expect([await widthOf(page), await violationsIn(ALL_VIEWS, page)]).toEqual([360, []]);
    await page.setViewportSize({ width: 360, height: 800 });
    await signIn(page);
    expect([await widthOf(page), await violationsIn(ALL_VIEWS, page)]).toEqual([360, []]);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(new URL('/runbook', page.url()).href);
    expect([await widthOf(page), await violationsIn(ALL_VIEWS, page)]).toEqual([360, []]);
  });

  it('an operator without scripts purges a tag after a confirmation', async ({ browser, site }) => {
    const { page, close } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${site.opsUrl}/`);
    await signIn(page);
    await page.getByLabel('Tag, such as articles').fill('articles');
    await page.getByRole('button', { name: 'Purge' }).click();
    await page.getByRole('heading', { name: 'Make everything with the tag “articles” stale' }).waitFor();
    await page.getByRole('button', { name: 'Purge' }).click();
    await page.getByText('in all replicas and CDNs: done').waitFor();
    await close();
  });

  it('the ops page refreshes its figures in place, and keeps typed text', async ({ open, site }) => {
    const page = await open();
    await signIn(page);
    await page.getByLabel('Tag, such as articles').fill('typed');
    const mark = await page.locator('h1').elementHandle();
    site.site.log.warn({ code: 'folder-problem' }, 'a warning <b>of the test</b>');
    await eventually(async () => {
      await page.clock.fastForward(10_000);
      expect(await page.locator('#warnings').textContent()).toContain('a warning <b>of the test</b>');
    });
    expect(await page.getByLabel('Tag, such as articles').inputValue()).toBe('typed');
    expect(await mark?.evaluate(heading => heading.isConnected)).toBe(true);
  });

  it('the ops page says since when the server has not responded, until it responds', async ({ open }) => {
    const page = await open(/ERR_INTERNET_DISCONNECTED|ERR_ABORTED/);
    const lost = page.getByRole('alert');
    expect(await lost.isHidden()).toBe(true);
    await page.context().setOffline(true);
    await eventually(async () => {
      await page.clock.fastForward(10_000);
      expect(await lost.textContent()).toMatch(/^No answer since .+: what is below is older\.$/);
    });
    await page.context().setOffline(false);
    await eventually(async () => {
      await page.clock.fastForward(10_000);
      expect(await lost.isHidden()).toBe(true);
    });
  });
});
