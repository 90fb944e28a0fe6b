import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { STILL } from '../support/browser.ts';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';
import { ABORTED, heading, press } from '../support/page-facts.ts';
import { SAMPLE_PATHS, SMALL_PATH } from '../support/sample-paths.ts';
import type { Visitor } from '../support/visitor.ts';

const OUTSIDE = 'https://outside.example/report.zip';

const it = stageTest
  .extend('stageOptions', { scope: 'file' }, async () => ({
    pages: { links: '[Report](/report)', long: 'Text.\n\n'.repeat(80) },
    redirects: [{ from: '/report', to: OUTSIDE }],
  }))
  /** Advances the page's clock until the request of the navigation waits for its answer. */
  .extend('heldInStillTime', async ({ held }) => async ({ page }: Visitor, path: string): Promise<void> => {
    await page.clock.runFor(20);
    await held(path);
  });

/**
 * Advances the clock until the skeleton is shown. Its delay begins when React has rendered the start of the
 * navigation.
 */
async function untilLate(opened: Visitor): Promise<void> {
  await eventually(async () => {
    await opened.page.clock.runFor(100);
    expect(await skeleton(opened.page).count()).toBe(1);
  });
}

const skeleton = (page: Page) => page.locator('.el-page-skeleton');
const region = (page: Page) => page.locator('body > [role="status"]');
const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.localName);
/** @returns positions of the layout and of the window, which must not move. */
const layout = (page: Page) =>
  page.evaluate(() => ({
    boxes: ['header', 'main', 'footer'].map(name => {
      const { top, height } = document.querySelector(name)?.getBoundingClientRect() ?? {};
      return [name, top, height];
    }),
    height: document.documentElement.scrollHeight,
    scroll: window.scrollY,
  }));

