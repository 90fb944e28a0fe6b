import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hydrated, launchBrowser, openPage, STILL } from '../support/browser.ts';
import { type Stage, startStage } from '../support/stage.ts';

/** Wide pictures of the sample content: 1200 × 675. */
const [LIGHT, DARK] = ['/uploads/cover-fees.svg', '/uploads/cover-euro.svg'];

let site: Stage;
let browser: Browser;

beforeAll(async () => {
  const settings = { logo: { file: 'cover-fees.svg' }, logoDark: { file: 'cover-euro.svg' } };
  [site, browser] = await Promise.all([startStage({ settings }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

it.each([360, 1_280])('a logo of the settings reserves its space before loading, at %i px', async width => {
  const { page, complaints, close } = await openPage(browser, { ...STILL, viewport: { width, height: 740 } });
  const arrival = Promise.withResolvers<void>();
  await page.route(`**${LIGHT}`, async route => {
    await arrival.promise;
    await route.continue();
  });
  await page.goto(`${site.url}/about`, { waitUntil: 'domcontentloaded' });
  await hydrated(page);
  const logo = page.locator(`header a img[src="${LIGHT}"]`);
  const places = async () => [await logo.boundingBox(), await page.locator('h1').boundingBox()];
  const before = await places();
  expect(before[0]).toMatchObject({ width: expect.closeTo((28 * 1200) / 675, 0), height: 28 });
  arrival.resolve();
  await page.waitForFunction(
    src => document.querySelector<HTMLImageElement>(`header img[src="${src}"]`)?.naturalWidth,
    LIGHT,
  );
  expect(await places()).toEqual(before);
  expect(complaints).toEqual([]);
  await close();
});

it('light and dark surfaces have their own logo, also in the menu of a phone', async () => {
  const { page, complaints, close } = await openPage(browser, {
    ...STILL,
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  });
  await page.goto(`${site.url}/about`);
  await hydrated(page);
  const shown = (area: string) =>
    page.locator(`${area} img:visible`).evaluateAll(images => images.map(image => image.getAttribute('src')));
  expect(await shown('header')).toEqual([DARK]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await shown('header')).toEqual([LIGHT]);
  // Look at the first image only: the icons of social networks come after the logo.
  expect((await shown('footer')).at(0)).toBe(DARK);
  await page.locator('header').getByRole('button', { name: 'Menu' }).click();
  await page.locator('dialog[open]').waitFor();
  expect(await shown('dialog[open] > div:first-child')).toEqual([LIGHT]);
  expect(complaints).toEqual([]);
  await close();
});
