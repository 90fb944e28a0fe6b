import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hydrated, launchBrowser, openPage, STILL, type WatchedPage } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { inFull, some } from '../support/in-full.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { SMALL_PATH } from '../support/sample-paths.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { postJson } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

let site: SampleSite;
let browser: Browser;
let watched: WatchedPage;
let page: Page;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSampleSite(), launchBrowser()]);
});
beforeEach(async () => {
  site.log.length = 0;
  watched = await openPage(browser, STILL);
  page = watched.page;
});
afterEach(() => watched.close());
afterAll(async () => {
  await browser.close();
  await site.close();
});

const heading = () => page.locator('main h1');
const footerLink = (name: string) => page.locator('footer').getByRole('link', { name, exact: true });
const tryAgain = () => page.getByRole('link', { name: 'Try again' });
const reports = () => site.log.filter(line => line.code === 'browser-error');

async function open(path: string): Promise<void> {
  await page.goto(site.url + path);
  await hydrated(page);
}

async function expectHeading(text: string): Promise<void> {
  await page.locator('main h1', { hasText: text }).waitFor();
}

/** Expects the layout of every page around an error: menu, subscribe block and footer. */
async function expectLayout(): Promise<void> {
  expect(
    await page.locator('header').getByRole('link', { name: 'Blog', exact: true }).count(),
  ).toBeGreaterThan(0);
  expect(await page.locator('#subscribe').count()).toBe(1);
  expect(await footerLink('Privacy').count()).toBe(1);
}

/** Gives a page content that its component cannot show. */
async function breakPage(path: string): Promise<void> {
  await page.route(`**${path}/_payload.json*`, async route => {
    const response = await route.fetch();
    const payload = await response.json();
    payload.data.page.page.body = null;
    await route.fulfill({ response, json: payload });
  });
}

describe('an error while a page is rendered', () => {
  it('a rendering error appears inside the layout and on one log line, and the next link works', async () => {
    await open('/about');
    await breakPage('/privacy');
    await footerLink('Privacy').click();
    await expectHeading('Internal Server Error');
    expect(await page.locator('main').innerText()).toContain(
      'Something went wrong while this page was shown.',
    );
    expect(await page.locator('main').innerText()).not.toContain('TypeError');
    await expectLayout();
    expect(new URL(page.url()).pathname).toBe('/privacy');

    await eventually(() => expect(reports()).toHaveLength(1));
    const [line] = reports();
    const report = line?.clientError as Record<string, string>;
    expect(line).toMatchObject({
      level: 'warn',
      clientError: {
        where: 'render',
        name: 'TypeError',
        path: '/privacy',
        message: expect.stringContaining('null'),
      },
    });
    // A stack has many lines. The log has one.
    expect(report.stack).toMatch(/ at .* at /);
    for (const text of Object.values(report)) expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);

    await footerLink('Contacts').click();
    await expectHeading('Tell us about one payment');
    await page.goBack();
    await expectHeading('Internal Server Error');
    await page.unroute('**/privacy/_payload.json*');
    await page.goForward();
    await expectHeading('Tell us about one payment');
    await page.goBack();
    await expectHeading('What we know about you');
  });

  if (inFull) {
    it('a rendering error can be retried without leaving the page', async () => {
      await open('/about');
      await breakPage('/privacy');
      await footerLink('Privacy').click();
      await expectHeading('Internal Server Error');
      await page.unroute('**/privacy/_payload.json*');
      await page.evaluate(() => Object.assign(window, { sameDocument: true }));
      await tryAgain().click();
      await expectHeading('What we know about you');
      expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    });
  }

  it('a page reports at most five rendering errors', async () => {
    await open('/about');
    await breakPage('/privacy');
    await breakPage('/contacts');
    const posts: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith('/client-errors')) posts.push(request.postData() ?? '');
    });
    for (let round = 0; round < 3; round += 1) {
      for (const name of ['Privacy', 'Contacts']) {
        await footerLink(name).click();
        await page.waitForURL(`**/${name.toLowerCase()}`);
        await expectHeading('Internal Server Error');
      }
    }
    expect(posts).toHaveLength(5);
    for (const post of posts) expect(Buffer.byteLength(post)).toBeLessThan(4_096);
  });

  it('an error during hydration shows an error page, not an empty page', async () => {
    await page.route(`${site.url}/about`, async route => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/"body":\[.*?\],"questions"/s, '"body":null,"questions"');
      await route.fulfill({ response, body });
    });
    await page.goto(`${site.url}/about`);
    await expectHeading('Internal Server Error');
    await expectLayout();
    await eventually(() =>
      expect(reports()).toContainEqual(
        expect.objectContaining({ clientError: expect.objectContaining({ path: '/about' }) }),
      ),
    );
    await footerLink('Contacts').click();
    await expectHeading('Tell us about one payment');
  });
});

