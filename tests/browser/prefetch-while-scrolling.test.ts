import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { MANIFEST_PREFETCH_DELAY_MS } from '../../shared/constants.ts';
import { STILL } from '../support/browser.ts';
import { stageTest } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { ABORTED } from '../support/page-facts.ts';
import type { StageOptions } from '../support/stage.ts';
import type { Visitor } from '../support/visitor.ts';

const SCREENS = 'Text.\n\n'.repeat(60);
const IN_VIEW_MS = 200;
const MAX_BYTES = 60_000;

const it = stageTest
  .extend('stageOptions', { scope: 'file' }, async (): Promise<StageOptions> => {
    return { pages: { long: `${SCREENS}[Two](/p-2)\n\n${SCREENS}[Three](/p-3)` } };
  })
  .extend('visitorOptions', { scope: 'file' }, { ignore: ABORTED, prefetch: true, context: STILL })
  /** Opens a page with a stopped clock, and waits until it observes its links. */
  .extend('openObserving', async ({ open }) => async (path: string): Promise<Visitor> => {
    const opened = await open(path, {
      prepare: async page => {
        await page.clock.install({ time: 1_000_000_000 });
        await page.clock.pauseAt(1_000_001_000);
      },
    });
    // The prefetch code loads after hydration and sets a timer, so the clock runs until the timer has fired.
    await eventually(async () => {
      await opened.page.clock.runFor(MANIFEST_PREFETCH_DELAY_MS + 500);
      expect(opened.requests.some(request => request.url().includes('/builds/meta/'))).toBe(true);
    });
    return opened;
  });

/**
 * Scrolls to the link. Resolves when the page's observers have seen it: a later observer is called after
 * earlier ones.
 */
async function scrollTo(page: Page, href: string): Promise<void> {
  await page
    .locator(`main a[href="${href}"]:visible`)
    .first()
    .evaluate(link => {
      link.scrollIntoView({ block: 'center' });
      return new Promise<void>(resolve => {
        new IntersectionObserver(([entry], observer) => {
          if (!entry?.isIntersecting) return;
          observer.disconnect();
          resolve();
        }).observe(link);
      });
    });
}

it(`a link in view for ${IN_VIEW_MS} ms is prefetched, and a link scrolled past is not`, async ({
  openObserving,
}) => {
  const opened = await openObserving('/long');
  const { page } = opened;
  await scrollTo(page, '/p-2');
  await page.clock.runFor(IN_VIEW_MS - 1);
  await scrollTo(page, '/p-3');
  await page.clock.runFor(IN_VIEW_MS - 1);
  expect(opened.payloads().filter(path => path.startsWith('/p-'))).toEqual([]);
  await page.clock.runFor(1);
  await eventually(() => expect(opened.payloads()).toContain('/p-3'));
  expect(opened.payloads()).not.toContain('/p-2');
});

it(`scrolling through the landing page prefetches at most ${MAX_BYTES / 1_000} kB of payloads`, async ({
  openObserving,
}) => {
  const opened = await openObserving('/');
  const { page, requests } = opened;
  const isPayload = (request: Request) => request.url().includes('/_payload.json');
  /** Resolves with the bytes of all payloads once none is in flight. */
  const bytes = async (): Promise<number> => {
    const payloads = requests.filter(isPayload);
    const sizes = await Promise.all(payloads.map(request => request.sizes()));
    return requests.filter(isPayload).length === payloads.length
      ? sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
      : bytes();
  };
  const hrefs = await page
    .locator('main a[href^="/"]:visible')
    .evaluateAll(links => [...new Set(links.map(link => link.getAttribute('href') ?? ''))]);
  expect(hrefs.length).toBeGreaterThan(20);
  for (const href of hrefs) {
    await scrollTo(page, href);
    await page.clock.runFor(IN_VIEW_MS);
    await bytes();
  }
  expect(await bytes()).toBeGreaterThan(MAX_BYTES / 2);
  expect(await bytes()).toBeLessThanOrEqual(MAX_BYTES);
});
