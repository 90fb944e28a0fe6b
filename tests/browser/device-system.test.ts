import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeviceFlags } from '../../shared/device/device.ts';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { DEVICES } from '../support/devices.ts';
import { flagsInBrowser } from '../support/flags-in-browser.ts';
import { some } from '../support/in-full.ts';
import { ROUTES_READING_DEVICE } from '../support/reading-device.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';

let site: SampleSite;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([
    startSampleSite({ overrides: { routes: ROUTES_READING_DEVICE } }),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

const SYSTEMS: [header: string, flags: Partial<DeviceFlags>][] = [
  ['CloudFront-Is-IOS-Viewer', { isIos: true, isApple: true, isAndroid: false, isLinux: false }],
  ['CloudFront-Is-Android-Viewer', { isIos: false, isApple: false, isAndroid: true, isLinux: false }],
];

it.each(some(SYSTEMS, 1))(
  'after mount, components get the operating system that the CDN has found: %s',
  async (header, flags) => {
    const extraHTTPHeaders = { [header]: 'true' };
    const opened = await openPage(browser, { ...DEVICES.desktop, extraHTTPHeaders });
    await opened.page.goto(site.url + SAMPLE_PATHS['blog-article']);
    await hydrated(opened.page);
    await expect.poll(() => flagsInBrowser(opened.page)).toMatchObject(flags);
    expect(opened.complaints).toEqual([]);
    await opened.close();
  },
);
