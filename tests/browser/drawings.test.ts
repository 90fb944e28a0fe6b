import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { luminance } from '../../shared/contrast.ts';
import { hydrated, openPage, STILL } from '../support/browser.ts';
import { sampleTest as it } from '../support/browser-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { sendRequest } from '../support/send-request.ts';

const PAGES = [
  SAMPLE_PATHS.home,
  SAMPLE_PATHS.blog,
  SAMPLE_PATHS['blog-article'],
  SAMPLE_PATHS['business-solution'],
];
/** An article with a photograph. */
const CERAMICS = '/blog/cases/ceramics-from-lodz';
const LARGEST = 0.02;

/** Opens a page in the dark theme, on a system with the light one, with all its pictures loaded. */
async function openDark(page: Page, address: string): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('site:theme', 'dark'));
  await page.goto(address);
  await hydrated(page);
  await page.evaluate(async () => {
    const pictures = [...document.images];
    for (const picture of pictures) picture.loading = 'eager';
    await Promise.all(pictures.map(picture => picture.decode().catch(() => {})));
  });
}

/** @returns the largest area of neighbouring pixels lighter than a colour, as a share of the picture. */
async function largestLightArea(picture: Buffer, limit: number): Promise<number> {
  const full = sharp(picture);
  // Look at every fourth pixel of every fourth line, which is enough to find areas.
  const { data, info } = await full
    .resize({ width: Math.round(((await full.metadata()).width ?? 0) / 4), kernel: 'nearest' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const isLight = new Uint8Array(width * height);
  for (let at = 0; at < isLight.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = data.subarray(3 * at, 3 * at + 3);
    isLight[at] = luminance([red, green, blue]) > limit ? 1 : 0;
  }
  let largest = 0;
  const open: number[] = [];
  for (let first = 0; first < isLight.length; first += 1) {
    if (isLight[first] !== 1) continue;
    let size = 0;
    isLight[first] = 0;
    open.push(first);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      size += 1;
      const column = at % width;
      const near = [
        at - width,
        at + width,
        ...(column > 0 ? [at - 1] : []),
        ...(column < width - 1 ? [at + 1] : []),
      ];
      for (const next of near)
        if (isLight[next] === 1) {
          isLight[next] = 0;
          open.push(next);
        }
    }
    largest = Math.max(largest, size);
  }
  return largest / isLight.length;
}

it.for(PAGES.flatMap(path => [360, 1440].map(width => [path, width] as const)))(
  'in the dark theme, %s has no large light area except photographs, at %i px',
  async ([path, width], { browser, site }) => {
    const viewport = { width, height: width === 360 ? 800 : 900 };
    const { page, close } = await openPage(browser, { ...STILL, viewport, colorScheme: 'light' });
    await openDark(page, site.url + path);
    const muted = await page.evaluate(() => {
      for (const picture of document.images)
        if (!picture.currentSrc.includes('.svg')) picture.style.visibility = 'hidden';
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--ink-muted)';
      const colour = getComputedStyle(probe).color.match(/\d+/g)?.map(Number) ?? [];
      probe.remove();
      return colour;
    });
    const [red = 0, green = 0, blue = 0] = muted;
    const screenshot = await page.screenshot({ fullPage: true });
    expect(await largestLightArea(screenshot, luminance([red, green, blue]))).toBeLessThan(LARGEST);
    await close();
  },
);

it('only photographs are dimmed in the dark theme', async ({ browser, site }) => {
  const { page, close } = await openPage(browser, { ...STILL, colorScheme: 'dark' });
  const filters = new Set<string>();
  for (const path of [SAMPLE_PATHS.home, SAMPLE_PATHS.blog, CERAMICS]) {
    await page.goto(site.url + path);
    await hydrated(page);
    // Read all in one step: an element that has left the page, such as the overlay's mark, has no styles.
    for (const [kind, filter] of await page.evaluate(() =>
      Array.from(document.querySelectorAll<SVGElement | HTMLImageElement>('img, svg'), one => [
        one instanceof SVGElement || one.src.includes('.svg') ? 'drawing' : 'photograph',
        getComputedStyle(one).filter,
      ]),
    ))
      filters.add(`${kind}: ${filter}`);
  }
  expect([...filters].toSorted()).toEqual(['drawing: none', 'photograph: brightness(0.8)']);
  await close();
});

it('a drawing that uses tokens as colours gets the brand’s colours for both schemes', async ({ site }) => {
  const { text, headers } = await sendRequest(site.url, '/uploads/cover-euro.svg');
  expect(text).toMatch(
    /^<svg [^>]*><style>:root\{[^}]*--surface-sunken:#f2ede2[;}][^<]*@media\(prefers-color-scheme:dark\)\{:root\{[^}]*--surface-sunken:#0d0e0a[;}]/,
  );
  expect(text).toContain('fill="var(--surface-sunken, #f6f1e7)"');
  expect(headers['content-security-policy']).toContain('sandbox');
  expect((await sendRequest(site.url, '/uploads/flags.svg')).text).not.toContain('<style>');
});
