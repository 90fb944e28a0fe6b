import { describe, expect } from 'vitest';
import { openPage, STILL } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { startStage } from '../support/stage.ts';

const it = browserTest.extend('page', { scope: 'file' }, async ({ browser }, { onCleanup }) => {
  const { page, close } = await openPage(browser, STILL);
  onCleanup(close);
  return page;
});

describe('the figures of the home page', () => {
  it.for([
    ['de-DE', 'EUR'],
    ['ar-EG', 'USD'],
    ['ar-EG', 'EGP'],
  ] as const)(
    'figures of the home page break only between words and stay in their columns, in %s with %s',
    async ([locale, currency], { page, onTestFinished }) => {
      const site = await startStage({ settings: { language: locale, currency } });
      onTestFinished(() => site.close());
      await page.goto(site.url);
      for (const width of [320, 390, 768, 1_024, 1_280, 1_440]) {
        await page.setViewportSize({ width, height: 800 });
        const amounts = page.locator('.el-metrics dl dt + dd');
        const broken = await amounts.evaluateAll(values =>
          values.flatMap(value => {
            const text = document.createTreeWalker(value, NodeFilter.SHOW_TEXT).nextNode() as Text;
            const range = new Range();
            const isBroken = [...text.data.matchAll(/\S+/g)].some(({ 0: word, index }) => {
              range.setStart(text, index);
              range.setEnd(text, index + word.length);
              return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1;
            });
            return isBroken || value.scrollWidth > value.clientWidth ? [text.data] : [];
          }),
        );
        expect(await amounts.count()).toBeGreaterThan(2);
        expect([width, broken]).toEqual([width, []]);
      }
    },
  );
});
