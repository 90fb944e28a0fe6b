import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import ar from '../../site/words/ar.ts';
import { hydrated, launchBrowser, openPage, STILL } from '../support/browser.ts';
import { type Stage, startStage } from '../support/stage.ts';

/** A text of the settings that replaces the catalogue's text. */
const NOTHING_HERE = 'لا شيء هنا';

let site: Stage;
let browser: Browser;

beforeAll(async () => {
  const settings = { language: 'ar', labels: [{ name: 'pageNotFound', text: NOTHING_HERE }] };
  [site, browser] = await Promise.all([startStage({ settings }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

it.each([360, 1_280])(
  'an Arabic site has an RTL layout at %i px, and loads only its catalogue',
  async width => {
    const { page, complaints, close } = await openPage(browser, {
      ...STILL,
      viewport: { width, height: 740 },
    });
    const scripts: string[] = [];
    page.on('request', request => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    });
    await page.goto(site.url);
    await hydrated(page);
    const root = page.locator('html');
    expect(await root.getAttribute('lang')).toBe('ar');
    expect(await root.evaluate(element => getComputedStyle(element).direction)).toBe('rtl');
    expect(await root.evaluate(element => element.scrollWidth)).toBeLessThanOrEqual(width);
    const logo = await page.locator('header a').first().boundingBox();
    expect((logo?.x ?? 0) + (logo?.width ?? 0) / 2).toBeGreaterThan(width / 2);
    expect(scripts.filter(path => /\/(?:en|de|ar)-[A-Z\d]{8}\.js$/.test(path))).toEqual([
      expect.stringContaining('/ar-'),
    ]);
    // The content's text has a separate direction.
    const title = page.locator('main h1[dir=auto]').first();
    expect(await title.evaluate(element => getComputedStyle(element).direction)).toBe('ltr');
    const phone = page.locator('a[href^="tel:"]').first();
    const ends = await phone.evaluate(({ firstChild }) => {
      const range = new Range();
      const text = firstChild as Text;
      return [0, text.length - 1].map(at => {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      });
    });
    expect(ends[0]).toBeLessThan(ends[1] ?? 0);
    // The browser renders the next page and the errors of the form.
    await page.locator('#subscribe').getByRole('button').first().click();
    await page.locator('#subscribe').getByText(ar.checkTyped).waitFor();
    await page.locator('#subscribe').getByText('يرجى كتابة عنوان بريد إلكتروني كامل').first().waitFor();
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), { href: '/no-such-page', textContent: 'x' });
      document.querySelector('main')?.prepend(link);
    });
    await page.locator('main a').first().click();
    await page.getByRole('heading', { name: NOTHING_HERE }).waitFor();
    expect(await page.title()).toMatch(new RegExp(`^${NOTHING_HERE}`));
    expect(complaints.filter(text => !text.includes('404'))).toEqual([]);
    await close();
  },
);
