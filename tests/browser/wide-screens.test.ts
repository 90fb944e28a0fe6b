import type { Browser, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { openPage, STILL } from '../support/browser.ts';
import { sampleTest as it } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { some } from '../support/in-full.ts';
import { SAMPLE_PATHS, SAMPLE_ROUTES } from '../support/sample-paths.ts';

const ARTICLE = SAMPLE_PATHS['blog-article'];
const PRODUCT = SAMPLE_PATHS['business-solution'];
const PAGES = [SAMPLE_PATHS.page, PRODUCT, ARTICLE];
const WINDOWS = [
  { width: 1200, height: 900 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
] as const;

/** Pages with less content than others of their routes, such as an article without questions. */
const EMPTIER = ['/blog/cases/spare-parts-on-invoice', '/what-forms-ask'];

/** The limits of an empty zone in px: a wider zone must be lower than this height. */
const EMPTY = { width: 400, height: 900 };

const leftOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(element => Math.round(element.getBoundingClientRect().left));
/**
 * @returns the empty zones of `main`, in bands as high as the limit. In a very wide window the margins
 * beside the frame do not count.
 */
function emptyZones({ width, height }: typeof EMPTY): string[] {
  const main = document.querySelector('main') as HTMLElement;
  const frame = main.querySelector('.el-frame') as HTMLElement;
  const { paddingLeft, paddingRight } = getComputedStyle(frame);
  const box = frame.getBoundingClientRect();
  const [left, right] =
    innerWidth < 1600
      ? [0, innerWidth]
      : [box.left + Number.parseFloat(paddingLeft), box.right - Number.parseFloat(paddingRight)];
  const filled: DOMRect[] = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Element) {
      const { x, y, width, height } = node.getBoundingClientRect();
      // A sticky element moves along with the text beside it.
      if (getComputedStyle(node).position === 'sticky' && node.parentElement)
        filled.push(new DOMRect(x, y, width, node.parentElement.getBoundingClientRect().bottom - y));
      else if (node.matches('img, svg, video, audio, iframe, input, textarea, select, pre, table'))
        filled.push(new DOMRect(x, y, width, height));
    } else if (node.textContent?.trim()) {
      range.selectNodeContents(node);
      filled.push(...range.getClientRects());
    }
  }
  const { top, bottom } = main.getBoundingClientRect();
  const zones: string[] = [];
  for (let y = top; y + height <= bottom; y += 50) {
    const spans = filled
      .filter(rect => rect.top < y + height && rect.bottom > y && rect.width > 0)
      .map(rect => [rect.left, rect.right] as const)
      .toSorted(([a], [b]) => a - b);
    let end = left;
    for (const [from, to] of [...spans, [right, right] as const]) {
      if (from - end > width)
        zones.push(`${Math.round(end)} to ${Math.round(from)} from ${Math.round(y)} on`);
      end = Math.max(end, to);
    }
  }
  return zones;
}

async function expectFilled(browser: Browser, url: string): Promise<void> {
  const { page, close } = await openPage(browser, STILL);
  for (const size of WINDOWS) {
    await page.setViewportSize(size);
    await page.goto(url);
    expect([size.width, await page.evaluate(emptyZones, EMPTY)]).toEqual([size.width, []]);
  }
  await close();
}

