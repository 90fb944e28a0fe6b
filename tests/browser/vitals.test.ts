import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hydrated, launchBrowser, openPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { ANDROID, WEBKIT, WINDOWS } from '../support/user-agents.ts';

/** User agents for whole browsers: the headless one is a crawler's, and a context does not set a beacon's. */
const VISITORS = [
  ['desktop', `${WINDOWS} ${WEBKIT} Chrome/147.0.0.0 Safari/537.36`, { width: 1280, height: 800 }],
  ['mobile', `${ANDROID} ${WEBKIT} Chrome/147.0.0.0 Mobile Safari/537.36`, { width: 360, height: 800 }],
] as const;

let site: SampleSite;
beforeEach(async () => {
  site = await startSampleSite();
});
afterEach(() => site.close());

/** @returns the labels of a web vital's series. */
async function seriesOf(name: string): Promise<string[]> {
  const text = await (await fetch(`${site.opsUrl}/metrics`)).text();
  const lines = text.matchAll(new RegExp(`^site_web_vitals_${name}_count\\{(.*)\\} [1-9]`, 'gm'));
  return Array.from(lines, ([, labels = '']) => labels);
}

describe('web vitals of a visit', () => {
  it.each(VISITORS)(
    'a visit with a %s is reported when its page is hidden, and stores nothing in the browser',
    async (device, userAgent, viewport) => {
      const browser = await launchBrowser([`--user-agent=${userAgent}`]);
      onTestFinished(() => browser.close());
      // The visitor leaves while requests of the page are under way.
      const { page, context, complaints, close } = await openPage(browser, { viewport }, /net::ERR_ABORTED/);
      const script = page.waitForResponse(response => /\/assets\/vitals-/.test(response.url()));
      await page.goto(`${site.url}/about`, { referer: 'https://search.example/?q=secret' });
      await hydrated(page);
      await script;
      await page.locator('h1').click();
      if (device === 'mobile') await page.getByRole('button', { name: 'Menu' }).click();
      await page.locator('header a[href="/blog"]:visible').first().click();
      await page.waitForURL('**/blog');
      // A full load hides the first page, as leaving the site does.
      await page.goto(`${site.url}/robots.txt`);
      await eventually(async () => expect(await seriesOf('lcp_seconds')).not.toEqual([]));

      const labels = (route: string) => `http_route="${route}",device="${device}"`;
      expect(await seriesOf('lcp_seconds')).toContain(labels('page'));
      expect(await seriesOf('ttfb_seconds')).toEqual([labels('page')]);
      expect(await seriesOf('inp_seconds')).toContain(labels('page'));
      expect(await seriesOf('cls')).toContain(labels('page'));
      expect(site.site.vitals?.views).toEqual({
        pages: expect.arrayContaining([
          ['/about', 1],
          ['/blog', 1],
        ]),
        referrers: [['search.example', 1]],
      });
      expect(await context.cookies()).toEqual([]);
      expect((await context.storageState()).origins).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    },
  );
});
