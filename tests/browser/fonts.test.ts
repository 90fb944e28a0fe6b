import { expect } from 'vitest';
import { brand } from '../../site/brand.ts';
import { openPage, STILL } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { startSampleSite } from '../support/sample-site.ts';

/** The package names of the brand's faces, such as `noto-sans`. One face may serve both text and titles. */
const FACES = [...new Set(Object.values(brand.faces).map(({ from }) => from.split('/').at(-1) ?? ''))].sort();

const it = browserTest.extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
  const site = await startSampleSite();
  onCleanup(() => site.close());
  return site;
});

it('letters such as ł come from extra font files, which other pages do not load', async ({
  browser,
  site,
}) => {
  const { page, complaints, close } = await openPage(browser, STILL);
  const fetched = async (path: string) => {
    // A page complains in the console if the visitor leaves it before its scripts arrive.
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
    return page.evaluate(async () => {
      await document.fonts.ready;
      const names = performance.getEntriesByType('resource').map(({ name }) => name);
      return names.flatMap(name => /\/([a-z-]+-latin-ext)-.*woff2$/.exec(name)?.[1] ?? []).sort();
    });
  };
  // Open this page first: once Chromium has the font files in memory, it lists them for each page.
  expect(await fetched('/contacts')).toEqual([]);
  expect(await fetched('/blog/cases/ceramics-from-lodz')).toEqual(FACES.map(face => `${face}-latin-ext`));
  // Expect each letter of the heading to come from a font file, not from a system font.
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  expect(fonts.map(({ isCustomFont }) => isCustomFont)).toEqual(fonts.map(() => true));
  expect(complaints).toEqual([]);
  await close();
});