describe('wide screens', () => {
  it.for([...EMPTIER, ...some(SAMPLE_ROUTES, 3).map(({ id }) => SAMPLE_PATHS[id])])(
    'no page has a large empty zone: %s',
    async (path, { browser, site }) => expectFilled(browser, site.url + path),
  );

  it('the hits of a search leave no large empty zone', async ({ browser, site }) => {
    const { search } = site.site;
    search.begin();
    await eventually(async () => {
      const query = { text: 'a', type: null, category: null, page: 1, size: 10, hasSnippets: false };
      expect((await search.find(query)).total).toBeGreaterThan(10);
    });
    await expectFilled(browser, `${site.url}/search?q=a`);
  });

  it.for(PAGES)(
    'heading, text and questions have the same left edge, beside the table of contents: %s',
    async (path, { browser, site }) => {
      const { page, close } = await openPage(browser, STILL);
      for (const size of WINDOWS) {
        await page.setViewportSize(size);
        await page.goto(site.url + path);
        const edge = await leftOf(page, 'main h1');
        expect(await leftOf(page, 'main .el-rich-text > p')).toBe(edge);
        expect(await leftOf(page, '#questions-title')).toBe(edge);
        expect(await leftOf(page, '.el-table-of-contents')).toBeLessThan(edge);
        const widths = await page
          .locator('main .el-rich-text > p')
          .evaluateAll(all => all.map(element => element.getBoundingClientRect().width));
        expect(Math.max(...widths)).toBeLessThanOrEqual(38 * 16);
      }
      await close();
    },
  );

  it.for([
    [WINDOWS[1], 720],
    [{ width: 360, height: 800 }, 1000],
  ] as const)(
    'subscribe block and footer are not too high: %o',
    async ([viewport, limit], { browser, site }) => {
      const { page, close } = await openPage(browser, { ...STILL, viewport });
      for (const path of ['/', SAMPLE_PATHS.blog, SAMPLE_PATHS.page]) {
        await page.goto(site.url + path);
        const [subscribe = NaN, footer = NaN] = await page
          .locator('#subscribe, footer')
          .evaluateAll(all => all.map(element => element.getBoundingClientRect().height));
        expect(subscribe + footer).toBeLessThanOrEqual(limit);
        if (path === SAMPLE_PATHS.page) expect(subscribe).toBeLessThanOrEqual(120);
      }
      await close();
    },
  );

  it('the table of contents marks the section that is being read', async ({ browser, site }) => {
    const { page, close } = await openPage(browser, { ...STILL, viewport: WINDOWS[1] });
    await page.goto(site.url + ARTICLE);
    const links = page.locator('.el-table-of-contents a');
    const marked = page.locator('.el-table-of-contents a[aria-current]');
    await links.nth(2).click();
    await expect.poll(() => marked.allTextContents()).toEqual([await links.nth(2).textContent()]);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => marked.count()).toBe(0);
    await close();
  });

  it.for([WINDOWS[1], { width: 360, height: 800 }])(
    'the text of an article begins in the first screen: %o',
    async (viewport, { browser, site }) => {
      const { page, close } = await openPage(browser, { ...STILL, viewport });
      await page.goto(site.url + ARTICLE);
      const box = await page.locator('main .el-rich-text > p').first().boundingBox();
      expect(box?.y).toBeLessThanOrEqual(800);
      await close();
    },
  );

  it('the three cards of a category are one row on a tablet', async ({ browser, site }) => {
    const { page, close } = await openPage(browser, { ...STILL, viewport: { width: 768, height: 1024 } });
    await page.goto(site.url + SAMPLE_PATHS.blog);
    const rows = await page
      .locator('main section ul:has(> :nth-child(3))')
      .evaluateAll(lists =>
        lists.map(
          ({ children }) => new Set(Array.from(children, card => card.getBoundingClientRect().top)).size,
        ),
      );
    expect(new Set(rows)).toEqual(new Set([1]));
    await close();
  });

  it('the offer and the related entries of a product have space around them on a phone', async ({
    browser,
    site,
  }) => {
    const { page, close } = await openPage(browser, { ...STILL, viewport: { width: 360, height: 800 } });
    await page.goto(site.url + PRODUCT);
    const gaps = await page.locator('main .el-offer').evaluate(offer => {
      const box = (element: Element | null) => (element as Element).getBoundingClientRect();
      return [
        box(offer).top - box(offer.previousElementSibling).bottom,
        box(offer.nextElementSibling).top - box(offer).bottom,
      ];
    });
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(24);
    await close();
  });
});
