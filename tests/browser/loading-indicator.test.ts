import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { NAVIGATION_DELAY_MS } from '../../shared/constants.ts';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { some } from '../support/in-full.ts';
import { ABORTED, heading, press } from '../support/page-facts.ts';
import { SMALL_PATH } from '../support/sample-paths.ts';
import type { Visitor } from '../support/visitor.ts';

const it = stageTest;

const indicator = (page: Page) =>
  page.locator('.el-loading-indicator').evaluate(bar => ({
    active: bar.classList.contains('is-active'),
    done: bar.classList.contains('is-done'),
    height: getComputedStyle(bar).height,
  }));

describe('the wait before a navigation', () => {
  it('a navigation begins at the next paint', async ({ openInStillTime }) => {
    const opened = await openInStillTime();
    const { page } = opened;
    await press(opened, '/about');
    await settledRequests(opened);
    expect(opened.payloads()).toEqual([]);
    expect(await page.locator('a.is-pending').count()).toBe(1);
    await page.clock.runFor(17);
    await eventually(() => expect(opened.payloads()).toEqual(['/about']));
  });

  it(`a navigation without a paint, as in a hidden tab, begins after ${NAVIGATION_DELAY_MS} ms`, async ({
    openInStillTime,
  }) => {
    const opened = await openInStillTime();
    const { page } = opened;
    await page.evaluate(() => {
      window.requestAnimationFrame = () => 0;
    });
    await press(opened, '/about');
    await page.clock.runFor(NAVIGATION_DELAY_MS - 1);
    await settledRequests(opened);
    expect(opened.payloads()).toEqual([]);
    await page.clock.runFor(1);
    await eventually(() => expect(opened.payloads()).toEqual(['/about']));
  });

  /** Sends one more request. Requests are recorded in order, so all earlier ones are then recorded. */
  async function settledRequests({ page, requests }: Visitor): Promise<void> {
    await page.evaluate(() => fetch('/robots.txt').then(response => response.text()));
    expect(requests.some(request => request.url().endsWith('/robots.txt'))).toBe(true);
  }
});

describe('the loading indicator', () => {
  it('the loading indicator appears after 200 ms, is 3 px high, and disappears 500 ms after the end', async ({
    site,
    openInStillTime,
    held,
  }) => {
    const opened = await openInStillTime();
    const { page } = opened;
    site.hold('/about');
    await press(opened, '/about');
    await page.clock.runFor(199);
    await held('/about');
    expect(await indicator(page)).toEqual({ active: false, done: false, height: '3px' });
    await page.clock.runFor(1);
    expect(await indicator(page)).toEqual({ active: true, done: false, height: '3px' });
    await page.clock.runFor(5_000);
    expect(await indicator(page)).toMatchObject({ active: true, done: false });
    site.release('/about');
    await opened.page.waitForFunction(() => !document.querySelector('#root[aria-busy]'), null, {
      polling: 20,
    });
    expect(await indicator(page)).toMatchObject({ active: true, done: true });
    await page.clock.runFor(499);
    expect(await indicator(page)).toMatchObject({ active: true, done: true });
    await page.clock.runFor(1);
    expect(await indicator(page)).toMatchObject({ active: false, done: false });
  });

  it('a navigation of less than 200 ms has no loading indicator', async ({ site, openInStillTime, held }) => {
    const opened = await openInStillTime();
    const { page } = opened;
    site.hold('/about');
    await press(opened, '/about');
    await page.clock.runFor(150);
    await held('/about');
    site.release('/about');
    await opened.page.waitForFunction(() => !document.querySelector('#root[aria-busy]'), null, {
      polling: 20,
    });
    await page.clock.runFor(1_000);
    expect(await indicator(page)).toMatchObject({ active: false, done: false });
  });

  const FAILURES = [
    [
      'an error',
      (page: Page) =>
        page.route('**/about/_payload.json*', route => route.fulfill({ status: 500, body: 'no' })),
    ],
    ['a broken connection', (page: Page) => page.route('**/about/_payload.json*', route => route.abort())],
  ] as const;
  it.for(some(FAILURES, 1))(
    'the loading indicator ends after %s',
    async ([_what, break_], { openInStillTime }) => {
      const opened = await openInStillTime(SMALL_PATH, { ignore: /status of 500|ERR_FAILED/ });
      const { page } = opened;
      let answer = () => {};
      const answered = new Promise<void>(resolve => {
        answer = resolve;
      });
      await break_(page);
      await page.route('**/about/_payload.json*', async route => {
        await answered;
        await route.fallback();
      });
      await press(opened, '/about');
      await page.clock.runFor(200);
      expect(await indicator(page)).toMatchObject({ active: true, done: false });
      answer();
      await opened.arrived('/about');
      expect(await heading(page).textContent()).toBe('Internal Server Error');
      await page.clock.runFor(500);
      expect(await indicator(page)).toMatchObject({ active: false, done: false });
    },
  );

  it('a hash link on the same page cancels the navigation and its loading indicator', async ({
    site,
    openInStillTime,
  }) => {
    const opened = await openInStillTime(SMALL_PATH, { ignore: ABORTED });
    const { page } = opened;
    site.hold('/about');
    await press(opened, '/about');
    await page.clock.runFor(200);
    expect(await indicator(page)).toMatchObject({ active: true });
    await press(opened, '#content');
    await page.clock.runFor(500);
    expect(await indicator(page)).toMatchObject({ active: false, done: false });
    expect(await page.locator('#root').getAttribute('aria-busy')).toBeNull();
    expect(page.url()).toBe(`${site.url}${SMALL_PATH}#content`);
  });

  it('the loading indicator never appears during hydration, however long it takes', async ({ open }) => {
    const opened = await open(SMALL_PATH, {
      prepare: async page => {
        await page.addInitScript(() => {
          const seen: string[] = [];
          Object.assign(window, { seen });
          new MutationObserver(changes => {
            for (const { target } of changes) {
              if (target instanceof Element && target.matches('.el-loading-indicator'))
                seen.push(target.className);
            }
          }).observe(document, { subtree: true, attributes: true, attributeFilter: ['class'] });
        });
        await page.route('**/assets/commerce-*.js', async route => {
          await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 300)));
          await route.continue();
        });
      },
    });
    expect(await indicator(opened.page)).toMatchObject({ active: false, done: false });
    expect(await opened.page.evaluate(() => Reflect.get(window, 'seen'))).toEqual([]);
  });
});