describe('a page whose data cannot be loaded', () => {
  const answers = {
    'a status of 500': route => route.fulfill({ status: 500, contentType: 'text/plain', body: 'oops' }),
    'a dropped connection': route => route.abort('connectionreset'),
    'a status of 503': route => route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }),
  } satisfies Record<string, Parameters<Page['route']>[1]>;

  it.each(some(Object.entries(answers), 1))(
    'a page whose data cannot be loaded shows the error inside the layout, and a retry works: %s',
    async (_name, answer) => {
      await open('/about');
      await page.evaluate(() => Object.assign(window, { sameDocument: true }));
      let failures = 0;
      await page.route('**/privacy/_payload.json*', async route => {
        await answer(route);
        failures += 1;
      });
      await footerLink('Privacy').click();
      await expectHeading('Internal Server Error');
      expect(await page.locator('main').innerText()).toContain('This page cannot be loaded right now');
      expect(await page.locator('main').innerText()).toMatch(/^50[03]/);
      expect(new URL(page.url()).pathname).toBe('/privacy');
      await expectLayout();
      // A retry with a broken payload shows the error again.
      const before = failures;
      await tryAgain().click();
      await expect.poll(() => failures).toBeGreaterThan(before);
      await page.waitForFunction(() => document.querySelector('#root:not([aria-busy])'));
      await expectHeading('Internal Server Error');
      await page.unroute('**/privacy/_payload.json*');
      await tryAgain().click();
      await expectHeading('What we know about you');
      expect(await page.title()).toMatch(/^Privacy/);
      expect(await page.locator('meta[name=robots]').count()).toBe(0);
      expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    },
  );

  it.each(
    some(
      [
        ['has not', SMALL_PATH],
        ['has the chunk of the page', '/about'],
      ],
      1,
    ),
  )(
    'an offline page says so, and loads when the visitor is online again, where the browser %s',
    async (_, start) => {
      await open(start);
      await watched.context.setOffline(true);
      await footerLink('Privacy').click();
      await expectHeading('You are offline');
      expect(await page.title()).toMatch(/^You are offline/);
      await expectLayout();
      await watched.context.setOffline(false);
      await expectHeading('What we know about you');
    },
  );
});

describe('a content backend that is down when the site starts', () => {
  let backend: Relay;
  let starting: RunningSite;
  beforeEach(async () => {
    backend = await startRelay(site.backend.url);
    backend.goDown();
    starting = await startSite({ contentBaseUrl: backend.url });
  });
  afterEach(async () => {
    await starting.close();
    await backend.close();
  });

  it('an outage at the start shows a hydrated error page, from which navigation works', async () => {
    const response = await page.goto(`${starting.url}/about`);
    expect(response?.status()).toBe(503);
    expect(response?.headers()['retry-after']).toMatch(/^\d+$/);
    expect(response?.headers()['cache-control']).toBe('no-store');
    await hydrated(page);
    expect(await heading().innerText()).toBe('Internal Server Error');
    expect(await page.locator('main').innerText()).toContain('Service Unavailable');
    expect(await page.locator('#subscribe').count()).toBe(0);
    expect(await page.locator('header').getByRole('link', { name: 'Back to the start' }).count()).toBe(1);

    backend.reset();
    await eventually(() => expect(starting.site.startUp.ready).toBe(true));
    await tryAgain().click();
    await expectHeading('A short way between two accounts');
    await expectLayout();
  });
});

describe('POST /client-errors', () => {
  const report = { where: 'render', name: 'TypeError', message: 'm', stack: '', path: '/' };
  let quiet: RunningSite;
  beforeEach(async () => {
    quiet = await startSite({ contentBaseUrl: site.backend.url });
  });
  afterEach(() => quiet.close());

  it('POST /client-errors accepts 4 KiB and refuses one byte more', async () => {
    const padded = (bytes: number) => {
      const empty = JSON.stringify({ ...report, more: '' });
      return JSON.stringify({ ...report, more: 'x'.repeat(bytes - empty.length) });
    };
    expect((await postJson(quiet.url, '/client-errors', padded(4_096))).status).toBe(204);
    expect((await postJson(quiet.url, '/client-errors', padded(4_097))).status).toBe(413);
  });

  it('POST /client-errors strips control characters, so that a report cannot forge a log entry', async () => {
    const forged = 'one\r\n{"level":"fatal","msg":"forged"}\u001b[31m\u0000\u2028two\u009f';
    const report = { where: 'uncaught', name: 'E\tF', message: forged, stack: forged, path: '/\n' };
    expect((await postJson(quiet.url, '/client-errors', report)).status).toBe(204);
    const message = 'one {"level":"fatal","msg":"forged"} [31m two';
    expect(quiet.log.filter(line => line.code === 'browser-error')).toMatchObject([
      { clientError: { where: 'uncaught', name: 'E F', message, stack: message, path: '/' } },
    ]);
    expect(quiet.log.filter(line => line.msg === 'forged')).toEqual([]);
  });

  it('POST /client-errors answers 429 to an endless series of reports', async () => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < 21; sent += 1)
      statuses.add((await postJson(quiet.url, '/client-errors', report)).status);
    expect([...statuses]).toEqual([204, 429]);
    expect(quiet.log.filter(line => line.code === 'browser-error')).toHaveLength(20);
  });
});
