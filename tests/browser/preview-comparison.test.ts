import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { openPage } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { frameOf, PREVIEW_ENV, SECRET, startAdmin, startDraftCms } from '../support/preview-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { startSite } from '../support/start-site.ts';

const ARTICLE = SAMPLE_PATHS['blog-article'];
const NOT_KNOWN = 'because their past is not known';

/** A site that showed an article before its title and text changed. */
const test = browserTest.extend('shown', { scope: 'file' }, async ({}, { onCleanup }) => {
  const admin = await startAdmin();
  const cms = await startDraftCms();
  const env = { ...PREVIEW_ENV, PREVIEW_FRAME_ORIGINS: admin.url, CONTENT_TTL_MS: '200' };
  const site = await startSite({ contentBaseUrl: cms.url, env });
  onCleanup(async () => {
    await Promise.all([site.close(), admin.close()]);
    await cms.close();
  });
  const base = site.url.replace('127.0.0.1', 'localhost');
  const preview = (at: number) =>
    `${base}/api/preview?${new URLSearchParams({ url: ARTICLE, at: new Date(at).toISOString(), secret: SECRET })}`;
  const file = path.join(cms.contentDir, 'articles', `${ARTICLE.split('/').at(-1)}.md`);
  const source = await readFile(file, 'utf8');
  const pageAt = async (at: number) => {
    const opened = await fetch(preview(at), { redirect: 'manual' });
    const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    return (await fetch(site.url + ARTICLE, { headers: { cookie } })).text();
  };
  const at = await eventually(async () => {
    await fetch(site.url + ARTICLE);
    const now = Date.now();
    expect(await pageAt(now)).not.toContain(NOT_KNOWN);
    return now;
  });
  await writeFile(
    file,
    source.replace(/^title: .*$/m, 'title: Another title').replace('\n\n', '\n\nZebra words. '),
  );
  await eventually(async () =>
    expect(await (await fetch(site.url + ARTICLE)).text()).toContain('Another title'),
  );
  const title = /^title: (.*)$/m.exec(source)?.[1] ?? '';
  return { admin, base, title, address: preview(at), later: Date.now() };
});

/** @returns the cells of the table, row by row. */
const cells = (frame: Pick<Frame, 'locator'>) =>
  frame
    .locator('#preview-comparison tr')
    .evaluateAll(rows => rows.map(row => [...row.children].map(cell => cell.textContent)));

test('a preview of the past shows old and new values side by side, and the panel restores the old ones', async ({
  browser,
  shown,
}) => {
  const { admin, title, address } = shown;
  const { page, close } = await openPage(browser);
  await page.goto(`${admin.url}/?panel&src=${encodeURIComponent(address)}`);
  const frame = await frameOf(page);
  // A script removes the invisible marks of fields from the texts.
  await eventually(async () => expect(await frame.locator('main h1').innerText()).toBe(title));
  expect(await frame.locator('#preview-edit').count()).toBe(0);
  await frame.locator('#preview-comparison summary').click();
  await frame.locator('#preview-comparison table').waitFor();
  const [head, ...rows] = await cells(frame);
  expect(head).toEqual(['Field', 'Then', 'Now']);
  expect(rows).toEqual([
    ['title', title, 'Another title'],
    ['body', expect.not.stringContaining('Zebra words'), expect.stringContaining('Zebra words')],
  ]);
  expect(await frame.locator('#preview-comparison mark').last().innerText()).toContain('Zebra words.');
  await frame.getByRole('button', { name: 'Restore what was then' }).click();
  await frame.getByText('Restored as a draft.').waitFor();
  const calls = (await page.evaluate('calls')) as Record<string, unknown>[];
  expect(calls.map(({ ask, name, updatedAt }) => [ask, name, updatedAt])).toEqual([
    ['read', 'title', undefined],
    ['restore', 'title', 'monday'],
  ]);
  expect(calls[1]?.value).toEqual({ title, body: expect.not.stringContaining('Zebra words') });
  await close();
});

test('an editor chooses the other time of a comparison', async ({ browser, shown }) => {
  const { page, close } = await openPage(browser);
  await page.goto(shown.address);
  await page.locator('#preview-comparison summary').click();
  await page.locator('#preview-comparison table').waitFor();
  await page.locator('#preview-comparison input').fill('2126-12-24T09:00');
  await eventually(async () =>
    expect((await cells(page))[0]).toEqual(['Field', 'Then', '2126-12-24, 09:00']),
  );
  await close();
});

test('a preview outside the panel opens the panel in a tab, and restores nothing', async ({
  browser,
  shown,
}) => {
  const { page, close } = await openPage(browser);
  await page.goto(shown.address);
  await page.locator('#preview-comparison summary').click();
  const button = page.getByRole('button', { name: 'Restore what was then' });
  const [tab] = await Promise.all([page.context().waitForEvent('page'), button.click()]);
  await eventually(() =>
    expect(tab.url()).toMatch(
      /\/admin\/content-manager\/collection-types\/api::article\.article\/\w+#field=title$/,
    ),
  );
  await close();
});
