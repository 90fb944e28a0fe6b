import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { openPage } from '../support/browser.ts';
import { sampleTest as it } from '../support/browser-test.ts';
import { some } from '../support/in-full.ts';
import { SAMPLE_PATHS, SAMPLE_ROUTES } from '../support/sample-paths.ts';

/** How late the fonts are, in ms. The page has long been painted in the fallback faces. */
const LATE_MS = 1_800;

it.for(some(SAMPLE_ROUTES, 5).map(({ id }) => id))(
  'late fonts move nothing on the page of %s on a phone',
  async (id, { browser, site }) => {
    const { page, close } = await openPage(browser, { viewport: { width: 360, height: 800 } });
    await page.route('**/*.woff2', async route => {
      await delay(LATE_MS);
      await route.continue();
    });
    await page.goto(site.url + SAMPLE_PATHS[id]);
    const { faces, shift } = await page.evaluate(async () => {
      // Wait for the first layout: before it no face is loading, so `ready` would resolve too early.
      while ([...document.fonts].every(({ status }) => status === 'unloaded'))
        await new Promise(requestAnimationFrame);
      await document.fonts.ready;
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      const entries = await new Promise<PerformanceEntryList>(resolve => {
        new PerformanceObserver((list, observer) => {
          observer.disconnect();
          resolve(list.getEntries());
        }).observe({ type: 'layout-shift', buffered: true });
        // Without any shift the observer is never called.
        setTimeout(resolve, 500, []);
      });
      return {
        faces: [...document.fonts].filter(({ status }) => status === 'loaded').length,
        shift: entries.reduce((sum, entry) => sum + Number(Reflect.get(entry, 'value')), 0),
      };
    });
    expect(faces).toBeGreaterThan(0);
    expect(shift).toBeLessThanOrEqual(0.01);
    await close();
  },
);
