import { expect } from 'vitest';
import { hydrated, openPage } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import {
  DRAFT_ARTICLE,
  frameOf,
  PREVIEW_ENV,
  SECRET,
  startAdmin,
  startDraftCms,
} from '../support/preview-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { startSite } from '../support/start-site.ts';

const ARTICLE = SAMPLE_PATHS['blog-article'];
const preview = (url: string, status = 'draft') =>
  `/api/preview?${new URLSearchParams({ url, status, secret: SECRET })}`;

const test = browserTest
  .extend('admin', { scope: 'file' }, async ({}, { onCleanup }) => {
    const admin = await startAdmin();
    onCleanup(() => admin.close());
    return admin;
  })
  .extend('cms', { scope: 'file' }, async ({}, { onCleanup }) => {
    const cms = await startDraftCms();
    onCleanup(() => cms.close());
    return cms;
  })
  .extend('base', { scope: 'file' }, async ({ admin, cms }, { onCleanup }) => {
    const env = { ...PREVIEW_ENV, PREVIEW_FRAME_ORIGINS: admin.url };
    const site = await startSite({ contentBaseUrl: cms.url, env });
    onCleanup(() => site.close());
    // The preview's host differs from that of the admin panel, so its cookie is a third-party cookie in the
    // frame.
    return site.url.replace('127.0.0.1', 'localhost');
  });

const BAR = '#preview-bar';

test('an editor sees drafts on all pages until the exit, and a visitor sees none', async ({
  browser,
  base,
}) => {
  const editor = await openPage(browser);
  const visitor = await openPage(browser);
  const heading = editor.page.locator('main h1');
  await editor.page.goto(base + preview(DRAFT_ARTICLE));
  await hydrated(editor.page);
  // A script removes the invisible marks of fields from the texts.
  await eventually(async () =>
    expect(await heading.textContent()).toBe("Zebra Planning next year's corridors"),
  );
  expect(await editor.page.locator(BAR).innerText()).toContain('Draft · Edit · Exit');
  expect(await editor.page.evaluate(() => document.cookie)).toBe('');

  // A navigation without loading a document.
  await editor.page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await editor.page.locator('header a[href="/about"]:visible').first().click();
  await eventually(async () => expect(await heading.textContent()).toMatch(/^Zebra A short way/));
  expect(await editor.page.evaluate(() => 'isSameDocument' in window)).toBe(true);
  expect(await editor.page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');

  await visitor.page.goto(`${base}/about`);
  expect(await visitor.page.content()).not.toContain('Zebra');

  await editor.page.locator(`${BAR} > a`).click();
  await editor.page.waitForURL(`${base}/about`);
  expect(await editor.page.content()).not.toMatch(/Zebra|preview-bar/);
  expect([...editor.complaints, ...visitor.complaints]).toEqual([]);
  await Promise.all([editor.close(), visitor.close()]);
});

test('the frame of the CMS shows each change and keeps the editor’s scroll position', async ({
  browser,
  admin,
  base,
  cms,
}) => {
  const { page, complaints, close } = await openPage(browser);
  await page.goto(`${admin.url}/?src=${encodeURIComponent(base + preview(ARTICLE))}`);
  const frame = await frameOf(page);
  const heading = frame.locator('main h1');
  await eventually(async () => expect(await page.evaluate('messages')).toEqual([['previewReady', base]]));
  const payloads: string[] = [];
  page.on('request', request => {
    if (request.url().includes('_payload.json')) payloads.push(request.url());
  });
  await frame.evaluate(() => scrollTo(0, 700));
  // A message that is not from the CMS.
  await frame.evaluate(() => window.postMessage({ type: 'strapiUpdate' }, '*'));
  cms.mark = 'Gnu';
  await page.evaluate(
    "document.querySelector('iframe').contentWindow.postMessage({ type: 'strapiUpdate' }, '*')",
  );
  await eventually(async () => expect(await heading.textContent()).toMatch(/^Gnu Reading/));
  expect(await frame.evaluate(() => scrollY)).toBe(700);
  expect(await frame.evaluate(() => document.title)).toContain('Gnu');
  expect(payloads.length).toBe(1);
  cms.mark = 'Zebra';

  // Another tab shows the published content.
  await page.goto(`${admin.url}/?src=${encodeURIComponent(base + preview(ARTICLE, 'published'))}`);
  const published = await frameOf(page);
  expect(await published.locator('main h1').textContent()).toMatch(/^Reading/);
  expect(await published.locator(BAR).innerText()).toContain('Published · Exit');
  expect(complaints).toEqual([]);
  await close();
});

test('no other site shows a preview in a frame, and the CMS shows no public page', async ({
  browser,
  admin,
  base,
}) => {
  const { page, close } = await openPage(browser);
  const elsewhere = await startAdmin();
  for (const [parent, shown, roots] of [
    [admin.url, '/about', 0],
    [elsewhere.url, preview('/about'), 0],
    [admin.url, preview('/about'), 1],
  ] as const) {
    await page.goto(`${parent}/?src=${encodeURIComponent(`${base}${shown}`)}`);
    expect(await page.frames()[1]?.locator('#root').count(), parent + shown).toBe(roots);
  }
  await elsewhere.close();
  await close();
});
