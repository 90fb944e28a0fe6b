import { expect } from 'vitest';
import { hydrated, openPage } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { startFolderSite } from '../support/folder-site.ts';
import { SECRET } from '../support/preview-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';

const ARTICLE = SAMPLE_PATHS['blog-article'];
const FILE = `articles/${ARTICLE.split('/').at(-1)}.md`;
const QUERY = new URLSearchParams({ url: ARTICLE, secret: SECRET });

const test = browserTest
  .extend('site', async ({}, { onCleanup }) => {
    const site = await startFolderSite();
    onCleanup(() => site.close());
    return site;
  })
  /** A preview in a tab, in which the page is edited. */
  .extend('page', async ({ browser, site }, { onCleanup }) => {
    const { page, close } = await openPage(browser);
    onCleanup(close);
    await page.goto(`${site.url}/api/preview?${QUERY}`);
    await hydrated(page);
    await page.locator('#preview-edit').click();
    return page;
  })
  .extend('text', async ({ page }) => page.locator('#preview-editor textarea'));

test('a text of the content folder is edited in place, shown, and restored by one press', async ({
  page,
  site,
  text,
}) => {
  const before = await site.read(FILE);
  const title = await page.locator('main h1').innerText();
  await page.locator('main h1').click();
  expect(await text.inputValue()).toBe(title);
  await page.locator('#preview-editor').getByText(FILE).waitFor();
  await text.fill('A better title');
  await text.press('Control+Enter');
  await page.locator('main h1', { hasText: 'A better title' }).waitFor();
  expect(await site.read(FILE)).toBe(before.replace(title, 'A better title'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('main h1', { hasText: title }).waitFor();
  expect(await site.read(FILE)).toBe(before);
  expect(page.context().pages()).toHaveLength(1);
});

test('a block is edited as Markdown, and what somebody else has saved meanwhile stays', async ({
  page,
  site,
  text,
}) => {
  const before = await site.read(FILE);
  const block = page.locator('main p[data-field$=".body"]').first();
  await block.click();
  const pressed = await text.inputValue();
  expect(before).toContain(`\n\n${pressed}\n\n`);
  await text.fill('*Edited*');
  await site.write(FILE, `${before}\nTheir addition\n`);
  await page.getByRole('button', { name: 'Save the file' }).click();
  await page.getByText('Somebody has saved this entry meanwhile. Save again to keep both changes.').waitFor();
  await page.getByRole('button', { name: 'Save the file' }).click();
  await page.locator('main em', { hasText: 'Edited' }).waitFor();
  expect(await site.read(FILE)).toBe(`${before.replace(pressed, '*Edited*')}\nTheir addition\n`);
});

test('a picture is edited as a file name, and the bar names the file of fields without an editor', async ({
  page,
  site,
  text,
}) => {
  const before = await site.read(FILE);
  await page.locator('main img[data-field$=".cover"]').first().click();
  const name = await text.inputValue();
  expect(before).toContain(name);
  await text.fill('nowhere.svg');
  await text.press('Control+Enter');
  await page.getByText('No file of uploads/ has that name').waitFor();
  await text.fill('cover-fees.svg');
  await text.press('Control+Enter');
  await page.locator('main img[data-field$=".cover"][src*="cover-fees"]').first().waitFor();
  expect(await site.read(FILE)).toBe(before.replace(name, 'cover-fees.svg'));
  await page.locator('main time').first().click();
  await page.getByText(`${FILE} has the field “date”`).waitFor();
  expect(page.context().pages()).toHaveLength(1);
});
