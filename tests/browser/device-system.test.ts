import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeviceFlags } from '../../shared/device/device.ts';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { DEVICES } from '../support/devices.ts';
import { some } from '../support/in-full.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';

let site: SampleSite;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** The flags that the components of a page get: the value of the one React context that holds them. */
function flagsOf(page: Page): Promise<DeviceFlags | null> {
  return page.evaluate(() => {
    interface Fiber {
      memoizedProps: { value?: DeviceFlags } | null;
      child: Fiber | null;
      sibling: Fiber | null;
    }
    const root = document.querySelector('#root') as unknown as Record<string, Fiber>;
    const container = Object.keys(root).find(name => name.startsWith('__reactContainer$'));
    const waiting: (Fiber | null)[] = [root[container ?? '']?.child ?? null];
    for (const fiber of waiting) {
      if (!fiber) continue;
      const { value } = fiber.memoizedProps ?? {};
      if (typeof value === 'object' && value !== null && 'isIos' in value) return value;
      waiting.push(fiber.child, fiber.sibling);
    }
    return null;
  });
}

const SYSTEMS: [header: string, flags: Partial<DeviceFlags>][] = [
  ['CloudFront-Is-IOS-Viewer', { isIos: true, isApple: true, isAndroid: false, isLinux: false }],
  ['CloudFront-Is-Android-Viewer', { isIos: false, isApple: false, isAndroid: true, isLinux: false }],
];

it.each(some(SYSTEMS, 1))(
  '%s reaches the components of a page that reads the device, after mount',
  async (header, flags) => {
    const extraHTTPHeaders = { [header]: 'true' };
    const opened = await openPage(browser, { ...DEVICES.desktop, extraHTTPHeaders });
    await opened.page.goto(site.url + SAMPLE_PATHS['blog-article']);
    await hydrated(opened.page);
    await expect.poll(() => flagsOf(opened.page)).toMatchObject(flags);
    expect(opened.complaints).toEqual([]);
    await opened.close();
  },
);