describe('a late page', () => {
  it('a late page is replaced by a skeleton after a delay, and the layout around it does not move', async ({
    site,
    openInStillTime,
    heldInStillTime,
  }) => {
    const opened = await openInStillTime('/long');
    const { page } = opened;
    await page.evaluate(() => scrollTo(0, 1_500));
    const before = await layout(page);
    site.hold('/about');
    await press(opened, '/about');
    await heldInStillTime(opened, '/about');
    await page.clock.runFor(900);
    expect(await skeleton(page).count()).toBe(0);
    expect(await heading(page).isVisible()).toBe(true);
    await untilLate(opened);
    expect(await heading(page).isVisible()).toBe(false);
    expect(await layout(page)).toEqual(before);
    expect(await page.locator('footer a[href="/about"]').first().isVisible()).toBe(true);
    // The skeleton is in view, although the page was scrolled.
    const box = await skeleton(page).locator('span').first().boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(300);
    expect(await page.locator('#root').getAttribute('aria-busy')).toBe('true');
    expect(await region(page).textContent()).toBe('Loading…');
    site.release('/about');
    await opened.arrived('/about');
    expect(await skeleton(page).count()).toBe(0);
    expect(await heading(page).isVisible()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      await heading(page).textContent(),
    );
    expect(await region(page).textContent()).toBe(await page.title());
  });

  it('printing during a navigation prints the page that the visitor is leaving', async ({
    site,
    openInStillTime,
    heldInStillTime,
  }) => {
    const opened = await openInStillTime();
    const { page } = opened;
    site.hold('/about');
    await press(opened, '/about');
    await heldInStillTime(opened, '/about');
    await untilLate(opened);
    expect(await heading(page).isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await skeleton(page).isVisible()).toBe(false);
    expect(await heading(page).isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    site.release('/about');
    await opened.arrived('/about');
  });

  it('a page that arrives in time has no skeleton', async ({ site, openInStillTime, heldInStillTime }) => {
    const opened = await openInStillTime();
    site.hold('/about');
    await press(opened, '/about');
    await heldInStillTime(opened, '/about');
    const { page } = opened;
    await page.evaluate(() => {
      Object.assign(window, { seen: 0 });
      new MutationObserver(() => {
        if (document.querySelector('.el-page-skeleton')) Object.assign(window, { seen: 1 });
      }).observe(document.body, { childList: true, subtree: true });
    });
    await page.clock.runFor(700);
    site.release('/about');
    await opened.arrived('/about');
    await page.clock.runFor(5_000);
    expect(await page.evaluate(() => Reflect.get(window, 'seen') as number)).toBe(0);
  });

  const MOTIONS = [
    ['with a transition', 'no-preference'],
    ['without motion', 'reduce'],
  ] as const;
  it.for(some(MOTIONS, 1))(
    'a late page replaces its skeleton at once, %s',
    async ([_how, reducedMotion], { site, openInStillTime, heldInStillTime }) => {
      const opened = await openInStillTime(SMALL_PATH, { context: { reducedMotion } });
      const { page } = opened;
      site.hold('/about');
      await press(opened, '/about');
      await heldInStillTime(opened, '/about');
      await untilLate(opened);
      const animations = await skeleton(page)
        .locator('span')
        .first()
        .evaluate(part => part.getAnimations().length);
      expect(animations).toBe(reducedMotion === 'reduce' ? 0 : 1);
      await page.evaluate(() => {
        const main = document.querySelector('main');
        const old = main?.querySelector('h1');
        const seen: string[] = [];
        Object.assign(window, { seen });
        new MutationObserver(() => {
          if (!document.querySelector('.el-page-skeleton'))
            seen.push(old?.isConnected ? 'the old page' : 'the new page');
        }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['class'] });
      });
      site.release('/about');
      await opened.arrived('/about');
      expect(new Set(await page.evaluate(() => Reflect.get(window, 'seen') as string[]))).toEqual(
        new Set(['the new page']),
      );
    },
  );

  const SHAPES = [
    [SAMPLE_PATHS['business-solution'], 'el-page-skeleton__article'],
    [SAMPLE_PATHS.blog, 'el-page-skeleton__cards'],
    ['/about', null],
  ] as const;
  it.for(some(SHAPES, 1))(
    'the skeleton of a late page resembles the page: %s',
    async ([path, look], { site, openInStillTime, heldInStillTime }) => {
      const opened = await openInStillTime();
      site.hold(path);
      await press(opened, path);
      await heldInStillTime(opened, path);
      await untilLate(opened);
      const classes = await skeleton(opened.page).locator('> div').getAttribute('class');
      expect(classes?.split(/\s+/).filter(name => /__(?:cards|article)$/.test(name))).toEqual(
        look ? [look] : [],
      );
      site.release(path);
      await opened.arrived(path);
    },
  );

  it('a late page passes its skeleton to the navigation that supersedes it', async ({
    site,
    openInStillTime,
    heldInStillTime,
  }) => {
    const opened = await openInStillTime(SMALL_PATH, { ignore: ABORTED });
    const { page } = opened;
    site.hold('/about');
    site.hold('/blog');
    await press(opened, '/about');
    await heldInStillTime(opened, '/about');
    await untilLate(opened);
    await press(opened, '/blog');
    await heldInStillTime(opened, '/blog');
    expect(await skeleton(page).locator('> .el-page-skeleton__cards').count()).toBe(1);
    site.release('/blog');
    await opened.arrived('/blog');
    expect(await skeleton(page).count()).toBe(0);
  });

  it('a late page that fails replaces its skeleton by the error page', async ({ openInStillTime }) => {
    const opened = await openInStillTime(SMALL_PATH, { ignore: /ERR_FAILED/ });
    const { page } = opened;
    const answer = Promise.withResolvers<void>();
    await page.route('**/about/_payload.json*', async route => {
      await answer.promise;
      await route.abort();
    });
    await press(opened, '/about');
    await page.clock.runFor(20);
    await untilLate(opened);
    answer.resolve();
    await opened.arrived('/about');
    expect(await skeleton(page).count()).toBe(0);
    expect(await heading(page).textContent()).toBe('Internal Server Error');
    expect(await heading(page).isVisible()).toBe(true);
  });

  if (inFull) {
    it('the skeleton disappears once the browser itself loads the address, for example as a download', async ({
      openInStillTime,
    }) => {
      const opened = await openInStillTime('/links', { ignore: ABORTED });
      const { page } = opened;
      await page.route(OUTSIDE, route =>
        route.fulfill({
          body: 'zip',
          headers: { 'content-disposition': 'attachment; filename="report.zip"' },
        }),
      );
      const answer = Promise.withResolvers<void>();
      await page.route('**/report/_payload.json*', async route => {
        await answer.promise;
        await route.continue();
      });
      await press(opened, '/report');
      await page.clock.runFor(20);
      await untilLate(opened);
      const download = page.waitForEvent('download');
      answer.resolve();
      await download;
      await eventually(async () => expect(await skeleton(page).count()).toBe(0));
      await page.clock.runFor(5_000);
      expect(await skeleton(page).count()).toBe(0);
      expect(await heading(page).isVisible()).toBe(true);
    });
  }
});

