import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { WEBKIT, WINDOWS } from '../support/user-agents.ts';

/** The headless browser's own user agent counts as a crawler, and a context cannot change that of beacons. */
const USER_AGENT = `${WINDOWS} ${WEBKIT} Chrome/147.0.0.0 Safari/537.36`;

let browser: Browser;
let site: SampleSite;
beforeAll(async () => {
  [browser, site] = await Promise.all([launchBrowser([`--user-agent=${USER_AGENT}`]), startSampleSite()]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** @returns the labels of a web vital's series. */
async function seriesOf(name: string): Promise<string[]> {
  const text = await (await fetch(`${site.opsUrl}/metrics`)).text();
  const lines = text.matchAll(new RegExp(`^site_web_vitals_${name}_count\\{(.*)\\} [1-9]`, 'gm'));
  return Array.from(lines, ([, labels = '']) => labels);
}

describe('web vitals of a visit', () => {
  it('a visit is reported when its page is hidden, and stores nothing', async () => {
    const { page, context, complaints, close } = await openPage(browser, {
      viewport: { width: 1280, height: 800 },
    });
    const script = page.waitForResponse(response => /\/assets\/vitals-/.test(response.url()));
    await page.goto(`${site.url}/about`, { referer: 'https://search.example/?q=secret' });
    await hydrated(page);
    await script;
    await page.locator('header a[href="/blog"]').first().click();
    await page.waitForURL('**/blog');
    // A title has a letter of another font, whose request would end with the page.
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    // A full load hides the first page, as leaving the site does.
    await page.goto(`${site.url}/robots.txt`);
    await eventually(async () => expect(await seriesOf('lcp_seconds')).not.toEqual([]));

    const desktop = (route: string) => `http_route="${route}",device="desktop"`;
    expect(await seriesOf('lcp_seconds')).toContain(desktop('page'));
    expect(await seriesOf('ttfb_seconds')).toEqual([desktop('page')]);
    expect(await seriesOf('cls')).toContain(desktop('page'));
    expect(site.site.vitals?.views).toEqual({
      pages: expect.arrayContaining([
        ['/about', 1],
        ['/blog', 1],
      ]),
      referrers: [['search.example', 1]],
    });
    expect(await context.cookies()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});
