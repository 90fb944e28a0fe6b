import { expect } from 'vitest';
import { stableId } from '../../../server/embedded-cms/stable-id.ts';
import { ARTICLES, panelTest, picture, withPanel } from '../support/panel-test.ts';

withPanel();

const it = panelTest;
const WRITTEN = 'what-compliance-will-ask';
const PAGE = `/blog/guides/${WRITTEN}`;

it('an editor links to an entry by its title, and the link follows the entry’s address', async ({
  panel,
  openPanel,
  admin,
  idOf,
  untilAll,
}) => {
  await openPanel(`${ARTICLES}/${await idOf('article', WRITTEN)}`);
  await panel.getByRole('button', { name: 'Link to an entry' }).first().click();
  const dialog = panel.getByRole('dialog', { name: 'Link to an entry' });
  await dialog.getByRole('listitem').first().waitFor();
  await dialog.getByLabel('Title of the entry').fill('paid in braz');
  const found = dialog.getByRole('listitem');
  await found.filter({ hasText: 'Brazil' }).waitFor();
  await picture(panel, 'cms-link-to-entry', false);
  expect(await found.count()).toBe(1);
  await found.getByRole('button').click();
  const text = panel.locator('.CodeMirror').first();
  const id = await idOf('article', 'getting-paid-in-brazil');
  // An import keeps the ids of the content folder, because links in its files contain them.
  expect(id).toBe(stableId('article', 'getting-paid-in-brazil').documentId);
  expect(await text.innerText()).toMatch(new RegExp(`\\[.*Brazil.*\\]\\(entry:articles:${id}\\)`));
  await panel.getByRole('button', { name: 'Publish' }).click();
  await untilAll([PAGE], true, 'href="/blog/guides/getting-paid-in-brazil"');

  await admin.publish('article', id, { slug: 'paid-in-brazil' });
  await untilAll([PAGE], true, 'href="/blog/guides/paid-in-brazil"');
});

it('an editor puts a picture into a text, with a caption and a size', async ({
  panel,
  openPanel,
  idOf,
  untilAll,
}) => {
  await openPanel(`${ARTICLES}/${await idOf('article', WRITTEN)}`);
  await panel.getByRole('button', { name: 'Picture' }).first().click();
  const library = panel.getByRole('dialog');
  await library.getByRole('checkbox').nth(2).click();
  await library.getByRole('button', { name: 'Finish' }).click();
  const dialog = panel.getByRole('dialog', { name: 'Picture' });
  await dialog.getByLabel('Caption').fill('The "second" office');
  await dialog.getByRole('combobox').click();
  await panel.getByRole('option', { name: 'Half as wide' }).click();
  await picture(panel, 'cms-picture-in-text', false);
  await dialog.getByRole('button', { name: 'Insert' }).click();
  expect(await panel.locator('.CodeMirror').first().innerText()).toContain('width="360"');
  await panel.getByRole('button', { name: 'Publish' }).click();
  await untilAll([PAGE], true, 'The “second” office</figcaption>');
  await untilAll([PAGE], true, 'width="360"');
});
