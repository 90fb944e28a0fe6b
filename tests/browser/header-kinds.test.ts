import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { startEmbeddedBackend } from '../../server/embedded-cms/start-embedded-backend.ts';
import { TWO_VIEWS, violationsIn } from '../support/axe.ts';
import { openPage, STILL } from '../support/browser.ts';
import { browserTest } from '../support/browser-test.ts';
import { FIXTURE_CONTENT } from '../support/fixture.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const PICTURE = { file: 'ceramics-shelf.jpg', alt: 'Bowls on a shelf', focalPoint: { x: 20, y: 80 } };
const HEADERS = {
  picture: { picture: PICTURE },
  film: { film: 'film-three-steps.webm', captions: 'film-three-steps.vtt', picture: PICTURE },
  figures: {
    figures: [
      { title: 'countries under one contract', text: '32' },
      { title: 'of payments arrive on the same day', text: '94 %' },
      { title: 'moved in the last year', text: '56,510,074 USD' },
    ],
  },
  map: {},
  plain: {},
} as const;
type Kind = keyof typeof HEADERS;
const KINDS = Object.keys(HEADERS) as Kind[];

const FIRST_SCREENS = [
  { width: 360, height: 800 },
  { width: 1440, height: 900 },
] as const;

/** Gives each test the fixture's site with a first block of the kind, started once. */
const it = browserTest.extend('siteOf', { scope: 'file' }, async ({}, { onCleanup }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinds-'));
  const ends: (() => Promise<void>)[] = [];
  onCleanup(async () => {
    for (const end of ends) await end();
    await rm(folder, { recursive: true });
  });
  async function start(kind: Kind): Promise<RunningSite> {
    const contentDir = path.join(folder, kind);
    await cp(FIXTURE_CONTENT, contentDir, { recursive: true });
    const file = path.join(contentDir, 'landing.json');
    const landing = JSON.parse(await readFile(file, 'utf8'));
    Object.assign(landing.headerBlock, { kind, ...HEADERS[kind] });
    await writeFile(file, JSON.stringify(landing));
    const backend = await startEmbeddedBackend({ contentDir, mailDir: path.join(folder, `${kind}-mail`) });
    const site = await startSite({ contentBaseUrl: backend.url });
    ends.push(async () => {
      await site.close();
      await backend.close();
    });
    return site;
  }
  const sites = new Map<Kind, Promise<RunningSite>>();
  return (kind: Kind) => {
    const known = sites.get(kind) ?? start(kind);
    sites.set(kind, known);
    return known;
  };
});

/** What a visitor sees of the first block, in CSS pixels. */
const firstBlock = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    const root = document.querySelector('#hero-title')?.closest('section') as HTMLElement;
    const frame = document.querySelector('header .el-frame') as HTMLElement;
    const buttons = Array.from(root.querySelectorAll('a.el-button'));
    const needed = [document.querySelector('#hero-title'), ...buttons];
    const texts: Element[] = [];
    const boxes: DOMRect[] = [];
    for (const element of root.querySelectorAll('*')) {
      const isText = element.children.length === 0 && element.textContent?.trim() !== '';
      if (isText) texts.push(element);
      if (isText || element.matches('img, video, svg')) boxes.push(element.getBoundingClientRect());
    }
    const { paddingLeft } = getComputedStyle(frame);
    const { left, right } = frame.getBoundingClientRect();
    const inner = {
      left: left + Number.parseFloat(paddingLeft),
      right: right - Number.parseFloat(paddingLeft),
    };
    const from = Math.max(inner.left, Math.min(...boxes.map(box => box.left)));
    const to = Math.min(inner.right, Math.max(...boxes.map(box => box.right)));
    return {
      buttons: buttons.length,
      end: Math.max(...needed.map(element => element?.getBoundingClientRect().bottom ?? Number.NaN)),
      small: texts
        .filter(element => Number.parseFloat(getComputedStyle(element).fontSize) < 15)
        .map(({ textContent }) => textContent),
      filled: (to - from) / (inner.right - inner.left),
      overflow: document.documentElement.scrollWidth - innerWidth,
    };
  });

