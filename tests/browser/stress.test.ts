import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend.ts';
import { some } from '../support/in-full.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';
import { putUnderStress, type Stress } from '../support/stress-content.ts';

const WIDTHS = some([320, 360, 1280, 768, 1920], 2);
const PATHS = some(
  [
    '/',
    '/blog',
    '/blog/guides/accepting-cards-in-spain',
    '/blog/guides',
    '/business-solutions/payouts',
    '/about',
    '/no/such/page',
  ],
  3,
);

let browser: Browser;
let backend: FakeBackend;
beforeAll(async () => {
  [browser, backend] = await Promise.all([launchBrowser(), startFakeBackend()]);
});
afterAll(async () => {
  await browser.close();
  await backend.close();
});

/** Missing pictures are expected. */
const isUnexpected = (complaint: string) => !complaint.includes('status of 404');

async function withStress(stress: Stress, check: (site: RunningSite) => Promise<void>): Promise<void> {
  backend.reset();
  putUnderStress(backend, stress);
  const site = await startSite({ contentBaseUrl: backend.url });
  try {
    await check(site);
  } finally {
    await site.close();
  }
}

/** @returns elements wider than the window, or sticking out of it outside a scroll area. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page: ${scrollWidth} of ${clientWidth}`] : [];
    for (const element of document.querySelectorAll('body *:not(svg *)')) {
      const { left, right, width, height } = element.getBoundingClientRect();
      if (width <= 1 || height <= 1 || (left >= -1 && right <= clientWidth + 1)) continue;
      // Pictures, the map and the contents of scroll areas may extend beyond the window.
      if (element.closest('svg, img, [data-scroll-area], pre, .el-visually-hidden, .el-skip-link')) continue;
      if (!element.textContent?.trim() || element.querySelector('svg[role=img]')) continue;
      // A closed menu shows nothing.
      if (!element.checkVisibility({ contentVisibilityAuto: false })) continue;
      found.push(`${element.tagName}.${element.className} ${Math.round(left)}–${Math.round(right)}`);
    }
    return found.slice(0, 5);
  });
}

/** Extra checks on the landing page for some kinds of stress. */
const ON_LANDING: Partial<Record<Stress, (page: Page) => Promise<void>>> = {
  /** A block without content is not rendered. */
  async nothing(page) {
    expect(await page.locator('main section').count()).toBe(0);
    expect(await page.locator('h1').count()).toBe(1);
  },
  /** The list has all forty countries. The map still draws lines between those that it knows. */
  async forty(page) {
    expect(await page.locator('#countries-title').innerText()).toBe('40 countries');
    const map = page.getByRole('img', { name: /^Map of the world with lines between \d+ countries$/ });
    expect(await map.count()).toBe(1);
  },
};

describe.each<Stress>(['forty', 'one', 'nothing', 'long-words'])('with content like %s', stress => {
  it('each page keeps its layout in both text directions, and shows no empty block', async () => {
    await withStress(stress, async site => {
      const { page, complaints, close } = await openPage(browser, { reducedMotion: 'reduce' });
      const found: Record<string, string[]> = {};
      for (const path of PATHS) {
        await page.goto(site.url + path);
        await hydrated(page);
        const check = path === '/' ? ON_LANDING[stress] : undefined;
        if (check) {
          await check(page);
          expect(complaints.filter(isUnexpected)).toEqual([]);
        }
        // The open search is the densest small area of the header.
        if (path === '/')
          await page.evaluate(() =>
            document.querySelector('header search')?.closest('details')?.setAttribute('open', ''),
          );
        for (const direction of ['ltr', 'rtl']) {
          await page.evaluate(dir => document.documentElement.setAttribute('dir', dir), direction);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            const problems = await overflowing(page);
            if (problems.length > 0) found[`${path} ${direction} ${width}`] = problems;
          }
        }
      }
      await close();
      expect(found).toEqual({});
    });
  });
});

it('the overflow check finds an element that is too wide', async () => {
  const { page, close } = await openPage(browser, { viewport: { width: 320, height: 600 } });
  await page.setContent('<main><p><span>aaaa</span></p></main>');
  await page.evaluate(() => {
    const paragraph = document.querySelector('p') as HTMLElement;
    paragraph.style.marginInlineStart = '-40px';
  });
  expect(await overflowing(page)).toEqual([expect.stringContaining('P.'), expect.stringContaining('SPAN.')]);
  await close();
});
