import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESIZE_REFRESH_DELAY_MS } from '../../shared/constants.ts';
import type { DeviceClass } from '../../shared/device/device.ts';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { DEVICES } from '../support/devices.ts';
import { some } from '../support/in-full.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const ARTICLE = SAMPLE_PATHS['blog-article'];
const CLASSES: readonly DeviceClass[] = ['mobile', 'tablet', 'desktop'];

let site: SampleSite;
let refreshing: RunningSite;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
  refreshing = await startSite({
    contentBaseUrl: site.backend.url,
    env: { DEVICE_REFRESH_ON_RESIZE: 'on' },
  });
});
afterAll(async () => {
  await browser.close();
  await refreshing.close();
  await site.close();
});

/** Whether the table of contents is open: the one part of a page that asks for the device. */
const isOpen = (page: Page) =>
  page
    .locator('nav[aria-label="On this page"] details')
    .evaluate(details => (details as HTMLDetailsElement).open);

interface Visit {
  /** Whether the HTML has the table of contents open; null without one. */
  served: boolean | null;
  isHydratedOpen: boolean;
  complaints: string[];
  vary: string;
}

/** Requests the article with the headers of this browser, and then opens it. */
async function visit(options: BrowserContextOptions): Promise<Visit> {
  const watched = await openPage(browser, options);
  const answer = await watched.context.request.get(site.url + ARTICLE);
  // The empty page of the browser parses the HTML: it has no policy that forbids this.
  const served = await watched.page.evaluate(
    html => {
      const details = new DOMParser()
        .parseFromString(html, 'text/html')
        .querySelector('nav[aria-label="On this page"] details');
      return details instanceof HTMLDetailsElement ? details.open : null;
    },
    await answer.text(),
  );
  watched.page.on('request', request => {
    if (request.url().endsWith('/client-errors')) watched.complaints.push(`reported: ${request.postData()}`);
  });
  const response = await watched.page.goto(site.url + ARTICLE);
  await hydrated(watched.page);
  // The flags are computed again in an effect, and shown by the render after it.
  await settled(watched.page);
  const isHydratedOpen = await isOpen(watched.page);
  const { complaints } = watched;
  await watched.close();
  return { served, isHydratedOpen, complaints: [...complaints], vary: response?.headers().vary ?? '' };
}

/** Lets React render its pending updates, which wait in the browser's queue of messages. */
function settled(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise(resolve => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
    }
  });
}

describe('the table of contents', () => {
  it.each(some(CLASSES, 2))('is rendered for a %s and stays as it is during hydration', async deviceClass => {
    const open = deviceClass !== 'mobile';
    expect(await visit(DEVICES[deviceClass])).toMatchObject({
      served: open,
      isHydratedOpen: open,
      complaints: [],
    });
  });

  const edges: [string, Record<string, string>, DeviceClass, boolean][] = [
    ['CloudFront says mobile', { 'CloudFront-Is-Mobile-Viewer': 'true' }, 'desktop', false],
    ['CloudFront says desktop', { 'CloudFront-Is-Desktop-Viewer': 'true' }, 'mobile', true],
    ['CloudFront says not desktop', { 'CloudFront-Is-Desktop-Viewer': 'false' }, 'mobile', false],
    ['Cloudflare says mobile', { 'CF-Device-Type': 'mobile' }, 'desktop', false],
    ['Cloudflare says tablet', { 'CF-Device-Type': 'tablet' }, 'mobile', true],
    ['Cloudflare says what nobody knows', { 'CF-Device-Type': 'watch' }, 'mobile', false],
  ];
  it.each(some(edges, 2))(
    'follows the headers of the edge: %s',
    async (_name, extraHTTPHeaders, deviceClass, open) => {
      const found = await visit({ ...DEVICES[deviceClass], extraHTTPHeaders });
      expect(found).toMatchObject({ served: open, isHydratedOpen: open, complaints: [] });
      for (const name of ['User-Agent', 'CF-Device-Type', 'CloudFront-Is-Mobile-Viewer'])
        expect(found.vary.toLowerCase()).toContain(name.toLowerCase());
    },
  );

  it('knows the device after a navigation from a page that does not depend on it', async () => {
    const { page, close } = await openPage(browser, DEVICES.mobile);
    await page.goto(`${site.url}/about`);
    await hydrated(page);
    await page.locator('main').getByRole('link', { name: 'guides' }).click();
    await page.locator('main h1', { hasText: 'Guides' }).waitFor();
    await page.locator('main h2 a').first().click();
    await page.waitForURL(/\/blog\/guides\/.+/);
    expect(await isOpen(page)).toBe(false);
    await close();
  });
});

describe('a resize', () => {
  /** Opens the article on a desktop with a stopped clock. The desktop then becomes a phone. */
  async function openChanged(on: RunningSite): Promise<{ page: Page; close(): Promise<void> }> {
    const { page, context, close } = await openPage(browser, DEVICES.desktop);
    await page.clock.install();
    await page.goto(on.url + ARTICLE);
    await hydrated(page);
    await page.clock.pauseAt(Date.now() + 60_000);
    expect(await isOpen(page)).toBe(true);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setUserAgentOverride', { userAgent: String(DEVICES.mobile.userAgent) });
    await page.waitForFunction(() => navigator.userAgent.includes('Mobile'));
    return { page, close };
  }
  const resize = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('resize')));
  async function pass(page: Page, ms: number): Promise<void> {
    await page.clock.runFor(ms);
    await settled(page);
  }

  it('recomputes the flags once, 50 ms after the last of a series, with DEVICE_REFRESH_ON_RESIZE=on', async () => {
    expect(RESIZE_REFRESH_DELAY_MS).toBe(50);
    const { page, close } = await openChanged(refreshing);
    await pass(page, 10_000);
    expect(await isOpen(page)).toBe(true);
    await resize(page);
    await pass(page, 49);
    expect(await isOpen(page)).toBe(true);
    await resize(page);
    await pass(page, 49);
    expect(await isOpen(page)).toBe(true);
    await pass(page, 1);
    expect(await isOpen(page)).toBe(false);
    await close();
  });

  it('changes nothing by default', async () => {
    const { page, close } = await openChanged(site);
    await resize(page);
    await pass(page, 10_000);
    expect(await isOpen(page)).toBe(true);
    await close();
  });
});