describe('the previous page comes back as it was', () => {
  const NAME = '#contacts input[name=name]';

  /**
   * Types a text, opens a question and scrolls. The form has the focus. Under reduced motion the question
   * opens at once.
   */
  async function use(page: Page): Promise<void> {
    await page.locator(NAME).fill('Ada Example');
    await page.locator('main summary').first().click();
    await page.locator(NAME).focus();
  }
  const used = async (page: Page) => ({
    name: await page.locator(NAME).inputValue(),
    open: await page.locator('main details[open]').count(),
    focus: await focusedName(page),
    layout: await layout(page),
  });

  it('a refused navigation restores the page: text, open question, focus and scroll position', async ({
    site,
    middlewareResults,
    openInStillTime,
    heldInStillTime,
  }) => {
    const opened = await openInStillTime('/contacts', { context: STILL });
    const { page } = opened;
    await use(page);
    const before = await used(page);
    expect(before).toMatchObject({ name: 'Ada Example', focus: 'name' });
    middlewareResults['/about'] = false;
    site.hold('/about');
    await press(opened, '/about');
    await heldInStillTime(opened, '/about');
    await untilLate(opened);
    await eventually(async () => expect(await focusedName(page)).toBe('body'));
    site.release('/about');
    // The restoration is a navigation, and waits for the next paint.
    await eventually(async () => {
      await page.clock.runFor(20);
      expect(await skeleton(page).count()).toBe(0);
    });
    expect(await page.locator(NAME).isVisible()).toBe(true);
    expect(await used(page)).toEqual(before);
    expect(await region(page).textContent()).toBe('');
  });

  if (inFull) {
    it('a hash link on the previous page, followed during a late page, restores the previous page', async ({
      site,
      openInStillTime,
      heldInStillTime,
    }) => {
      const opened = await openInStillTime('/contacts', { ignore: ABORTED });
      const { page } = opened;
      await use(page);
      site.hold('/about');
      await press(opened, '/about');
      await heldInStillTime(opened, '/about');
      await untilLate(opened);
      await press(opened, '#content');
      await skeleton(page).waitFor({ state: 'detached' });
      expect(await used(page)).toMatchObject({ name: 'Ada Example', open: 1, focus: 'main' });
      expect(await page.locator(NAME).isVisible()).toBe(true);
      expect(await region(page).textContent()).toBe('');
    });
  }

  if (inFull) {
    it('Back and Forward before the late page arrives restore the previous page', async ({ site, open }) => {
      const visitor = await open('/about', { ignore: ABORTED, context: STILL });
      const { page } = visitor;
      await visitor.go('/contacts');
      await use(page);
      const { layout: before } = await used(page);
      site.hold('/about');
      await page.goBack();
      await skeleton(page).waitFor();
      await page.goForward();
      await skeleton(page).waitFor({ state: 'detached' });
      await visitor.arrived('/contacts');
      expect(await used(page)).toMatchObject({ name: 'Ada Example', open: 1, layout: before });
      expect(await page.locator(NAME).isVisible()).toBe(true);
    });
  }
});
