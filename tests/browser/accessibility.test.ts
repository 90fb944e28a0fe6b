import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHECKED_PATHS, TWO_VIEWS, violations, violationsIn } from '../support/axe.ts';
import { hydrated, launchBrowser, openPage, type WatchedPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';

const SCHEMES = some(['dark', 'light'] as const, 1);
/** The colour schemes and widths in which axe checks a page after an action, such as an opened menu. */
const STATE_VIEWS = some(TWO_VIEWS, 1);

let site: SampleSite;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
});
afterEach(() => watched.close());
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function open(path: string, options: BrowserContextOptions): Promise<void> {
  // Motion is reduced, because axe cannot measure the contrast of moving elements.
  watched = await openPage(browser, { reducedMotion: 'reduce', ...options });
  page = watched.page;
  await page.goto(site.url + path);
  await hydrated(page);
}

/** Waits for the module that scrolls focused controls into view, which loads when the browser is idle. */
async function scrollAreasReady(): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-scroll-area]')].every(
      area => area.scrollWidth <= area.clientWidth || area.classList.contains('ps'),
    ),
  );
}

// `tests/faults/accessibility.test.ts` checks the other views.
describe('axe finds nothing', () => {
  it.each(some(CHECKED_PATHS, 1))(
    'axe finds nothing on %s, in light at 360 px and in dark at 1440 px',
    async path => {
      await open(path, {});
      expect(await violationsIn(TWO_VIEWS, page)).toEqual([]);
    },
  );

  it('axe finds nothing in the open menu', async () => {
    await open('/about', { viewport: { width: 360, height: 700 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
    }
  });

  it('axe finds nothing in a form with errors', async () => {
    await open('/contacts', {});
    await page.locator('#contacts form button[type=submit]').click();
    await page.locator('#contacts [role=status].is-invalid').waitFor();
    expect(await violationsIn(STATE_VIEWS, page)).toEqual([]);
  });

  if (inFull) {
    it('axe finds nothing on the offline page', async () => {
      await open('/about', {});
      await page.context().setOffline(true);
      await page.locator('footer a[href="/contacts"]').first().click();
      await page.getByRole('heading', { name: 'You are offline' }).waitFor();
      expect(await violationsIn(STATE_VIEWS, page)).toEqual([]);
    });
  }

  it('axe finds nothing on an error page', async () => {
    await open('/about', {});
    await page.route('**/contacts/_payload.json*', route => route.fulfill({ status: 500, body: '' }));
    await page.locator('footer a[href="/contacts"]').first().click();
    await page.getByRole('heading', { level: 1, name: 'Internal Server Error' }).waitFor();
    expect(await violationsIn(STATE_VIEWS, page)).toEqual([]);
  });

  it('axe finds nothing on the skeleton of a page that loads slowly', async () => {
    await open('/about', {});
    const held = Promise.withResolvers<void>();
    await page.route('**/_payload.json*', async route => {
      await held.promise;
      await route.continue();
    });
    await page.locator('footer a[href="/blog"]').first().click();
    await page.locator('.el-page-skeleton').waitFor();
    expect(await violationsIn(STATE_VIEWS, page)).toEqual([]);
    held.resolve();
    await page.locator('.el-page-skeleton').waitFor({ state: 'detached' });
  });

  if (inFull) {
    it('axe finds nothing at 200 % zoom', async () => {
      // At 200 % zoom a window of 1,280 px is 640 CSS pixels wide.
      for (const path of [SAMPLE_PATHS['blog-article'], '/']) {
        await watched?.close();
        await open(path, { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
        expect(await violations(page), path).toEqual([]);
      }
    });
  }

  it('axe finds nothing in an open dropdown and an open question', async () => {
    await open('/about', { viewport: { width: 1440, height: 900 } });
    await page.locator('header summary', { hasText: 'Solutions' }).click();
    await page
      .locator('main details summary')
      .first()
      .evaluate(summary => (summary.parentElement as HTMLDetailsElement).setAttribute('open', ''));
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
    }
  });

  it('axe reports an image without alternative text that the test has added', async () => {
    await open('/about', {});
    await page.evaluate(() => {
      const image = document.createElement('img');
      image.src = '/favicon.svg';
      document.querySelector('main')?.append(image);
    });
    expect((await violations(page)).join('\n')).toContain('image-alt');
  });
});

describe('a page is never wider than its window', () => {
  it.each(some(CHECKED_PATHS, 1))('%s is never wider than its window, from 320 px on', async path => {
    await open(path, { viewport: { width: 320, height: 700 } });
    const wide: string[] = [];
    for (const width of some([320, 360, 480, 640, 768, 959, 960, 1024, 1280, 1920], 5)) {
      await page.setViewportSize({ width, height: 700 });
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      if (scrollWidth > clientWidth) wide.push(`${width}: ${scrollWidth}`);
    }
    expect(wide).toEqual([]);
    // The page fits, and does not merely hide its overflow.
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflowX)).toBe('visible');
    expect(await page.evaluate(() => getComputedStyle(document.body).overflowX)).toBe('visible');
  });
});

describe('on paper', () => {
  it('printed text is black, and no control is printed', async () => {
    await open(SAMPLE_PATHS['blog-article'], { viewport: { width: 794, height: 1123 }, colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    const shown = (selector: string) => page.locator(selector).locator('visible=true').count();
    for (const selector of [
      'header:not(main *)',
      'footer',
      'nav',
      'form',
      'button',
      '#subscribe',
      'dialog',
      '[aria-labelledby=related-title]',
    ])
      expect(await shown(selector), selector).toBe(0);
    const colours = await page.evaluate(() =>
      Array.from(document.querySelectorAll('main h1, main h2, main p, main li'), element => [
        getComputedStyle(element).color,
        getComputedStyle(document.body).backgroundColor,
      ]),
    );
    expect(colours.length).toBeGreaterThan(5);
    for (const [colour] of colours) expect(['rgb(0, 0, 0)', 'rgb(51, 51, 51)']).toContain(colour);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    // Answers of closed questions are printed, because nobody can open them on paper.
    const answer = page.locator('main section details p').first();
    expect((await answer.boundingBox())?.height).toBeGreaterThan(10);
  });
});

describe('keyboard use', () => {
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  /** @returns the accessible name of the focused element, from its text or label. */
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const label =
        element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent;
      return (label ?? element.textContent ?? '').trim();
    });
  async function tabTo(name: string | RegExp, most = 60): Promise<void> {
    for (let stops = 0; stops < most; stops += 1) {
      await press('Tab');
      const found = await focused();
      if (typeof name === 'string' ? found === name : name.test(found)) return;
    }
    expect.fail(`${name} is not reached within ${most} stops`);
  }

  it('the first tab stop is the skip link, which skips the header', async () => {
    await open('/about', { viewport: { width: 1440, height: 900 } });
    await press('Tab');
    expect(await focused()).toBe('Skip to content');
    const box = await page.locator('.el-skip-link').boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    await press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'content');
    await press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  });

  it.each(
    some(
      [
        // The bar of categories is wider than this window, and scrolls.
        ['/blog', 360],
        ['/', 360],
        ['/', 1440],
      ],
      1,
    ),
  )('each tab stop of %s is visible and shows the focus, at %i px', async (path, width) => {
    await open(path, { viewport: { width, height: 800 } });
    await scrollAreasReady();
    const stops: string[] = [];
    for (;;) {
      await press('Tab');
      const stop = await page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body || element.hasAttribute('data-passed')) return null;
        element.setAttribute('data-passed', '');
        // An invisible control shows its focus on the label around it.
        const shown = element.closest('label') ?? element;
        const { top, left, bottom, right } = shown.getBoundingClientRect();
        // The link of a card shows its focus on a pseudo-element that covers the card.
        const outlines = [getComputedStyle(shown), getComputedStyle(shown, '::after')];
        const hasOutline = outlines.some(
          ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1,
        );
        const x = (left + right) / 2;
        const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
        const onTop = document.elementFromPoint(x, y);
        const problems = [
          ...(bottom - top < 1 || right - left < 1 ? ['has no size'] : []),
          ...(bottom <= 0 || top >= innerHeight || left < 0 || right > innerWidth + 1
            ? ['is out of sight']
            : []),
          ...(hasOutline ? [] : ['shows no focus']),
          ...(onTop && (shown.contains(onTop) || onTop.contains(shown))
            ? []
            : [`is covered by ${onTop?.className}`]),
        ];
        return `${element.outerHTML.slice(0, 120)}: ${problems.join(', ')}`;
      });
      if (stop === null) break;
      stops.push(stop);
    }
    expect(stops.length).toBeGreaterThan(40);
    expect(stops.filter(stop => !stop.endsWith(': '))).toEqual([]);
  });

  it('the menu opens by keyboard, keeps the focus, closes and returns the focus', async () => {
    await open('/about', { viewport: { width: 360, height: 700 } });
    await tabTo('Menu');
    await press('Enter');
    const dialog = page.locator('dialog');
    await dialog.waitFor();
    for (let stops = 0; stops < 30; stops += 1) {
      await press('Tab');
      // Tab also reaches Chromium's own controls. The page then reports its body as the focused element.
      const inside = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
      );
      expect(inside).toBe(true);
    }
    await press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Menu');
    await press('Enter');
    await tabTo('Blog');
    await press('Enter');
    await page.waitForURL(`${site.url}/blog`);
    await dialog.waitFor({ state: 'hidden' });
    // The heading of the new page gets the focus, so that assistive technology reads it.
    await page.waitForFunction(() => document.activeElement?.matches('main h1'));
  });

  it('a dropdown opens by keyboard, and closes on Escape and when it loses the focus', async () => {
    await open('/about', { viewport: { width: 1440, height: 900 } });
    const dropdown = page.locator('header details').first();
    const isOpen = () => dropdown.evaluate(details => (details as HTMLDetailsElement).open);
    await tabTo('Solutions');
    await press('Enter');
    expect(await isOpen()).toBe(true);
    await press('Tab');
    expect(await focused()).toMatch(/^Payouts/);
    await press('Escape');
    expect(await isOpen()).toBe(false);
    expect(await focused()).toBe('Solutions');
    const options = await dropdown.getByRole('link', { includeHidden: true }).count();
    await press('Enter', ...Array.from({ length: options + 1 }, () => 'Tab'));
    expect(await focused()).toBe('Commerce');
    expect(await isOpen()).toBe(false);
    await press('Shift+Tab', 'Enter', 'Tab');
    await press('Enter');
    await page.waitForURL(/\/business-solutions\/payouts$/);
    // The address changes earlier than the page.
    await eventually(async () => expect(await isOpen()).toBe(false));
  });

  it('a message is written, refused, corrected and sent by keyboard', async () => {
    await open('/contacts', { viewport: { width: 1440, height: 900 } });
    await tabTo('Name');
    await page.keyboard.type('Ada Example');
    await press('Tab');
    await page.keyboard.type('ada');
    await press('Tab', 'Tab', 'Tab');
    await page.keyboard.type('One payment');
    await press('Enter');
    await page.keyboard.type('that matters');
    // The link to the privacy policy precedes the button.
    await press('Tab', 'Tab');
    expect(await focused()).toBe('Send message');
    await press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('#contacts [role=status]'));
    await tabTo('E-mail', 5);
    await page.keyboard.type('ada@example.com');
    await press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Thank you'));
  });

  if (inFull) {
    it('a question opens and closes by keyboard', async () => {
      await open('/about', { viewport: { width: 1440, height: 900 } });
      const question = page.locator('main section details').first();
      await tabTo((await question.locator('summary').innerText()).trim());
      await press('Enter');
      await question.locator('p').first().waitFor({ state: 'visible' });
      await press('Enter');
      await question.locator('p').first().waitFor({ state: 'hidden' });
    });
  }

  it('the chosen colour scheme survives a reload', async () => {
    await open('/about', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    await tabTo('System theme', 90);
    await press('ArrowRight');
    expect(await focused()).toBe('Dark');
    await page.locator('html[data-theme=dark]').waitFor();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    // The scheme applies before and after hydration.
    expect([await page.locator('html').getAttribute('data-theme'), await background()]).toEqual([
      'dark',
      dark,
    ]);
    await hydrated(page);
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Dark' }).focus();
    await press('ArrowLeft');
    // The scheme changes after the paint that shows the press.
    await eventually(async () =>
      expect([await page.locator('html').getAttribute('data-theme'), await background()]).toEqual([
        null,
        light,
      ]),
    );
    expect(await page.evaluate(() => localStorage.getItem('site:theme'))).toBeNull();
  });
});
