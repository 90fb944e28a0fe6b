import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { previewSiteTest } from '../support/preview-site-test.ts';
import { frameOf, SECRET } from '../support/preview-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';

const QUERY = new URLSearchParams({ url: SAMPLE_PATHS['blog-article'], secret: SECRET });

interface Panel {
  readonly page: Page;
  readonly frame: Frame;
  readonly title: string;
  readonly form: ReturnType<Frame['locator']>;
  readonly text: ReturnType<Frame['locator']>;
  /** What the frame has asked the panel for. */
  calls(): Promise<Record<string, unknown>[]>;
}

const test = previewSiteTest
  /** A preview in the panel's frame, in which the page is edited. */
  .extend('panel', async ({ browser, admin, base }, { onCleanup }): Promise<Panel> => {
    const { page, close } = await openPage(browser);
    onCleanup(close);
    await page.goto(`${admin.url}/?panel&src=${encodeURIComponent(`${base}/api/preview?${QUERY}`)}`);
    const frame = await frameOf(page);
    await frame.locator('main h1[data-field]').waitFor();
    const title = await frame.locator('main h1').innerText();
    await page.evaluate(value => Object.assign(Reflect.get(window, 'fields'), { title: value }), title);
    await frame.locator('#preview-edit').click();
    const form = frame.locator('#preview-editor');
    return { page, frame, title, form, text: form.locator('textarea'), calls: () => page.evaluate('calls') };
  });

test('a text is edited in place, saved by the panel, and restored by one press', async ({ panel }) => {
  const { frame, title, form, text, calls } = panel;
  await frame.locator('main h1').click();
  expect(await text.inputValue()).toBe(title);
  await text.fill('A better title');
  await text.press('Control+Enter');
  await frame.getByText('Saved as a draft').waitFor();
  expect(await form.count()).toBe(0);
  const [read, save] = await calls();
  const place = { place: 'collection-types/api::article.article', id: read?.id, name: 'title' };
  expect(read).toEqual({ ask: 'read', ...place });
  expect(save).toEqual({ ask: 'save', ...place, value: 'A better title', updatedAt: 'monday' });
  await frame.getByRole('button', { name: 'Undo' }).click();
  await frame.getByText('Undone').waitFor();
  expect((await calls()).at(-1)).toMatchObject({ ask: 'save', value: title, updatedAt: 'monday+' });
});

test('a text that somebody else has saved meanwhile is not lost, and the form names the person', async ({
  panel,
}) => {
  const { page, frame, form, text, calls } = panel;
  const saveMeanwhile = (value: string) =>
    page.evaluate(
      `Object.assign(entry, { updatedAt: 'tuesday', by: 'Ada Lovelace' }); fields.title = ${JSON.stringify(value)}`,
    );
  await frame.locator('main h1').click();
  await text.fill('Mine');
  await saveMeanwhile('Hers');
  await form.getByRole('button', { name: 'Save as draft' }).click();
  await form.getByText('Ada Lovelace has saved this entry meanwhile. The text is now “Hers”.').waitFor();
  expect(await text.inputValue()).toBe('Mine');
  expect(await page.evaluate('fields.title')).toBe('Hers');
  await form.getByRole('button', { name: 'Save as draft' }).click();
  await frame.getByText('Saved as a draft').waitFor();
  expect((await calls()).at(-1)).toMatchObject({ value: 'Mine', updatedAt: 'tuesday' });
  await saveMeanwhile('Hers again');
  await page.evaluate("entry.updatedAt = 'wednesday'");
  await frame.getByRole('button', { name: 'Undo' }).click();
  await frame.getByText('Not undone. Ada Lovelace has saved this entry meanwhile.').waitFor();
  expect(await page.evaluate('fields.title')).toBe('Hers again');
});

test('a block of a text is edited as Markdown, and the rest of the text stays', async ({ panel }) => {
  const { page, frame, form, text } = panel;
  const block = frame.locator('main p[data-field$=".body"]').first();
  const shown = await block.innerText();
  const source = `## Before\n\n**${shown}**\n\n- After`;
  await page.evaluate(value => Object.assign(Reflect.get(window, 'fields'), { body: value }), source);
  await block.focus();
  await page.keyboard.press('Enter');
  expect(await text.inputValue()).toBe(`**${shown}**`);
  await text.fill('*Edited*');
  // Somebody else has changed another block.
  await page.evaluate("entry.updatedAt = 'tuesday'; fields.body = fields.body.replace('Before', 'Changed')");
  await form.getByRole('button', { name: 'Save as draft' }).click();
  await form.getByText('Somebody has saved this entry meanwhile. Save again to keep both changes.').waitFor();
  await form.getByRole('button', { name: 'Save as draft' }).click();
  await frame.getByText('Saved as a draft').waitFor();
  expect(await page.evaluate('fields.body')).toBe('## Changed\n\n*Edited*\n\n- After');
});

test('a picture is chosen in the panel, Escape leaves a text as it is, and other fields open the form', async ({
  panel,
}) => {
  const { page, frame, form, text, calls } = panel;
  await page.evaluate("fields.cover = { id: 3, mime: 'image/svg+xml', url: '/uploads/a.svg' }");
  await frame.locator('main img[data-field$=".cover"]').first().click();
  await frame.getByText('Saved as a draft').waitFor();
  expect((await calls()).slice(1)).toMatchObject([
    { ask: 'choose', name: 'cover' },
    { ask: 'save', name: 'cover', value: 7 },
  ]);
  await frame.locator('main h1').click();
  await text.press('Escape');
  expect(await form.count()).toBe(0);
  await frame.locator('main time').first().click();
  await eventually(async () =>
    expect((await calls()).at(-1)).toMatchObject({
      ask: 'open',
      path: expect.stringMatching(
        /^\/content-manager\/collection-types\/api::article\.article\/\w+#field=date$/,
      ),
    }),
  );
  expect(page.context().pages()).toHaveLength(1);
});

test('a frame accepts a message port only from the panel’s window', async ({ panel }) => {
  const { page, frame, calls } = panel;
  await frame.evaluate(() => {
    const { port1, port2 } = new MessageChannel();
    Object.assign(window, { kept: port1 });
    window.postMessage({ type: 'sitePanel' }, '*', [port2]);
  });
  await frame.locator('main h1').click();
  await frame.locator('#preview-editor').waitFor();
  expect(await calls()).toHaveLength(1);
  expect(page.context().pages()).toHaveLength(1);
});
