import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hydrated, launchBrowser, openPage, STILL, type WatchedPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';

const ARTICLE = '/blog/engineering/what-a-page-can-show';
const PLAYERS = /^https:\/\/(?:www\.youtube-nocookie\.com|player\.vimeo\.com)\//;

let site: SampleSite;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

describe('with scripts', () => {
  let watched: WatchedPage;
  let page: Page;
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    watched = await openPage(browser, { ...STILL, permissions: ['clipboard-read', 'clipboard-write'] });
    page = watched.page;
    page.on('request', request => {
      if (!request.url().startsWith(site.url)) asked.push(request.url());
    });
    await watched.context.route(PLAYERS, route =>
      route.fulfill({ contentType: 'text/html', body: '<title>Player</title><p>The film plays</p>' }),
    );
  });
  afterEach(async () => {
    expect(watched.complaints).toEqual([]);
    await watched.close();
  });

  /** Opens the article without a document load, so the policy of the earlier page still applies. */
  async function goThere(): Promise<void> {
    await page.goto(`${site.url}/about`);
    await hydrated(page);
    await page.evaluate(address => {
      const link = document.createElement('a');
      link.href = address;
      link.textContent = 'There';
      document.querySelector('main')?.prepend(link);
    }, ARTICLE);
    await page.getByRole('link', { name: 'There' }).click();
    await page.getByRole('heading', { level: 1, name: 'What a page here can show' }).waitFor();
    expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1);
    expect(await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name)).toContain(
      '/about',
    );
  }

  it('an embedded video plays after a click, also after a navigation, and loads nothing from its site before', async () => {
    await goThere();
    for (const [name, host] of [
      ['Big Buck Bunny', 'www.youtube-nocookie.com'],
      ['Film on Vimeo', 'player.vimeo.com'],
    ] as const) {
      expect(asked.filter(url => url.includes(host))).toEqual([]);
      const link = page.getByRole('link', { name });
      await link.scrollIntoViewIfNeeded();
      await eventually(() => expect(asked.filter(url => url.includes(host))).toEqual([]));
      await link.click();
      const frame = page.frameLocator(`iframe[src^="https://${host}/"]`);
      await frame.getByText('The film plays').waitFor();
      expect(await link.isVisible()).toBe(false);
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME');
      expect(asked.filter(url => url.includes(host))).toHaveLength(1);
    }
    // React removes the page with its players.
    await page.goBack();
    await page
      .getByRole('heading', { level: 1 })
      .filter({ hasNotText: 'What a page here can show' })
      .waitFor();
  });

  it('an embedded video opens in a new tab on a click with a modifier key', async () => {
    await page.goto(site.url + ARTICLE);
    await hydrated(page);
    await page.waitForFunction(() => document.documentElement.dataset.copies !== undefined);
    const prevented = await page.getByRole('link', { name: 'Film on Vimeo' }).evaluate(link => {
      let isPrevented = false;
      // Add the last listener: it records whether the site has prevented the click, and prevents the new tab.
      window.addEventListener('click', event => {
        isPrevented = event.defaultPrevented;
        event.preventDefault();
      });
      link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }));
      return isPrevented;
    });
    expect(prevented).toBe(false);
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('the link to a heading is on the line of the heading’s last word at any width', async () => {
    await page.goto(site.url + ARTICLE);
    await page.locator('main header > a:empty').evaluateAll(signs => {
      for (const sign of signs)
        if (sign.previousElementSibling)
          sign.previousElementSibling.textContent = 'A heading of one long line?';
    });
    const alone: string[] = [];
    for (let width = 300; width < 420; width += 4) {
      await page.setViewportSize({ width, height: 800 });
      alone.push(
        ...(await page.locator('main header > a:empty').evaluateAll(signs =>
          signs.flatMap(sign => {
            const lines = [...(sign.previousElementSibling?.getClientRects() ?? [])];
            const isBelow = sign.getBoundingClientRect().top > (lines.at(-1)?.bottom ?? 0) - 4;
            return isBelow ? `${innerWidth}: ${sign.previousElementSibling?.textContent}` : [];
          }),
        )),
      );
    }
    expect(await page.locator('main header > a:empty').count()).toBeGreaterThan(2);
    expect(alone).toEqual([]);
  });

  it('the button beside code copies it, and confirms that', async () => {
    await page.goto(site.url + ARTICLE);
    const button = page.getByRole('button', { name: 'Copy code' });
    await button.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'const fee = amount * 0.004 + 0.25;',
    );
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
  });

  it('a picture opens large on a phone, and scrolling shows the rest', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await goThere();
    const first = page.getByRole('link', { name: /^The days of a direct debit/ });
    await page.waitForFunction(() => document.documentElement.dataset.copies !== undefined);
    await first.click();
    const picture = page.getByRole('dialog').getByRole('img');
    await eventually(async () => {
      const box = await picture.boundingBox();
      expect(box?.height).toBeGreaterThan(500);
      expect(box?.width).toBeGreaterThan(700);
    });
    const scrolled = await picture.evaluate(({ parentElement }) => {
      let place = parentElement;
      while (place && getComputedStyle(place).overflowX !== 'auto') place = place.parentElement;
      place?.scrollTo({ left: 10_000 });
      return place?.scrollLeft;
    });
    expect(scrolled).toBeGreaterThan(300);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1_280, height: 720 });
  });

  it('a picture opens large, and the visitor can page through its gallery', async () => {
    await goThere();
    const first = page.getByRole('link', { name: /^The days of a direct debit/ });
    const dialog = page.getByRole('dialog');
    await eventually(async () => {
      await first.click({ trial: true });
      expect(await page.evaluate(() => document.documentElement.dataset.copies)).toBe('');
    });
    await first.click();
    await dialog.waitFor();
    const shown = () => dialog.getByRole('img').getAttribute('alt');
    expect(await shown()).toBe('The days of a direct debit');
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toBe('An account in the country of the payer');
    await dialog.getByRole('button', { name: 'Next picture' }).click();
    expect(await shown()).toBe('Bowls on a shelf');
    await dialog.getByText('What it is all for').waitFor();
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toBe('The days of a direct debit');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The browser returns the focus to the opened picture. The site moves it to the picture shown last.
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(
        /^Bowls on a shelf/,
      ),
    );
    // A single picture has no gallery.
    await page.getByRole('link', { name: /^The way of a payment/ }).click();
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close']);
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
  });

  it('a video hosted by the site plays, with its captions', async () => {
    await page.goto(site.url + ARTICLE);
    const time = await page.locator('video').evaluate(async video => {
      const film = video as HTMLVideoElement;
      film.muted = true;
      await film.play();
      await new Promise(resolve => film.addEventListener('timeupdate', resolve, { once: true }));
      return film.currentTime;
    });
    expect(time).toBeGreaterThan(0);
    const cues = await page.locator('video').evaluate(async video => {
      const [track] = (video as HTMLVideoElement).textTracks;
      if (!track) return 0;
      track.mode = 'showing';
      const element = video.querySelector('track');
      if (element?.readyState !== 2) await new Promise(resolve => element?.addEventListener('load', resolve));
      return track.cues?.length;
    });
    expect(cues).toBe(3);
  });
});

describe('without scripts', () => {
  it('without scripts videos and pictures are links, and the code button is hidden', async () => {
    const watched = await openPage(browser, { javaScriptEnabled: false }, /early-\w+\.js csp$/);
    await watched.page.goto(site.url + ARTICLE);
    const film = watched.page.getByRole('link', { name: 'Big Buck Bunny' });
    expect(await film.getAttribute('href')).toBe('https://www.youtube.com/watch?v=aqz-KE-bpKQ');
    const picture = watched.page.getByRole('link', { name: /^Bowls on a shelf/ });
    expect(await picture.getAttribute('href')).toBe('/uploads/ceramics-shelf.jpg');
    expect(await watched.page.getByRole('button', { name: 'Copy code' }).count()).toBe(0);
    expect(await watched.page.locator('video[controls]').count()).toBe(1);
    expect(watched.complaints).toEqual([]);
    await watched.close();
  });
});
