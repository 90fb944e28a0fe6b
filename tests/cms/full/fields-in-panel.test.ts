import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ARTICLES, panelTest, picture, withPanel } from '../support/panel-test.ts';

withPanel();

const it = panelTest
  /** @returns the frame of an article's preview in the panel, in which the page is edited. */
  .extend('editIn', async ({ panel, openPanel, idOf, site: _ }) => async (slug: string): Promise<Frame> => {
    await openPanel(`${ARTICLES}/${await idOf('article', slug)}`);
    await panel.getByRole('link', { name: 'Open preview' }).click();
    const element = await panel.waitForSelector('iframe');
    const frame = await element.contentFrame();
    if (!frame) throw new Error('The preview has no frame');
    await frame.waitForFunction(() => document.documentElement.dataset.hydrated === 'true');
    const button = frame.locator('#preview-edit');
    if ((await button.getAttribute('aria-pressed')) === 'false') await button.click();
    return frame;
  });

/** Waits until a field with the label has the focus. @returns the input's name. */
async function focusIn(panel: Page, label: string): Promise<string | null> {
  const found = await panel.waitForFunction(wanted => {
    const active = document.activeElement;
    if (!active || active === document.body || !active.closest('form')) return null;
    let around = active.parentElement;
    while (around && !around.querySelector('label')) around = around.parentElement;
    const isBelow = around?.querySelector('label')?.textContent?.replace('*', '') === wanted;
    return isBelow ? { name: active.getAttribute('name') } : null;
  }, label);
  return (await found.evaluate(value => value as { name: string | null })).name;
}

it('an Alt+click in the panel’s preview opens the form, with the focus in the field', async ({
  panel,
  editIn,
}) => {
  const frame = await editIn('what-compliance-will-ask');
  const begun = performance.now();
  await frame.locator('main h1').click({ modifiers: ['Alt'] });
  expect(await focusIn(panel, 'Title')).toBe('title');
  process.stdout.write(`from the press to the field: ${Math.round(performance.now() - begun)} ms\n`);
  await panel.waitForURL(/\/api::article\.article\/\w+#field=title$/);
  expect(panel.context().pages()).toHaveLength(1);
  await picture(panel, 'cms-field-of-text');
});

it.for([
  ['rich text', 'what-compliance-will-ask', 'main p[data-field$=".body"]', 'Text', null],
  ['a picture', 'what-compliance-will-ask', 'main img[data-field$=".cover"]', 'Cover', null],
  ['a field of another entry', 'what-compliance-will-ask', 'main a[href^="/blog/authors/"]', 'Name', 'name'],
  [
    'a row in a folded group',
    'what-compliance-will-ask',
    'main [data-field$=".questions.1.question"]',
    'Question',
    'questions.1.question',
  ],
  ['a section', 'what-a-page-can-show', 'main [data-field$=".sections.1"]', 'Text', 'sections.1.text'],
] as const)(
  'an Alt+click on %s opens its field in the panel, scrolled into view',
  async ([kind, slug, selector, label, name], { panel, editIn }) => {
    await (await editIn(slug))
      .locator(selector)
      .first()
      .click({ modifiers: ['Alt'] });
    expect(await focusIn(panel, label)).toBe(name);
    expect(await panel.evaluate(() => document.activeElement?.checkVisibility())).toBe(true);
    // The region around the field must not stay scrolled.
    await panel.waitForFunction(() => !document.activeElement?.closest('[role="region"]')?.scrollTop);
    await picture(panel, `cms-field-of-${kind.replaceAll(' ', '-')}`, false);
  },
);

it('texts are edited in the preview, and the panel saves them as a draft with the editor’s permissions', async ({
  panel,
  admin,
  editIn,
  idOf,
  getPage,
}) => {
  const id = await idOf('article', 'what-compliance-will-ask');
  const frame = await editIn('what-compliance-will-ask');
  const form = frame.locator('#preview-editor');
  const draft = async () => {
    const answer = await admin.call('GET', `/content-manager/${ARTICLES}/${id}`);
    return (answer as { data: { title: string; body: string; questions: Record<string, unknown>[] } }).data;
  };
  const before = await draft();
  const edit = async (selector: string, text: string) => {
    await frame.locator(selector).first().click();
    await form.locator('textarea').fill(text);
    await form.getByRole('button', { name: 'Save as draft' }).click();
    await frame.locator('main').getByText(text).first().waitFor();
    await frame.getByRole('button', { name: 'Undo' }).waitFor();
  };
  const begun = performance.now();
  await frame.locator('main h1').click();
  await form.locator('textarea:focus').waitFor();
  process.stdout.write(`from the press to the text: ${Math.round(performance.now() - begun)} ms\n`);
  await form.locator('textarea').press('Escape');

  await edit('main h1', 'Edited in the preview');
  expect((await draft()).title).toBe('Edited in the preview');
  await picture(panel, 'cms-edited-in-place');
  await frame.getByRole('button', { name: 'Undo' }).click();
  await frame.getByText('Undone').waitFor();
  expect((await draft()).title).toBe(before.title);

  await edit('main p[data-field$=".body"]', 'One paragraph of the text');
  const [, ...rest] = before.body.split('\n\n');
  expect((await draft()).body).toBe(['One paragraph of the text', ...rest].join('\n\n'));
  // An edit of one question keeps its other values, and all other questions.
  await edit('main [data-field$=".questions.0.question"]', 'A question of the preview');
  const [first, ...others] = before.questions;
  expect((await draft()).questions).toEqual([{ ...first, question: 'A question of the preview' }, ...others]);
  expect((await getPage('/blog/guides/what-compliance-will-ask')).text).not.toContain('of the preview');
});

it('a picture is replaced in the preview, from the media library of the panel', async ({
  panel,
  admin,
  editIn,
  idOf,
}) => {
  const id = await idOf('article', 'getting-paid-in-brazil');
  const cover = async () => {
    const answer = await admin.call('GET', `/content-manager/${ARTICLES}/${id}`);
    return (answer as { data: { cover: { id: number } } }).data.cover.id;
  };
  const before = await cover();
  const frame = await editIn('getting-paid-in-brazil');
  await frame.locator('main img[data-field$=".cover"]').first().click();
  const library = panel.getByRole('dialog');
  await library.getByRole('checkbox').nth(2).click();
  await picture(panel, 'cms-picture-in-place');
  await library.getByRole('button', { name: 'Finish' }).click();
  await frame.getByText('Saved as a draft').waitFor();
  expect(await cover()).not.toBe(before);
  await frame.getByRole('button', { name: 'Undo' }).click();
  await frame.getByText('Undone').waitFor();
  expect(await cover()).toBe(before);
});

it('the panel gives its message port to no other window', async ({ panel, editIn }) => {
  await editIn('what-compliance-will-ask');
  await panel.evaluate(() => document.body.append(document.createElement('iframe')));
  for (const asking of [panel.mainFrame(), panel.frames().at(-1) as Frame]) {
    await asking.evaluate(() => {
      addEventListener('message', ({ data }) => Reflect.set(window, 'isGiven', data?.type === 'sitePanel'));
      parent.postMessage({ type: 'previewReady' }, '*');
    });
    // A reply would arrive before this timeout ends.
    await asking.evaluate(() => new Promise(resolve => setTimeout(resolve)));
    expect(await asking.evaluate('window.isGiven ?? false')).toBe(false);
  }
});
