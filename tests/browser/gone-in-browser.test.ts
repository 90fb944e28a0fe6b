import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { stageTest } from '../support/browser-test.ts';

const it = stageTest.extend(
  'stageOptions',
  { scope: 'file' },
  {
    pages: { links: '- [Gone](/gone)\n- [Below](/campaigns/winter)' },
    redirects: [
      { from: '/gone', statusCode: 410 },
      { from: '/campaigns/**', statusCode: 410 },
    ],
  },
);

/** @returns the texts of the error page above its links: status, title and message. */
const errorTexts = (page: Page) => page.locator('main').locator('h1, p').allInnerTexts();

describe('an address that is gone (410)', () => {
  it.for(['/gone', '/campaigns/winter'])(
    'a link to an address with status 410 shows the 404 page with status 410: %s',
    async (path, { open }) => {
      const opened = await open('/links');
      await opened.go(path);
      expect(await errorTexts(opened.page)).toEqual(['410', 'Page Not Found', `Page not found: ${path}`]);
      expect(await opened.page.title()).toMatch(/^Page Not Found – /);
      expect(opened.documents()).toEqual(['/links']);
      await opened.page.goBack();
      await opened.arrived('/links');
    },
  );

  it('an address with status 410 shows the same texts after a link and after a reload', async ({ open }) => {
    const opened = await open('/links', { ignore: /status of 410/ });
    await opened.go('/gone');
    const texts = await errorTexts(opened.page);
    const answer = await opened.page.reload();
    await opened.arrived('/gone');
    expect(answer?.status()).toBe(410);
    expect(await errorTexts(opened.page)).toEqual(texts);
  });
});
