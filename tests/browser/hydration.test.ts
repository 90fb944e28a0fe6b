import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeviceClass } from '../../shared/device/device.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import menuStyles from '../../site/layouts/header/header-menu.module.css';
import shareStyles from '../../site/routes/blog-article/share-links.module.css';
import { hydrated, launchBrowser, openPage, type WatchedPage } from '../support/browser.ts';
import { DEVICES } from '../support/devices.ts';
import { inFull, some } from '../support/in-full.ts';
import { parsePage } from '../support/parse-page.ts';
import { SAMPLE_PATHS, SAMPLE_ROUTES, type SampleSite, startSampleSite } from '../support/sample-site.ts';

/** Each route, and the pages whose markup depends on more than the route. */
const ADDRESSES = some(
  [
    ...SAMPLE_ROUTES.map(({ id }) => SAMPLE_PATHS[id]),
    '/no/such/page',
    pathTo('page', { slug: 'contacts' }),
    `${SAMPLE_PATHS['blog-category']}?page=2`,
    `${pathTo('page', { slug: 'contacts' })}?sent=contact#contacts`,
  ],
  6,
);
const CLASSES = some<DeviceClass>(['mobile', 'desktop', 'tablet'], 2);
/** A short test run uses one colour scheme for each device class. */
const schemesOf = (deviceClass: DeviceClass) =>
  inFull ? (['light', 'dark'] as const) : ([deviceClass === 'mobile' ? 'light' : 'dark'] as const);

/** What Chromium reports on the console for the page that is a 404. */
const NOT_FOUND = /^console\.error: Failed to load resource: the server responded with a status of 404/;

let site: SampleSite;
let browser: Browser;
/** The text of each page from the server, by device class and address. */
const served = new Map<string, string>();

beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
  await Promise.all(CLASSES.map(readAsServed));
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

/** Parses the HTML in an empty page of the browser, which has no Content-Security-Policy. */
async function readAsServed(deviceClass: DeviceClass): Promise<void> {
  const { page, context, close } = await openPage(browser, DEVICES[deviceClass]);
  for (const address of ADDRESSES) {
    const answer = await context.request.get(site.url + address);
    served.set(`${deviceClass} ${address}`, await textOf(page, await answer.text()));
  }
  await close();
}

/**
 * @returns the text of the page without the menu's dialog and the share buttons, which only hydrated pages
 *   have.
 * @param html another page to read than the one on screen
 */
function textOf(page: Page, html: string | null = null): Promise<string> {
  return page.evaluate(
    ({ source, selectors }) => {
      const shown = source === null ? document : new DOMParser().parseFromString(source, 'text/html');
      const copy = shown.getElementById('root')?.cloneNode(true) as Element;
      for (const element of copy.querySelectorAll(selectors)) element.remove();
      return copy.textContent.replace(/\s+/g, ' ');
    },
    { source: html, selectors: `.${menuStyles.root}, .${shareStyles.root}` },
  );
}

/** @returns the attributes whose ids in the server's HTML differ from those that React generates. */
function differingIds(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const names = { id: 'id', name: 'name', for: 'htmlFor', 'aria-labelledby': 'aria-labelledby' };
    return Array.from(document.querySelectorAll('#root *')).flatMap(element => {
      // React does not correct a differing attribute, and only its development build reports it.
      const key = Object.keys(element).find(name => name.startsWith('__reactProps$'));
      const props = key ? (element as unknown as Record<string, Record<string, unknown>>)[key] : undefined;
      return Object.entries(names).flatMap(([attribute, prop]) => {
        const [written, counted] = [element.getAttribute(attribute), props?.[prop] ?? null];
        return written === counted || props === undefined ? [] : [`${attribute}: ${written}, ${counted}`];
      });
    });
  });
}

async function load({ page }: WatchedPage, address: string): Promise<Response> {
  const response = await page.goto(site.url + address);
  if (!response) throw new Error(`No answer for ${address}`);
  await hydrated(page);
  // React reports hydration errors after the hydration, in an idle callback.
  await page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve)));
  return response;
}

const reported = () => site.log.filter(line => line.code === 'browser-error');

describe.each(CLASSES)('on a %s', deviceClass => {
  it.each(schemesOf(deviceClass))(
    'each page hydrates without a complaint, with the server’s text and ids, in %s colours',
    async colorScheme => {
      const watched = await openPage(browser, { ...DEVICES[deviceClass], colorScheme, prefetch: inFull });
      const { page, complaints } = watched;
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', event =>
          console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
        );
      });
      page.on('request', request => {
        if (request.url().endsWith('/client-errors')) complaints.push(`reported: ${request.postData()}`);
      });
      const found: Record<string, unknown> = {};
      for (const address of ADDRESSES) {
        // Leave the page first, so that its cancelled requests cause no complaint on the next page.
        await page.goto('about:blank');
        complaints.length = 0;
        const response = await load(watched, address);
        const unexpected = complaints.filter(text => response.status() !== 404 || !NOT_FOUND.test(text));
        found[address] = {
          unexpected,
          text: await textOf(page),
          ids: await differingIds(page),
          inline: parsePage(await response.text()).inline,
        };
      }
      const expected = ADDRESSES.map(address => {
        const text = served.get(`${deviceClass} ${address}`);
        return [address, { unexpected: [], text, ids: [], inline: [] }];
      });
      expect(found).toEqual(Object.fromEntries(expected));
      await watched.close();
    },
  );

  it('all device classes get the same text', () => {
    const text = (of: DeviceClass, address: string) => served.get(`${of} ${address}`);
    for (const address of ADDRESSES) {
      expect(text(deviceClass, address)?.length, address).toBeGreaterThan(400);
      expect(text(deviceClass, address), address).toBe(text('desktop', address));
    }
  });
});

describe('the checks of this file', () => {
  it('markup that differs from the hydrated tree is reported, and React replaces it', async () => {
    const watched = await openPage(browser, DEVICES.desktop);
    await watched.page.route(`${site.url}/about`, async route => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        'A short way between two accounts</h1>',
        'Another heading</h1>',
      );
      await route.fulfill({ response, body });
    });
    const whole = await textOf(watched.page, await (await fetch(`${site.url}/about`)).text());
    const before = reported().length;
    await load(watched, '/about');
    await expect.poll(() => reported().length).toBeGreaterThan(before);
    expect(reported().at(-1)).toMatchObject({ clientError: { where: 'hydration', path: '/about' } });
    expect(await textOf(watched.page)).toBe(whole);
    site.log.length = 0;
    await watched.close();
  });

  it('the browser complains about an injected script and style that the policy forbids', async () => {
    const watched = await openPage(browser, DEVICES.desktop);
    await watched.page.route(`${site.url}/about`, async route => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        '<main',
        '<script>1</script><i style="color:red"></i><main',
      );
      await route.fulfill({ response, body });
    });
    await watched.page.goto(`${site.url}/about`);
    expect(watched.complaints.join('\n')).toMatch(/script-src[\s\S]*style-src/);
    await watched.close();
  });
});
