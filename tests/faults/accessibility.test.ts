import { describe, expect } from 'vitest';
import { ALL_VIEWS, CHECKED_PATHS, violations, violationsIn } from '../support/axe.ts';
import { hydrated, openPage } from '../support/browser.ts';
import { sampleTest as it } from '../support/browser-test.ts';

// `tests/browser/accessibility.test.ts` has the short form: each width and each colour scheme once.
describe('axe finds nothing', () => {
  it.for(CHECKED_PATHS)(
    'axe finds nothing on %s, in light and dark, at 360 and 1440 px',
    async (path, { browser, site }) => {
      const { page, close } = await openPage(browser, { reducedMotion: 'reduce' });
      await page.goto(site.url + path);
      await hydrated(page);
      expect(await violationsIn(ALL_VIEWS, page)).toEqual([]);
      await close();
    },
  );

  it.for(CHECKED_PATHS)('axe finds nothing on %s at 200 % zoom', async (path, { browser, site }) => {
    const viewport = { width: 640, height: 400 };
    const { page, close } = await openPage(browser, {
      reducedMotion: 'reduce',
      viewport,
      deviceScaleFactor: 2,
    });
    await page.goto(site.url + path);
    await hydrated(page);
    expect(await violations(page)).toEqual([]);
    await close();
  });
});
