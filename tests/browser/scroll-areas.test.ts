import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  SCROLLBAR_KEY_STEP_PX,
  SCROLLBAR_SCROLLING_THRESHOLD_MS,
  SCROLLBAR_WHEEL_SPEED,
  UI_BASE_Z_INDEX,
  UI_NAMESPACE,
} from '../../shared/constants.ts';
import { hydrated, launchBrowser, openPage, type WatchedPage } from '../support/browser.ts';
import { DEVICES } from '../support/devices.ts';
import { inFull, some } from '../support/in-full.ts';
import { SAMPLE_PATHS, SAMPLE_ROUTES, type SampleSite, startSampleSite } from '../support/sample-site.ts';

const LANDING_LAST = SAMPLE_ROUTES.toSorted((a, b) => Number(a.id === 'home') - Number(b.id === 'home'));
const CATEGORIES = 'nav[aria-label="Categories"]';
const NARROW: BrowserContextOptions = { viewport: { width: 260, height: 700 } };

let site: SampleSite;
let browser: Browser;
let watched: WatchedPage;
let page: Page;
/** Requests of this page for the scrollbar package. */
let packages: string[];

beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
});
afterEach(() => watched.close());
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function open(
  path: string,
  options: BrowserContextOptions,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<void> {
  watched = await openPage(browser, options);
  page = watched.page;
  packages = [];
  page.on('request', request => {
    if (/\/perfect-scrollbar\S*\.js$/.test(request.url())) packages.push(request.url());
  });
  await prepare?.(page);
  await page.goto(site.url + path);
  await hydrated(page);
  await looked();
}

/** Waits until the page has looked for scroll areas, which it does in its first idle time. */
function looked(): Promise<void> {
  return page.evaluate(() => new Promise(resolve => requestIdleCallback(() => resolve())));
}

const overflows = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(area => area.scrollWidth > area.clientWidth || area.scrollHeight > area.clientHeight);
const dressed = (selector: string) => page.locator(`${selector}.ps`).first().waitFor({ state: 'attached' });
const scrollLeft = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(area => area.scrollLeft);

describe('the scrollbar package', () => {
  it.each(some(LANDING_LAST, 1).map(({ id }) => SAMPLE_PATHS[id]))(
    'the scrollbar package is not loaded for %s, where no area overflows',
    async path => {
      await open(path, DEVICES.desktop);
      expect(packages).toEqual([]);
      expect(await page.locator('.ps').count()).toBe(0);
    },
  );

  it('the scrollbar package is not loaded on a touch screen, where an area overflows', async () => {
    await open('/blog', { ...DEVICES.mobile, ...NARROW });
    expect(await overflows(CATEGORIES)).toBe(true);
    expect(packages).toEqual([]);
    // The area scrolls natively.
    await page.locator(CATEGORIES).evaluate(area => area.scrollBy(40, 0));
    expect(await scrollLeft(CATEGORIES)).toBe(40);
  });

  it('the scrollbar package is loaded once for a category bar that overflows with a fine pointer', async () => {
    await open('/blog', NARROW);
    expect(await overflows(CATEGORIES)).toBe(true);
    await dressed(CATEGORIES);
    expect(packages).toHaveLength(1);
    await page.locator(CATEGORIES).getByRole('link', { name: 'Guides' }).click();
    await page.locator('main h1', { hasText: 'Guides' }).waitFor();
    await dressed(CATEGORIES);
    await looked();
    expect(packages).toHaveLength(1);
  });

  it('the scrollbar package is loaded for a wide table after a navigation to it', async () => {
    await open('/about', NARROW);
    expect(packages).toEqual([]);
    await page.locator('footer').getByRole('link', { name: 'Privacy' }).click();
    await dressed('main [role=region][data-scroll-area]');
    expect(packages).toHaveLength(1);
  });

  it('the scrollbar package is loaded for an open menu higher than the window, and does not move the menu', async () => {
    await open('/about', { viewport: { width: 360, height: 320 } });
    expect(packages).toEqual([]);
    // The page scrolls up a little, which shows the header.
    await page.mouse.wheel(0, 900);
    await page.waitForFunction(() => scrollY > 500);
    await page.mouse.wheel(0, -200);
    await page.locator('header.is-sticky').waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await dressed('dialog');
    expect(packages).toHaveLength(1);
    const box = await page.locator('dialog').boundingBox();
    expect(box).toMatchObject({ x: 0, y: 0, height: 320 });
    await page.mouse.move(180, 200);
    await page.mouse.wheel(0, 5_000);
    const last = page.locator('dialog').getByRole('link', { name: 'Contacts' });
    await expect.poll(async () => (await last.boundingBox())?.y).toBeLessThan(320);
  });
});

describe('the options of the scrollbar package', () => {
  it('an arrow key scrolls an area by 30 px, whichever of its elements is focused', async () => {
    await open('/privacy', NARROW);
    const table = 'main [role=region][data-scroll-area]';
    await dressed(table);
    await page.locator(table).first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await scrollLeft(table)).toBe(30);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    expect(await scrollLeft(table)).toBe(60);
    // A key scrolls once even with the pointer over the area.
    await page.locator(table).first().hover();
    await page.keyboard.press('ArrowLeft');
    expect(await scrollLeft(table)).toBe(30);
    expect(SCROLLBAR_KEY_STEP_PX).toBe(30);
  });

  if (inFull) {
    it('an arrow key scrolls the category bar by 30 px while the pointer is over it', async () => {
      await open('/blog', NARROW);
      await dressed(CATEGORIES);
      await page.locator(CATEGORIES).hover();
      await page.keyboard.press('ArrowRight');
      expect(await scrollLeft(CATEGORIES)).toBe(30);
    });
  }

  it('the wheel scrolls an area by the distance of the wheel, and shows the scrollbar for 1,000 ms', async () => {
    await open('/blog', NARROW, target => target.clock.install());
    await dressed(CATEGORIES);
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.locator(CATEGORIES).hover();
    await page.mouse.wheel(25, 0);
    await page.waitForFunction(selector => document.querySelector(selector)?.scrollLeft, CATEGORIES);
    expect(await scrollLeft(CATEGORIES)).toBe(25 * SCROLLBAR_WHEEL_SPEED);
    expect(SCROLLBAR_WHEEL_SPEED).toBe(1);
    expect(SCROLLBAR_SCROLLING_THRESHOLD_MS).toBe(1_000);
    const scrolling = page.locator(`${CATEGORIES}.ps--scrolling-x`);
    await scrolling.waitFor();
    await page.clock.runFor(999);
    expect(await scrolling.count()).toBe(1);
    await page.clock.runFor(1);
    expect(await scrolling.count()).toBe(0);
  });

  it('the scrollbar disappears when the window has become wide enough', async () => {
    await open('/blog', NARROW);
    await page.locator(`${CATEGORIES}.ps--active-x`).waitFor();
    await page.setViewportSize({ width: 1_000, height: 700 });
    await page.locator(`${CATEGORIES}:not(.ps--active-x)`).waitFor();
    expect(await page.locator(`${CATEGORIES} .ps__rail-x`).isVisible()).toBe(false);
  });
});

