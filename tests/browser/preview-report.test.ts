import { expect } from 'vitest';
import { hydrated, openPage } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { PREVIEW_ENV, SECRET, SLIP, startDraftCms } from '../support/preview-test.ts';
import { startSite } from '../support/start-site.ts';

const test = browserTest.extend('base', { scope: 'file' }, async ({}, { onCleanup }) => {
  const cms = await startDraftCms();
  const env = { ...PREVIEW_ENV, PREVIEW_FRAME_ORIGINS: 'http://cms.test' };
  const site = await startSite({ contentBaseUrl: cms.url, env });
  onCleanup(async () => {
    await site.close();
    await cms.close();
  });
  return site.url;
});

test('the bar says how a page looks in search results, its reading time and what it lacks', async ({
  browser,
  base,
}) => {
  const { page, close } = await openPage(browser);
  const url = '/blog/guides/what-a-page-can-show';
  await page.goto(`${base}/api/preview?${new URLSearchParams({ url, secret: SECRET })}`);
  await hydrated(page);
  await page.locator('#preview-report summary').click();
  const report = page.locator('#preview-report');
  await report.locator('.result').waitFor();
  const title = await page.title();
  const text = await report.innerText();
  expect(text).toContain(title.slice(0, 40));
  expect(text).toContain(`Title: ${title.length} characters`);
  expect(text).toMatch(/Description: \d+ characters/);
  expect(text).toMatch(/\d{3,} words, \d+ min to read/);
  await page.goto(`${base}/${SLIP}`);
  await hydrated(page);
  await report.locator('summary').click();
  await report.getByText('“Four” is a heading 4 after a heading 2.').waitFor();
  await report.getByText(/Left out: .*question/).waitFor();
  await report
    .getByText(/The picture .+ has no alternative text/)
    .first()
    .waitFor();
  await page.context().route('http://cms.test/**', route => route.fulfill({ body: 'The panel' }));
  const opened = page.context().waitForEvent('page');
  await report.getByText('Open the field').first().click();
  await (await opened).waitForURL(/\/content-manager\/collection-types\/api::page\.page\/\w+#field=/);
  await close();
});
