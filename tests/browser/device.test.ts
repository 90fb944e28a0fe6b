import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESIZE_REFRESH_DELAY_MS } from '../../shared/constants.ts';
import { classFlags, type DeviceClass } from '../../shared/device/device.ts';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { DEVICES } from '../support/devices.ts';
import { flagsInBrowser } from '../support/flags-in-browser.ts';
import { some } from '../support/in-full.ts';
import { parsePage } from '../support/parse-page.ts';
import { ROUTES_READING_DEVICE } from '../support/reading-device.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const ARTICLE = SAMPLE_PATHS['blog-article'];
const CLASSES: readonly DeviceClass[] = ['mobile', 'tablet', 'desktop'];

let site: SampleSite;
let refreshing: RunningSite;
/** A site whose articles read the device. */
let reading: RunningSite;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
  refreshing = await startSite({
    contentBaseUrl: site.backend.url,
    env: { DEVICE_REFRESH_ON_RESIZE: 'on' },
  });
  reading = await startSite({
    contentBaseUrl: site.backend.url,
    overrides: { routes: ROUTES_READING_DEVICE },
  });
});
afterAll(async () => {
  await browser.close();
  await refreshing.close();
  await reading.close();
  await site.close();
});

/** @returns the device class that components get, or null before the flags are computed. */
async function classOf(page: Page): Promise<DeviceClass | null> {
  const flags = await flagsInBrowser(page);
  if (!flags?.userAgent) return null;
  return (
    CLASSES.find(
      name => flags.isMobile === classFlags(name).isMobile && flags.isTablet === classFlags(name).isTablet,
    ) ?? null
  );
}

const contentsOf = (page: Page) => page.getByRole('navigation', { name: 'On this page' });

describe('the flags of the device', () => {
  it.each(some(CLASSES, 2))(
    'a page whose markup does not depend on the device gets the device flags after mount: %s',
    async deviceClass => {
      const { page, complaints, close } = await openPage(browser, DEVICES[deviceClass]);
      const response = await page.goto(site.url + ARTICLE);
      expect(response?.headers().vary).toBe('Accept-Encoding');
      await expect.poll(() => classOf(page)).toBe(deviceClass);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  const edges: [string, Record<string, string>, DeviceClass, DeviceClass][] = [
    ['CloudFront says mobile', { 'CloudFront-Is-Mobile-Viewer': 'true' }, 'desktop', 'mobile'],
    ['CloudFront says desktop', { 'CloudFront-Is-Desktop-Viewer': 'true' }, 'mobile', 'desktop'],
    ['CloudFront says not desktop', { 'CloudFront-Is-Desktop-Viewer': 'false' }, 'mobile', 'mobile'],
    ['Cloudflare says mobile', { 'CF-Device-Type': 'mobile' }, 'desktop', 'mobile'],
    ['Cloudflare says tablet', { 'CF-Device-Type': 'tablet' }, 'mobile', 'tablet'],
    ['Cloudflare says what nobody knows', { 'CF-Device-Type': 'watch' }, 'mobile', 'mobile'],
  ];
  it.each(some(edges, 2))(
    'a page that reads the device gets the device class of the CDN: %s',
    async (_name, extraHTTPHeaders, ofBrowser, expected) => {
      const { page, complaints, close } = await openPage(browser, {
        ...DEVICES[ofBrowser],
        extraHTTPHeaders,
      });
      const response = await page.goto(reading.url + ARTICLE);
      expect(parsePage((await response?.text()) ?? '').data?.deviceClass).toBe(expected);
      for (const name of ['User-Agent', 'CF-Device-Type', 'CloudFront-Is-Mobile-Viewer'])
        expect(response?.headers().vary?.toLowerCase()).toContain(name.toLowerCase());
      await hydrated(page);
      await expect.poll(() => classOf(page)).toBe(expected);
      expect(complaints).toEqual([]);
      await close();
    },
  );
});

describe('the table of contents', () => {
  const onPhone: BrowserContextOptions = { ...DEVICES.desktop, viewport: { width: 360, height: 740 } };
  const onWideScreen: BrowserContextOptions = {
    ...DEVICES.mobile,
    isMobile: false,
    viewport: { width: 1280, height: 800 },
  };

  it('the table of contents is folded on a narrow screen for any user agent, and can be opened', async () => {
    const { page, close } = await openPage(browser, onPhone);
    await page.goto(site.url + ARTICLE);
    const first = contentsOf(page).getByRole('link').first();
    expect(await first.isVisible()).toBe(false);
    await contentsOf(page).locator('summary').click();
    await first.waitFor();
    await close();
  });

  it('the table of contents is open beside the text on a wide screen for any user agent', async () => {
    const { page, close } = await openPage(browser, onWideScreen);
    await page.goto(site.url + ARTICLE);
    const [list, text] = await Promise.all([
      contentsOf(page).getByRole('link').first().boundingBox(),
      page.locator('article h2').first().boundingBox(),
    ]);
    expect((list?.x ?? 0) + (list?.width ?? Number.NaN)).toBeLessThan(text?.x ?? 0);
    expect(await contentsOf(page).locator('summary').isVisible()).toBe(false);
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
    await expect.poll(() => classOf(page)).toBe('desktop');
    await page.clock.pauseAt(Date.now() + 60_000);
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

  it('with DEVICE_REFRESH_ON_RESIZE=on the device flags change 50 ms after the last of several resizes', async () => {
    expect(RESIZE_REFRESH_DELAY_MS).toBe(50);
    const { page, close } = await openChanged(refreshing);
    await pass(page, 10_000);
    expect(await classOf(page)).toBe('desktop');
    await resize(page);
    await pass(page, 49);
    expect(await classOf(page)).toBe('desktop');
    await resize(page);
    await pass(page, 49);
    expect(await classOf(page)).toBe('desktop');
    await pass(page, 1);
    expect(await classOf(page)).toBe('mobile');
    await close();
  });

  it('a resize does not change the device flags by default', async () => {
    const { page, close } = await openChanged(site);
    await resize(page);
    await pass(page, 10_000);
    expect(await classOf(page)).toBe('desktop');
    await close();
  });
});

/** Lets React render its pending updates, which wait in the browser's message queue. */
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
