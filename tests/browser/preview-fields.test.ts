import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { MARK } from '../../shared/payload/preview-notes.ts';
import { WORDS } from '../../site/all-words.ts';
import { hydrated, openPage } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { DRAFT_ARTICLE, PREVIEW_ENV, SECRET, startDraftCms } from '../support/preview-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { startSite } from '../support/start-site.ts';

const test = browserTest.extend('base', { scope: 'file' }, async ({}, { onCleanup }) => {
  const cms = await startDraftCms();
  const site = await startSite({
    contentBaseUrl: cms.url,
    env: { ...PREVIEW_ENV, PREVIEW_FRAME_ORIGINS: 'http://cms.test' },
  });
  onCleanup(async () => {
    await site.close();
    await cms.close();
  });
  return site.url;
});

type Text = readonly [text: string, field: string | null];

/** @returns the visible texts of a page, each with its field. A link to a heading has the heading's. */
function textsOf(page: Page): Promise<Text[]> {
  return page.evaluate(() => {
    const ownerOf = (element: Element) => element.closest('[data-field]');
    const walker = document.createTreeWalker(
      document.getElementById('root') ?? document,
      NodeFilter.SHOW_TEXT,
    );
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const [parent, text] = [node.parentElement, node.nodeValue?.trim()];
      if (!parent || !text || !parent.checkVisibility()) continue;
      const heading = parent.closest('a[href^="#"]')?.getAttribute('href')?.slice(1);
      const owner = ownerOf(parent) ?? (heading && document.getElementById(heading)?.closest('[data-field]'));
      texts.push([text, (owner || null)?.getAttribute('data-field') ?? null]);
    }
    return texts;
  });
}

/** The words of the interface, which are no content: editors change them in the settings. */
const CATALOGUE = Object.values<unknown>(WORDS.en)
  .flatMap(value => (typeof value === 'string' ? [value] : Object.values(value ?? {}).map(String)))
  .filter(text => text.replaceAll(/\{\w+\}/g, '').trim() !== '')
  .map(text => new RegExp(`^${text.replaceAll(/[.*+?()[\]|$^]/g, '.').replaceAll(/\{\w+\}/g, '.+')}$`));
const isOfInterface = ([text]: Text) => CATALOGUE.some(pattern => pattern.test(text));
const countWords = (texts: readonly Text[]) => texts.flatMap(([text]) => text.split(/\s+/)).length;

test('over 95 % of the content’s visible words on all sample pages together are marked with a field', async ({
  browser,
  base,
}) => {
  const { page, complaints, close } = await openPage(browser);
  await page.goto(`${base}/api/preview?${new URLSearchParams({ url: '/', secret: SECRET })}`);
  const content: Text[] = [];
  for (const path of [...Object.values(SAMPLE_PATHS), DRAFT_ARTICLE]) {
    await page.goto(base + path);
    await hydrated(page);
    await page.locator('[data-field]').first().waitFor({ state: 'attached' });
    const html = `${await page.title()}${await page.locator('body').evaluate(body => body.innerHTML.split('<script')[0])}`;
    expect(html, path).not.toMatch(MARK);
    content.push(...(await textsOf(page)).filter(text => text[1] !== null || !isOfInterface(text)));
  }
  const owned = countWords(content.filter(([, field]) => field !== null)) / countWords(content);
  expect(owned).toBeGreaterThan(0.95);
  // Ignore scripts that were still loading when the next page was opened.
  expect(complaints.filter(complaint => !complaint.includes('ERR_ABORTED'))).toEqual([]);
  await close();
});

test('each text, picture and block is marked with its own entry and field', async ({ browser, base }) => {
  const { page, complaints, close } = await openPage(browser);
  const fieldsOf = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll(all => all.map(one => one.closest('[data-field]')?.getAttribute('data-field')));
  await page.goto(
    `${base}/api/preview?${new URLSearchParams({ url: SAMPLE_PATHS['blog-article'], secret: SECRET })}`,
  );
  await hydrated(page);
  await page.locator('main h1[data-field]').waitFor();
  const [title = ''] = await fieldsOf('main h1');
  expect(title).toMatch(/^articles:\w+\.title$/);
  const entry = title?.replace('.title', '');
  expect(await fieldsOf('main article h2[id], main article p:has(> strong)')).toContain(`${entry}.body`);
  expect(await fieldsOf('main a[href^="/blog/authors/"]')).toContainEqual(
    expect.stringMatching(/^authors:\w+\.name$/),
  );
  expect((await fieldsOf('main time')).slice(0, 1)).toEqual([`${entry}.date`]);
  expect(await fieldsOf('header nav a')).toContainEqual(
    expect.stringMatching(/^settings:\w+\.headerLinks\.0\.title$/),
  );
  await page.goto(`${base}/blog/guides/what-a-page-can-show`);
  await hydrated(page);
  await page.locator('main h1[data-field]').waitFor();
  // The pictures of a text, and those of its sections.
  const pictures = await fieldsOf('main article figure img');
  expect(pictures[0]).toMatch(/^articles:\w+\.(?:cover|body)$/);
  expect(pictures.at(-1)).toMatch(/^articles:\w+\.sections\.\d+$/);
  expect(complaints).toEqual([]);
  await close();
});
