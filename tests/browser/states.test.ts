import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { contrast, type Rgb } from '../../shared/contrast.ts';
import { hydrated, openPage, STILL } from '../support/browser.ts';
import { sampleTest as it } from '../support/browser-test.ts';
import { some } from '../support/in-full.ts';
import { SAMPLE_PATHS, SAMPLE_ROUTES } from '../support/sample-paths.ts';

const PHONE = { width: 360, height: 800 };
const WIDE = { width: 1440, height: 900 };
/** The values of WCAG 2.2, "text spacing". */
const SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`;

/** @returns the texts that overflow an element which clips its overflow. */
function cutTexts(): string[] {
  const cut: string[] = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.textContent?.trim() || !node.parentElement?.checkVisibility()) continue;
    if (node.parentElement.closest('.el-visually-hidden, .el-skip-link, .el-wordmark')) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    for (let box: Element | null = node.parentElement; box; box = box.parentElement) {
      const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(box);
      // Accept an ellipsis, because the page behind the card has the whole text.
      if (webkitLineClamp !== 'none') break;
      const { left, right, top, bottom } = box.getBoundingClientRect();
      const isCut = rects.some(
        rect =>
          (/hidden|clip/.test(overflowX) && (rect.left < left - 1 || rect.right > right + 1)) ||
          (/hidden|clip/.test(overflowY) && (rect.top < top - 1 || rect.bottom > bottom + 1)),
      );
      if (isCut) cut.push(`${node.textContent.trim().slice(0, 40)} in ${box.className}`);
      // Stop at a scroll container: visitors can scroll its text into view.
      if (/auto|scroll/.test(overflowX + overflowY)) break;
    }
  }
  return cut;
}

async function rectOf(page: Page, selector: string) {
  const rect = await page.locator(selector).first().boundingBox();
  if (!rect) throw new Error(`${selector} is not shown`);
  return { ...rect, right: rect.x + rect.width, bottom: rect.y + rect.height };
}

describe('text spacing', () => {
  it.for(some(SAMPLE_ROUTES, 4).map(({ id }) => SAMPLE_PATHS[id]))(
    'text spacing cuts no text: %s',
    async (path, { browser, site }) => {
      const { page, close } = await openPage(browser, { ...STILL, bypassCSP: true });
      for (const viewport of [PHONE, WIDE]) {
        await page.setViewportSize(viewport);
        await page.goto(site.url + path);
        await page.addStyleTag({ content: SPACING });
        expect(await page.evaluate(cutTexts), String(viewport.width)).toEqual([]);
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(beyond, `${path} scrolls sideways`).toBe(0);
      }
      await close();
    },
  );
});

it.for(['light', 'dark'] as const)(
  'with more contrast, links in texts have a contrast of 7:1 (%s)',
  async (colorScheme, { browser, site }) => {
    const { page, close } = await openPage(browser, { contrast: 'more', colorScheme });
    await page.goto(site.url + SAMPLE_PATHS['blog-article']);
    const colors = await page.locator('main .el-rich-text p > a').evaluateAll(links => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      const rgbOf = (color: string) => {
        if (canvas) canvas.fillStyle = color;
        canvas?.fillRect(0, 0, 1, 1);
        return [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
      };
      const ground = rgbOf(getComputedStyle(document.documentElement).backgroundColor);
      return links.map(link => [rgbOf(getComputedStyle(link).color), ground]);
    });
    expect(colors.length).toBeGreaterThan(0);
    for (const [ink, ground] of colors)
      expect(contrast(ink as unknown as Rgb, ground as unknown as Rgb)).toBeGreaterThanOrEqual(7);
    await close();
  },
);

it('the landing page has at most six named regions', async ({ browser, site }) => {
  const { page, close } = await openPage(browser, STILL);
  await page.goto(site.url);
  const names = await page.getByRole('region').evaluateAll(all => all.map(region => region.id));
  expect(names.length).toBeGreaterThan(0);
  expect(names.length).toBeLessThanOrEqual(6);
  await close();
});

it('a video without a poster shows the cover of the page', async ({ browser, site }) => {
  const { page, close } = await openPage(browser, STILL);
  await page.goto(`${site.url}/blog/engineering/what-a-page-can-show`);
  const pictures = await page
    .locator('main .el-rich-parts__poster')
    .evaluateAll(all => all.map(film => film.querySelector('img')?.getAttribute('src')));
  expect(pictures.length).toBeGreaterThan(1);
  expect(pictures).not.toContain(undefined);
  expect(pictures[0]).toContain('cover-machines');
  await close();
});

describe('the first screen', () => {
  it('the contact form begins in the first screen, before the text', async ({ browser, site }) => {
    const { page, close } = await openPage(browser, STILL);
    for (const [viewport, field] of [
      [PHONE, '#contact-email'],
      [WIDE, '#contact-message'],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.goto(`${site.url}/contacts`);
      expect((await rectOf(page, field)).bottom).toBeLessThanOrEqual(viewport.height);
      const text = await rectOf(page, 'main .el-rich-text');
      expect(text.y).toBeGreaterThan((await rectOf(page, '#contacts form')).bottom);
    }
    await close();
  });

  it('the offer is in the header bar of a phone, and nothing in the bar is cut', async ({
    browser,
    site,
  }) => {
    const { page, close } = await openPage(browser, { ...STILL, viewport: PHONE });
    await page.goto(site.url);
    await hydrated(page);
    const offer = await rectOf(page, 'header .el-site-header__short');
    const menu = await rectOf(page, 'header button[aria-haspopup=dialog]');
    const logo = await rectOf(page, 'header .el-logo');
    expect(logo.right).toBeLessThanOrEqual(offer.x);
    expect(offer.right).toBeLessThanOrEqual(menu.x + 1);
    expect(menu.right).toBeLessThanOrEqual(PHONE.width);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.locator('dialog[open]').waitFor();
    // No link of a longer menu shows between the button and the edge of the window.
    await page.setViewportSize({ ...PHONE, height: 480 });
    const button = await rectOf(page, 'dialog .el-site-header__short');
    expect(480 - button.bottom).toBeLessThanOrEqual(16);
    await close();
  });

  it('the facts of a product stand beside its text on wide screens', async ({ browser, site }) => {
    const { page, close } = await openPage(browser, { ...STILL, viewport: WIDE });
    await page.goto(site.url + SAMPLE_PATHS['business-solution']);
    const facts = await rectOf(page, '.el-facts');
    const text = await rectOf(page, 'main .el-rich-text > p');
    expect(facts.x).toBeGreaterThan(text.right);
    expect(Math.abs(facts.y - (await rectOf(page, 'main .el-rich-text')).y)).toBeLessThanOrEqual(1);
    expect(facts.bottom - facts.y, 'the facts are one panel').toBeLessThanOrEqual(400);
    await close();
  });

  it('notes stand in the margin on wide screens, and overlap nothing', async ({ browser, site }) => {
    const { page, close } = await openPage(browser, { ...STILL, viewport: WIDE });
    await page.goto(`${site.url}/blog/engineering/what-a-page-can-show`);
    const rects = await page
      .locator('main .el-rich-text > *')
      .evaluateAll(all =>
        all.map(element => [element.getAttribute('role'), element.getBoundingClientRect().toJSON()] as const),
      );
    const notes = rects.flatMap(([role, rect]) => (role === 'note' ? [rect as DOMRect] : []));
    const others = rects.flatMap(([role, rect]) => (role === 'note' ? [] : [rect as DOMRect]));
    expect(notes.length).toBeGreaterThan(1);
    for (const note of notes)
      expect(
        others.filter(
          ({ left, right, top, bottom }) =>
            left < note.right && right > note.left && top < note.bottom && bottom > note.top,
        ),
      ).toEqual([]);
    await close();
  });

  it('a table of five rows is lower than 560 px on a phone', async ({ browser, site }) => {
    const { page, close } = await openPage(browser, { ...STILL, viewport: PHONE });
    await page.goto(site.url + SAMPLE_PATHS['business-solution']);
    const rows = page.locator('main .el-rich-text table').first().locator('tr');
    expect(await rows.count()).toBeGreaterThanOrEqual(5);
    expect((await rectOf(page, 'main .el-rich-text table')).height).toBeLessThanOrEqual(560);
    await close();
  });
});
