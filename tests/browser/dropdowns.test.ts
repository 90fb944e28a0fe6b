import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsIn } from '../support/axe.ts';
import { hydrated, openPage, STILL } from '../support/browser.ts';
import { sampleTest as it } from '../support/browser-test.ts';
import { SMALL_PATH } from '../support/sample-paths.ts';

const PANEL = 'header details[open] > ul';
const VIEWS = [
  { width: 1440, colorScheme: 'light' },
  { width: 960, colorScheme: 'dark' },
] as const;
const openMenu = (page: Page) => page.locator('header nav summary').first().press('Enter');

/** @returns name, sentence and area of each link in the open panel. */
function rowsOf(links: Element[]) {
  return links.map(link => {
    const { width, height } = link.getBoundingClientRect();
    const sentence = link.querySelector('small')?.textContent ?? '';
    return { name: link.textContent.replace(sentence, ''), sentence, area: width * height };
  });
}

describe('a dropdown of the header', () => {
  it.for([true, false])(
    'a dropdown has a sentence for each entry, and the first is featured: JavaScript %s',
    async (javaScriptEnabled, { browser, site }) => {
      const { page, close } = await openPage(
        browser,
        { ...STILL, javaScriptEnabled, viewport: { width: 1440, height: 900 } },
        /csp$/,
      );
      await page.goto(site.url + SMALL_PATH);
      if (javaScriptEnabled) await hydrated(page);
      await openMenu(page);
      const rows = await page.locator(`${PANEL} a`).evaluateAll(rowsOf);
      // The last link leads to the parent page and needs no sentence.
      const [first, ...others] = rows.slice(0, -1);
      expect(others.length).toBeGreaterThan(2);
      for (const { name, sentence } of [first, ...others].flatMap(row => row ?? [])) {
        expect(name.length).toBeGreaterThan(3);
        expect(sentence.length).toBeGreaterThan(name.length);
      }
      const picture = page.locator(`${PANEL} img`).first();
      await expect.poll(async () => (await picture.boundingBox())?.width).toBeGreaterThan(120);
      expect(first?.area).toBeGreaterThan(1.8 * Math.max(...others.map(({ area }) => area)));
      await close();
    },
  );

  it.for([
    [960, 'ltr'],
    [1440, 'rtl'],
    [1920, 'ltr'],
  ] as const)(
    'an open dropdown is inside the window, below the header bar: %i px %s',
    async ([width, direction], { browser, site }) => {
      const { page, close } = await openPage(browser, { ...STILL, viewport: { width, height: 800 } });
      await page.goto(site.url + SMALL_PATH);
      await hydrated(page);
      await page.evaluate(dir => document.documentElement.setAttribute('dir', dir), direction);
      await openMenu(page);
      const panel = await page.locator(PANEL).boundingBox();
      const bar = await page.locator('header').first().boundingBox();
      expect(panel).toMatchObject({ x: 0, width: expect.closeTo(width, 0) });
      expect(panel?.y).toBeCloseTo(bar?.height ?? 0, 0);
      expect((panel?.y ?? 0) + (panel?.height ?? 0)).toBeLessThan(800);
      // The featured entry begins at the edge of the header's logo.
      const [lead, home] = await page
        .locator(`${PANEL} a >> nth=0`)
        .or(page.locator('header a[href="/"] >> nth=0'))
        .evaluateAll(
          (links, rtl) => links.map(link => link.getBoundingClientRect()[rtl ? 'right' : 'left']),
          direction === 'rtl',
        );
      expect(lead).toBeCloseTo(home ?? 0, 0);
      await close();
    },
  );

  it('a dropdown works by keyboard, passes axe, and has edges in forced colours', async ({
    browser,
    site,
  }) => {
    const { page, close } = await openPage(browser, { ...STILL, viewport: { width: 1440, height: 900 } });
    await page.goto(site.url + SMALL_PATH);
    await hydrated(page);
    await openMenu(page);
    await page.keyboard.press('Tab');
    const first = page.locator(`${PANEL} a`).first();
    expect(await first.evaluate(link => link === document.activeElement)).toBe(true);
    expect(await violationsIn(VIEWS, page)).toEqual([]);
    // Backgrounds vanish in forced colours.
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await first.evaluate(link => getComputedStyle(link).borderTopWidth)).toBe('1px');
    await page.keyboard.press('Escape');
    expect(await page.locator(PANEL).count()).toBe(0);
    await close();
  });
});
