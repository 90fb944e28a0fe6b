import { expect } from 'vitest';
import { hydrated, openPage, STILL } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { startSampleSite } from '../support/sample-site.ts';

const it = browserTest.extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
  const sample = await startSampleSite();
  onCleanup(() => sample.close());
  sample.site.search.begin();
  await eventually(async () => {
    const query = { text: 'reconciling', type: null, category: null, page: 1, size: 1, hasSnippets: false };
    expect((await sample.site.search.find(query)).total).toBeGreaterThan(0);
  });
  return sample;
});

it('the header suggests pages, which the keyboard chooses and Escape hides', async ({ browser, site }) => {
  const { page, complaints, close } = await openPage(browser, {
    ...STILL,
    viewport: { width: 1_280, height: 800 },
  });
  await page.goto(`${site.url}/about`);
  await hydrated(page);
  await page.locator('header summary[aria-label="Search"]').click();
  const field = page.locator('header input[name=q]');
  await expect.poll(() => field.evaluate(input => input === document.activeElement)).toBe(true);
  // The code of the suggestions comes with the focus.
  await expect.poll(() => field.getAttribute('role')).toBe('combobox');
  await field.pressSequentially('reconc');
  const options = page.locator('header [role=option]');
  await options.first().waitFor();
  expect(await field.getAttribute('aria-expanded')).toBe('true');
  await field.press('ArrowDown');
  expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));
  await field.press('ArrowUp');
  expect(await field.getAttribute('aria-activedescendant')).toBeNull();
  await field.press('Escape');
  expect(await options.count()).toBe(0);
  expect(await field.isVisible()).toBe(true);
  await field.press('s');
  await field.press('Backspace');
  await options.first().waitFor();
  await field.press('ArrowDown');
  await field.press('Enter');
  await page.waitForURL(/\/blog\/[\w-]+\/reconciling-payouts/);
  expect(complaints).toEqual([]);
  await close();
});
