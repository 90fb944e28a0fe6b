import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuiltSite } from '../faults/built-site.ts';
import { launchBrowser, openPage, STILL } from '../support/browser.ts';
import { buildBrand } from '../support/built-brand.ts';
import { patient } from '../support/patience.ts';

/** Both brands, each with a name of forty letters. */
const BRANDS = [
  {
    brand: 'kessler',
    siteName: 'Kessler Schüttgutförderanlagen Süd-Werke',
    lines: ['Kessler Schüttgutförderanlagen', 'Süd-Werke'],
    pages: ['/', '/blog', '/blog/instandhaltung/stillstand-planen', '/contacts', '/search?q=Gurt'],
  },
  {
    brand: 'rahma',
    siteName: 'جمعية رحمة الخيرية لدعم القرى والمدارس معا',
    lines: ['جمعية رحمة الخيرية لدعم', 'القرى والمدارس معا'],
    pages: ['/', '/blog', '/blog/villages/one-well-one-year', '/contacts'],
  },
] as const;
const WIDTHS = [320, 360, 480, 768, 1024, 1280, 1440, 1920];

/**
 * @returns interface words broken across lines, and lines that begin with punctuation. Uses text rectangles.
 */
function wrongLines(): string[] {
  const isOfInterface = (element: Element) =>
    element.closest('button, label, legend, summary, .el-button') !== null ||
    // Inside `main` a `header` holds a heading of the content, not of the interface.
    (element.closest('header') !== null && element.closest('main') === null) ||
    // Titles of the footer's links are content, in two narrow columns on phones.
    (element.closest('footer') !== null && element.closest('nav') === null);
  const found = new Set<string>();
  const range = document.createRange();
  const rectsOf = (node: Node, from: number, to: number) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement;
    if (!parent?.checkVisibility() || parent.closest('script, style, noscript, pre, svg')) continue;
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      const lines = new Set(rectsOf(node, index, index + word.length).map(({ top }) => Math.round(top / 4)));
      // A word with a hyphen, and an address, may break.
      if (lines.size > 1 && isOfInterface(parent) && !/\S[-/@.]\S/.test(word)) found.add(`broken: ${word}`);
      for (const sign of word.slice(1).matchAll(/[.,;:!?)\]»”…،؛؟]/g)) {
        const at = index + 1 + sign.index;
        const [[own], [before]] = [rectsOf(node, at, at + 1), rectsOf(node, at - 1, at)];
        if (own && before && own.top >= before.bottom - 2) found.add(`begins a line: ${sign[0]} of ${word}`);
      }
    }
  }
  return [...found];
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each(BRANDS)(
  'the words of $brand with a name of forty letters',
  ({ brand, siteName, lines, pages }) => {
    let site: BuiltSite;
    let content: string;
    beforeAll(async () => {
      content = await mkdtemp(path.join(os.tmpdir(), 'long-name-'));
      await cp(path.resolve(import.meta.dirname, `../brands/${brand}/content`), content, { recursive: true });
      const file = path.join(content, 'settings.json');
      const settings = JSON.parse(await readFile(file, 'utf8'));
      await writeFile(file, JSON.stringify({ ...settings, siteName }));
      site = await (await buildBrand(brand)).start({ env: { CONTENT_DIR: content } });
    }, patient(240_000));
    afterAll(async () => {
      await site?.dispose();
      await rm(content, { recursive: true });
    });

    it.each(pages)(
      'no word of the interface is broken, and no line begins with punctuation: %s',
      async address => {
        const { page, close } = await openPage(browser, STILL, /net::ERR_ABORTED/);
        const wrong: string[] = [];
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(site.url + address);
          await page.evaluate(() => document.fonts.ready);
          for (const line of await page.evaluate(wrongLines)) wrong.push(`${width}: ${line}`);
        }
        expect(wrong).toEqual([]);
        await close();
      },
    );

    it('the name in the footer fills two lines inside the window, hardly stretched', async () => {
      const { page, close } = await openPage(browser, { ...STILL, viewport: { width: 360, height: 800 } });
      await page.goto(site.url);
      await page.evaluate(() => document.fonts.ready);
      const found = await page.locator('footer svg[viewBox^="3 0"] text').evaluateAll(all =>
        all.map(line => {
          const { left, right } = line.getBoundingClientRect();
          const svg = line as SVGTextElement;
          const shown = svg.textLength.baseVal.value;
          svg.removeAttribute('textLength');
          return {
            text: svg.textContent,
            isWhole: left >= 0 && right <= innerWidth,
            stretch: shown / svg.getComputedTextLength(),
          };
        }),
      );
      expect(found.map(({ text }) => text)).toEqual(lines);
      for (const { isWhole, stretch } of found) {
        expect(isWhole).toBe(true);
        // The widths of joined Arabic letters are estimated.
        expect(Math.abs(stretch - 1)).toBeLessThan(brand === 'kessler' ? 0.02 : 0.2);
      }
      await close();
    });
  },
);
