import { describe, expect } from 'vitest';
import { routeTable } from '../../shared/routing/routes.ts';
import { hydrated, openPage } from '../support/browser.ts';
import { sampleTest as it } from '../support/browser-test.ts';
import { textOfPdf } from '../support/pdf-text.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';

const withoutSpaces = (text: string) => text.replace(/\s/g, '');

describe('a printed page', () => {
  it.for(routeTable.map(({ id }) => id))(
    'has its text, and neither skip link nor form: %s',
    async (id, { browser, site }) => {
      const { page, close } = await openPage(browser);
      await page.goto(site.url + SAMPLE_PATHS[id]);
      await hydrated(page);
      const [heading, paragraph] = await Promise.all([
        page.locator('main h1').first().innerText(),
        page.locator('main p:visible').first().innerText(),
      ]);
      const text = textOfPdf(await page.pdf());
      expect(text).toContain(withoutSpaces(heading));
      expect(text.toLowerCase()).toContain(withoutSpaces(paragraph).toLowerCase());
      expect(text).not.toContain('Skiptocontent');
      expect(text).not.toContain('Newsbye-mail');
      await close();
    },
  );

  it('has no element over its text: nothing that is printed is fixed to the window', async ({
    browser,
    site,
  }) => {
    for (const { id } of routeTable) {
      const { page, close } = await openPage(browser);
      await page.goto(site.url + SAMPLE_PATHS[id]);
      await hydrated(page);
      await page.emulateMedia({ media: 'print' });
      const fixed = await page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>('body *'))
          .filter(element => getComputedStyle(element).position === 'fixed')
          .filter(element => element.getClientRects().length > 0)
          .map(element => `${element.localName}.${element.className}`),
      );
      expect(fixed, id).toEqual([]);
      await close();
    }
  });
});
