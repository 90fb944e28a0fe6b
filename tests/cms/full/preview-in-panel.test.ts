import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { ARTICLES, panelTest, picture, withPanel } from '../support/panel-test.ts';

const SLUG = 'getting-paid-in-brazil';
const ADDRESS = `/blog/guides/${SLUG}`;

withPanel();

const it = panelTest.extend('panelHeight', { scope: 'file' }, async () => 900);

it('an editor sees a draft in the panel’s preview, and visitors see it after its publication', async ({
  cms,
  admin,
  site,
  getPage,
  panel: page,
  openPanel,
}) => {
  const [article] = (await admin.list('article')).filter(({ slug }) => slug === SLUG);
  const [author] = (await admin.list('author')).filter(({ name }) => name === 'Rafael Teixeira');
  await openPanel(`${ARTICLES}/${article?.documentId}`);
  const title = page.getByRole('textbox', { name: 'Title', exact: true });
  await title.fill('The first draft');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
  await page.getByRole('link', { name: 'Open preview' }).click();
  const shows = (text: string | RegExp) =>
    page.frameLocator('iframe').locator('main h1').filter({ hasText: text }).waitFor();
  await shows('The first draft');
  await page.frameLocator('iframe').getByText('Draft · Edit · Exit').waitFor();
  await picture(page, 'cms-preview', false);
  expect((await getPage(ADDRESS)).text).not.toContain('The first draft');

  await page.getByRole('tab', { name: 'Published' }).click();
  await shows('Getting paid in Brazil');
  await page.getByRole('tab', { name: 'Draft' }).click();
  await shows('The first draft');
  const frame = page.frames().at(-1) as Frame;
  await frame.waitForFunction(() => document.documentElement.dataset.hydrated === 'true');
  // Another editor changes the author. The panel reports each publish to the frame, which shows both
  // changes.
  await admin.publish('author', author?.documentId ?? '', { position: 'Changed beside the editor' });
  await frame.evaluate(() => {
    Object.assign(window, { isSameDocument: true, told: [] });
    addEventListener('message', ({ data, origin }) => Reflect.get(window, 'told').push([data?.type, origin]));
    scrollTo(0, 300);
  });
  await page.getByRole('button', { name: 'Publish' }).click();
  await frame.getByText('Changed beside the editor').first().waitFor();
  expect(await frame.evaluate('[isSameDocument, scrollY, told]')).toEqual([
    true,
    300,
    [['strapiUpdate', cms.url]],
  ]);
  await eventually(async () => expect((await getPage(ADDRESS)).text.includes('The first draft')).toBe(true));
  expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
});
