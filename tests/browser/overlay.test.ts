import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { hydrated, openPage, STILL } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { DEVICES } from '../support/devices.ts';
import { freePort } from '../support/free-port.ts';
import { startSampleSite } from '../support/sample-site.ts';

/** A slow 3G connection, in bytes a second. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

const it = browserTest
  .extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
    const port = await freePort();
    const site = await startSampleSite({
      port,
      env: {
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        SUBSCRIBE_SECRET: 'a-secret-of-the-newsletter-long-enough',
      },
    });
    onCleanup(() => site.close());
    return site;
  })
  .extend('visit', async ({ browser, site }, { onCleanup }) => {
    const closers: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      for (const close of closers) await close();
    });
    return async (path: string, options: BrowserContextOptions = DEVICES.mobile) => {
      const { page, close } = await openPage(browser, options);
      closers.push(close);
      // Pause the animation, because it would be over before a test can look at it.
      await page.addInitScript(() => {
        document.addEventListener('DOMContentLoaded', () => {
          for (const animation of document.getAnimations()) animation.pause();
        });
      });
      const go = (to: string) => page.goto(site.url + to);
      await go(path);
      return { page, go };
    };
  });

const isShown = (page: Page) =>
  page.locator('.el-initial-overlay').evaluate(element => element.checkVisibility());

it.for([DEVICES.mobile, DEVICES.desktop])(
  'the initial overlay is a short line that covers no text, once in a session',
  async (device, { visit }) => {
    const { page, go } = await visit('/', device);
    const overlay = await page.locator('.el-initial-overlay').evaluate(element => {
      const { width, height, bottom } = element.getBoundingClientRect();
      const [animation] = element.getAnimations();
      return {
        share: (width * height) / (innerWidth * innerHeight),
        bottom,
        ms: Number(animation?.effect?.getComputedTiming().endTime),
      };
    });
    expect(overlay.share).toBeLessThanOrEqual(0.05);
    expect(overlay.ms).toBeGreaterThan(0);
    expect(overlay.ms).toBeLessThanOrEqual(300);
    const heading = await page.locator('main h1').boundingBox();
    expect(overlay.bottom).toBeLessThan(heading?.y ?? 0);
    await go('/about');
    expect(await isShown(page)).toBe(false);
  },
);

it('pages of e-mailed links have no initial overlay, nor do visits with reduced motion', async ({
  visit,
}) => {
  for (const path of ['/subscribe/confirm', '/subscribe/leave', '/subscribe/confirm?done']) {
    const { page } = await visit(path);
    expect(await page.locator('h1').count(), path).toBe(1);
    expect(await isShown(page), path).toBe(false);
  }
  const { page } = await visit('/', { ...DEVICES.mobile, ...STILL });
  expect(await isShown(page)).toBe(false);
});

it('a slow phone shows the heading in the first painted frame', async ({ browser, site }) => {
  const viewport = { width: 360, height: 800 };
  const { page, context, close } = await openPage(browser, { viewport, colorScheme: 'light' });
  const session = await context.newCDPSession(page);
  const film: Buffer[] = [];
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    film.push(Buffer.from(data, 'base64'));
    void session.send('Page.screencastFrameAck', { sessionId });
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_3G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await session.send('Page.startScreencast', { format: 'png' });
  await page.goto(site.url);
  await hydrated(page);
  await session.send('Page.stopScreencast');
  const box = await page.locator('h1').boundingBox();
  const area = {
    left: Math.floor(box?.x ?? 0),
    top: Math.floor(box?.y ?? 0),
    width: Math.floor(box?.width ?? 0),
    height: Math.floor(box?.height ?? 0),
  };
  /** The share of dark pixels in the heading's area. */
  const inkIn = async (frame: Buffer) => {
    const pixels = await sharp(frame).resize(viewport).extract(area).greyscale().raw().toBuffer();
    return pixels.filter(grey => grey < 100).length / pixels.length;
  };
  const isPainted = async (frame: Buffer) =>
    (await sharp(frame).greyscale().stats()).channels.some(({ stdev }) => stdev > 1);
  const painted: Buffer[] = [];
  for (const frame of film) if (await isPainted(frame)) painted.push(frame);
  const ink = await inkIn(await page.screenshot());
  expect(ink).toBeGreaterThan(0.05);
  const first = await inkIn(painted[0] ?? Buffer.of());
  expect(first / ink).toBeGreaterThan(0.6);
  expect(first / ink).toBeLessThan(1.5);
  await close();
});