describe.for(KINDS)('a first block of the kind %s', kind => {
  it('the first block shows headline and buttons in the first screen', async ({ browser, siteOf }) => {
    const { url } = await siteOf(kind);
    for (const viewport of FIRST_SCREENS) {
      const { page, close } = await openPage(browser, { ...STILL, viewport });
      await page.goto(url);
      const { buttons, end, small, overflow } = await firstBlock(page);
      expect([viewport.width, buttons, small, overflow]).toEqual([viewport.width, 2, [], 0]);
      expect(end).toBeLessThanOrEqual(viewport.height);
      await close();
    }
  });

  it('the first block fills four fifths of the frame of a very wide window, in LTR and RTL', async ({
    browser,
    siteOf,
  }) => {
    const { url } = await siteOf(kind);
    const { page, close } = await openPage(browser, { ...STILL, viewport: { width: 1920, height: 1080 } });
    await page.goto(url);
    for (const dir of ['ltr', 'rtl']) {
      await page.evaluate(to => document.documentElement.setAttribute('dir', to), dir);
      const { filled, overflow } = await firstBlock(page);
      expect([dir, filled >= 0.8, overflow]).toEqual([dir, true, 0]);
    }
    await close();
  });

  it('nothing moves while the first block loads, and axe finds nothing', async ({ browser, siteOf }) => {
    const { url } = await siteOf(kind);
    const { page, close } = await openPage(browser, STILL);
    await page.goto(url);
    const shift = await page.evaluate(async () => {
      await document.fonts.ready;
      const shifts: number[] = [];
      const observer = new PerformanceObserver(list => {
        shifts.push(...list.getEntries().map(entry => Number(Reflect.get(entry, 'value'))));
      });
      observer.observe({ type: 'layout-shift', buffered: true });
      for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
      return shifts.reduce((sum, one) => sum + one, 0);
    });
    // Allow for a part of a pixel, because the fonts replace their fallbacks.
    expect(shift).toBeLessThan(0.001);
    expect(await violationsIn(TWO_VIEWS, page)).toEqual([]);
    await close();
  });
});

it('figures begin at the edge of their column on an RTL page', async ({ browser, siteOf }) => {
  const { url } = await siteOf('figures');
  const { page, close } = await openPage(browser, { ...STILL, viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  const gaps = await page.locator('main section dl :is(dt, dd)').evaluateAll(parts =>
    parts.map(part => {
      const range = document.createRange();
      range.selectNodeContents(part);
      return Math.round(part.getBoundingClientRect().right - range.getBoundingClientRect().right);
    }),
  );
  expect(gaps.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
  await close();
});

it('the picture of the first block is the LCP, in a modern format, and cropped to its focal point', async ({
  browser,
  siteOf,
}) => {
  const { url } = await siteOf('picture');
  const { page, close } = await openPage(browser, { ...STILL, viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  const picture = page.locator('main section img[alt="Bowls on a shelf"]');
  expect(await picture.getAttribute('fetchpriority')).toBe('high');
  expect(await picture.getAttribute('loading')).toBe(null);
  expect(await picture.evaluate(element => getComputedStyle(element).objectPosition)).toBe('25% 75%');
  expect(await picture.evaluate((element: HTMLImageElement) => element.currentSrc)).toMatch(/\.avif$/);
  const largest = await page.evaluate(
    () =>
      new Promise<string | undefined>(resolve => {
        new PerformanceObserver(list =>
          resolve((Reflect.get(list.getEntries().at(-1) ?? {}, 'element') as Element | null)?.tagName),
        ).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
  expect(largest).toBe('IMG');
  await close();
});

it('a video of the first block shows its poster and waits for the visitor', async ({ browser, siteOf }) => {
  const { url } = await siteOf('film');
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    const { page, close } = await openPage(browser, { reducedMotion });
    const films: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith('.webm')) films.push(request.url());
    });
    await page.goto(url);
    const film = page.getByRole('main').locator('video');
    expect(await film.evaluate((element: HTMLVideoElement) => element.paused && !element.autoplay)).toBe(
      true,
    );
    expect(await film.getAttribute('poster')).toBe('/images/uploads/ceramics-shelf.jpg/960.webp');
    expect(await film.locator('track[kind=captions]').getAttribute('src')).toContain('film-three-steps.vtt');
    expect(films).toEqual([]);
    await film.evaluate((element: HTMLVideoElement) => element.play());
    expect(films.length).toBeGreaterThan(0);
    await close();
  }
});

it('a first visit loads the stylesheet of a header with figures and no script, and none for a plain header', async ({
  browser,
  siteOf,
}) => {
  for (const [kind, files] of [
    ['figures', [expect.stringMatching(/^\/assets\/object-header-\w+\.css$/)]],
    ['plain', []],
  ] as const) {
    const { url } = await siteOf(kind);
    const { page, close } = await openPage(browser);
    const requested: string[] = [];
    page.on('request', request => requested.push(new URL(request.url()).pathname));
    await page.goto(url, { waitUntil: 'networkidle' });
    expect(requested.filter(file => file.includes('object-header'))).toEqual(files);
    await close();
  }
});
