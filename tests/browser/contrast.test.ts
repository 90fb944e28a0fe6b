import { expect } from 'vitest';
import { hydrated, openPage } from '../support/browser.ts';
import { sampleTest as it } from '../support/browser-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';

it('forced colours show which category and which theme is current', async ({ browser, site }) => {
  const { page, close } = await openPage(browser, { forcedColors: 'active' });
  await page.goto(site.url + SAMPLE_PATHS['blog-category']);
  await hydrated(page);
  const lines = await page
    .locator('nav[aria-label="Categories"] a')
    .evaluateAll(all => all.map(link => getComputedStyle(link).borderBlockEndColor));
  expect(new Set(lines).size).toBe(2);
  await page.locator('footer label:has(:checked)').waitFor();
  const outlines = await page
    .locator('footer label:has(input[type=radio])')
    .evaluateAll(all => all.map(choice => getComputedStyle(choice).outlineStyle));
  expect(outlines.toSorted()).toEqual(['none', 'none', 'solid']);
  await close();
});

it('in forced colours the wordmark has the text colour, and buttons have the background of the page', async ({
  browser,
  site,
}) => {
  const { page, close } = await openPage(browser, { forcedColors: 'active' });
  await page.goto(site.url + SAMPLE_PATHS.commerce);
  const groundOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(element => getComputedStyle(element).backgroundColor);
  expect(await groundOf('main .el-button')).toBe(await groundOf('html'));
  const fill = await page.locator('footer svg text').evaluate(element => getComputedStyle(element).fill);
  expect(fill).toBe(await page.evaluate(() => getComputedStyle(document.body).color));
  await close();
});

it('with more contrast, muted text has the colour of other text', async ({ browser, site }) => {
  const { page, close } = await openPage(browser, { contrast: 'more' });
  await page.goto(site.url + SAMPLE_PATHS['business-solution']);
  const colorOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate(element => getComputedStyle(element).color);
  expect(await colorOf('.el-page-intro__text')).toBe(await colorOf('main h1'));
  await close();
});
