import { expect } from 'vitest';
import { openPage, STILL } from '../support/browser.ts';
import { sampleTest as it } from '../support/browser-test.ts';

it('the landing page has dense, quiet and full-bleed blocks, and never three of a kind in a row', async ({
  browser,
  site,
}) => {
  const { page, close } = await openPage(browser, { ...STILL, viewport: { width: 1440, height: 900 } });
  await page.goto(site.url);
  const tempi = await page.locator('main > section').evaluateAll(sections =>
    sections.map(({ classList }) => {
      if (classList.contains('el-dense')) return 'dense';
      return classList.contains('el-section') && !classList.contains('el-bleed') ? 'quiet' : 'bleed';
    }),
  );
  expect(new Set(tempi).size).toBe(3);
  const threes = tempi.filter((tempo, at) => tempo === tempi[at + 1] && tempo === tempi[at + 2]);
  expect(threes).toEqual([]);
  // A full-bleed block has a different background from the page.
  const ground = page.locator('main > .el-bleed').first();
  const colours = await ground.evaluate(element =>
    [element, document.body].map(of => getComputedStyle(of).backgroundColor),
  );
  expect(new Set(colours).size).toBe(2);
  await close();
});

it.for([360, 768, 1440])(
  'the first of many cards is larger than the others at %s px',
  async (width, { browser, site }) => {
    const { page, close } = await openPage(browser, { ...STILL, viewport: { width, height: 800 } });
    await page.goto(site.url);
    const areas = await page
      .locator('main > .el-bleed > div > ul > li')
      .evaluateAll(cards => cards.map(card => card.clientWidth * card.clientHeight));
    const [lead = 0, ...others] = areas;
    expect(others.length).toBeGreaterThan(3);
    expect(lead).toBeGreaterThan(Math.max(...others));
    await close();
  },
);

/** The smallest area that counts as a picture, in px². Icons and flags are smaller. */
const LEAST_PICTURE = 3_000;

it.for([
  [360, 800],
  [768, 1024],
  [1440, 900],
] as const)(
  'below the first block, gaps between pictures of the landing page are at most two screens high: %s by %s',
  async ([width, height], { browser, site }) => {
    const { page, close } = await openPage(browser, { ...STILL, viewport: { width, height } });
    await page.goto(site.url);
    await page.locator('main img').evaluateAll(async images => {
      for (const image of images as HTMLImageElement[]) image.loading = 'eager';
      await Promise.all(images.map(image => (image as HTMLImageElement).decode().catch(() => {})));
    });
    const { edges, pictures } = await page.evaluate(least => {
      const box = (element: Element) => element.getBoundingClientRect();
      const all = [...document.querySelectorAll('main > section ~ section :is(img, video, svg), footer svg')];
      return {
        edges: [...document.querySelectorAll('main > section:first-of-type, footer')].map(
          element => box(element).bottom,
        ),
        pictures: all
          .filter(picture => box(picture).width * box(picture).height >= least)
          .map(picture => [box(picture).top, box(picture).bottom] as const),
      };
    }, LEAST_PICTURE);
    const [first = NaN, last = NaN] = edges;
    expect(pictures.length).toBeGreaterThan(3);
    const ends = [first, ...pictures.map(([, bottom]) => bottom)];
    const gaps = [...pictures.map(([top]) => top), last].map((top, at) => top - (ends[at] ?? NaN));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * height);
    await close();
  },
);