describe('layers', () => {
  it('layers are stacked from 2000 upwards, with names in the namespace', async () => {
    expect([UI_BASE_Z_INDEX, UI_NAMESPACE]).toEqual([2_000, 'el']);
    await open(SAMPLE_PATHS['blog-article'], DEVICES.desktop);
    const layers = await page.evaluate(() =>
      [...document.querySelectorAll('body *')].flatMap(element => {
        const { zIndex, position } = getComputedStyle(element);
        const layered = zIndex !== 'auto' && (position === 'fixed' || element.matches('header'));
        const name = [...element.classList].find(it => it !== 'el-no-print') ?? element.tagName;
        return layered ? [{ name, zIndex: Number(zIndex) }] : [];
      }),
    );
    const sorted = layers.toSorted((a, b) => a.zIndex - b.zIndex);
    // The gap between the last two layers belongs to the consent question, which this page does not show.
    expect(sorted.map(({ zIndex }) => zIndex - UI_BASE_Z_INDEX)).toEqual([0, 1, 2, 4]);
    for (const { name } of layers) expect(name).toMatch(/^el-[a-z]/);
    expect(sorted.map(({ name }) => name)).toEqual([
      'el-site-header',
      'el-reading-progress',
      'el-loading-indicator',
      'el-skip-link',
    ]);
  });

  it('the initial overlay is the top layer', async () => {
    await open('/about', DEVICES.desktop, target =>
      target.addInitScript(() => {
        // Pause the animation, because the overlay disappears after 280 ms.
        document.addEventListener('DOMContentLoaded', () => {
          for (const animation of document.getAnimations()) animation.pause();
        });
      }),
    );
    const overlay = page.locator('.el-initial-overlay');
    const zIndex = await overlay.evaluate(element => Number(getComputedStyle(element).zIndex));
    expect(zIndex).toBe(UI_BASE_Z_INDEX + 5);
    expect(await overlay.evaluate(element => getComputedStyle(element).pointerEvents)).toBe('none');
  });

  it('class names consist of block, element, modifier or state', async () => {
    const strangers: string[] = [];
    for (const [index, { id }] of some(LANDING_LAST, 2).entries()) {
      if (index === 0) await open(SAMPLE_PATHS[id], DEVICES.desktop);
      else await page.goto(site.url + SAMPLE_PATHS[id]);
      await hydrated(page);
      const names = await page.evaluate(() =>
        [...document.querySelectorAll('body [class]')].flatMap(element => [...element.classList]),
      );
      expect(names.length).toBeGreaterThan(50);
      // The content uses the class names that the HTML standard recommends for the language of code.
      const ours = names.filter(name => !/^language-[\w+#.-]+$/.test(name));
      strangers.push(
        ...ours.filter(name => !/^(?:el-[a-z][a-z0-9-]*(?:__[a-zA-Z][\w-]*)?|is-[a-z-]+)$/.test(name)),
      );
    }
    expect([...new Set(strangers)]).toEqual([]);
  });
});
