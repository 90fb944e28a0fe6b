import { expect } from 'vitest';
import { hydrated, openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { previewSiteTest } from '../support/preview-site-test.ts';
import { frameOf, SECRET } from '../support/preview-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';

const ARTICLE = SAMPLE_PATHS['blog-article'];
const preview = (status = 'draft') =>
  `/api/preview?${new URLSearchParams({ url: ARTICLE, status, secret: SECRET })}`;
const TITLE = /^\/content-manager\/collection-types\/api::article\.article\/\w+#field=title$/;

const addressIn = (panel: string) => new RegExp(`^${panel}/admin${TITLE.source.slice(1)}`);

const test = previewSiteTest;

test('a press in the panel’s frame opens the field in one tab of the panel', async ({
  browser,
  admin,
  base,
}) => {
  const { page, close } = await openPage(browser);
  await page.goto(`${admin.url}/?src=${encodeURIComponent(base + preview())}`);
  const frame = await frameOf(page);
  const title = frame.locator('main h1[data-field]');
  await title.click();
  expect(page.context().pages()).toHaveLength(1);
  await frame.locator('#preview-edit').click();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), title.click()]);
  const shows = (address: RegExp) => eventually(() => expect(tab.url()).toMatch(address));
  await shows(addressIn(admin.url));
  // A press on a link opens its field, too, instead of following the link.
  await frame.locator('main a[href^="/blog/authors/"]').first().click();
  await shows(/api::author\.author\/\w+#field=name$/);
  // Words of the interface are a field of the settings.
  await frame.getByText('min read').click();
  await shows(/\/content-manager\/single-types\/api::settings\.settings#field=labels$/);
  expect(new URL(frame.url()).pathname).toBe(ARTICLE);
  expect(page.context().pages()).toHaveLength(2);
  await close();
});

test('in a preview tab the keyboard reaches each text, and Enter opens its field in another tab', async ({
  browser,
  admin,
  base,
}) => {
  const { page, close } = await openPage(browser);
  await page.goto(base + preview());
  await hydrated(page);
  await page.locator('#preview-edit[aria-pressed=false]').click();
  const title = page.locator('main h1[data-field]');
  await title.focus();
  const [fromTab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
  expect(fromTab.url()).toMatch(addressIn(admin.url));

  // Editing stays on in the next document, and a second press ends it.
  await page.reload();
  await hydrated(page);
  const button = page.locator('#preview-edit[aria-pressed=true]');
  await button.click();
  await page.locator('main a[href^="/blog/authors/"]').first().click();
  await page.waitForURL(/authors/);
  await close();
});

test('published content has no fields to open', async ({ browser, admin, base }) => {
  const { page, close } = await openPage(browser);
  await page.goto(`${admin.url}/?src=${encodeURIComponent(base + preview('published'))}`);
  const frame = await frameOf(page);
  await frame.locator('main h1[data-field]').waitFor();
  expect(await frame.locator('#preview-bar').innerText()).not.toContain('Edit');
  await close();
});
