// node tests/look/take-screenshots.ts [part of a name ...]
//
// `npm run screenshots`: writes pictures of every screen at four widths in both themes to screenshots/. It
// uses the built site with the sample content and the browser of the tests. The style guide is that of
// `npm run dev`.

import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startBuiltSite } from '../faults/built-site.ts';
import { hydrated, launchBrowser } from '../support/browser.ts';
import { DEVICES } from '../support/devices.ts';
import { runCommand } from '../support/run-command.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'screenshots');
const SAMPLES = ['site', 'shared'].flatMap(folder =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).flatMap(
    file => /([^/\\]+)\.sample\.json$/.exec(file)?.[1] ?? [],
  ),
);
const WIDTHS = [360, 768, 1280, 1920];
const THEMES = ['light', 'dark'] as const;

interface Screen {
  path: string;
  /** Prepares the page for the picture. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Takes a picture of the window in place of the whole page, for overlays. */
  windowOnly?: boolean;
  /** Greatest width at which this screen exists. */
  maxWidth?: number;
  /** Whether the page is of the style guide, which only `npm run dev` has. */
  inStyleguide?: boolean;
}

/** A page of every route, and further states of pages. */
const SCREENS: Readonly<Record<string, Screen>> = {
  ...Object.fromEntries(Object.entries(SAMPLE_PATHS).map(([route, path]) => [route, { path }])),
  'blog-category-2': { path: `${SAMPLE_PATHS['blog-category']}?page=2` },
  'business-solutions': { path: '/business-solutions' },
  contacts: { path: '/contacts' },
  'contacts-errors': {
    path: '/contacts',
    async prepare(page) {
      await page.locator('#contacts form button[type=submit]').click();
      await page.locator('#contacts [role=status].is-invalid').waitFor();
    },
  },
  menu: {
    path: '/about',
    windowOnly: true,
    maxWidth: 768,
    prepare: page => page.getByRole('button', { name: 'Menu' }).click(),
  },
  'not-found': { path: '/buisness-solutions/payout' },
  'late-list': { path: '/about', windowOnly: true, prepare: page => startLateNavigation(page, '/blog') },
  'late-article': {
    path: SAMPLE_PATHS['blog-category'],
    windowOnly: true,
    prepare: page => startLateNavigation(page, SAMPLE_PATHS['blog-article']),
  },
  'late-page': { path: '/', windowOnly: true, prepare: page => startLateNavigation(page, '/contacts') },
  offline: {
    path: '/about',
    async prepare(page) {
      await page.context().setOffline(true);
      await page.locator('footer a[href="/contacts"]').first().click();
      await page.getByText('Try again').waitFor();
    },
  },
  ...Object.fromEntries(
    SAMPLES.map(name => [`styleguide-${name}`, { path: `/styleguide/${name}`, inStyleguide: true }]),
  ),
};

const chosenNames = process.argv.slice(2);
const screens = Object.entries(SCREENS).filter(
  ([name]) => chosenNames.length === 0 || chosenNames.some(part => name.includes(part)),
);
const site = await startBuiltSite({});
const dev = screens.some(([, { inStyleguide }]) => inStyleguide)
  ? await runCommand(['npm', 'run', 'dev'], { env: { CONTENT_DIR: path.join(ROOT, 'content') } })
  : null;
const browser = await launchBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  for (const [name, screen] of screens) {
    for (const width of WIDTHS.filter(width => width <= (screen.maxWidth ?? width))) {
      for (const theme of THEMES) await captureScreen(browser, name, screen, width, theme);
    }
    console.log(name);
  }
} finally {
  await browser.close();
  await site.dispose();
  await dev?.dispose();
}

async function captureScreen(
  browser: Browser,
  name: string,
  { path: address, prepare, windowOnly = false, inStyleguide = false }: Screen,
  width: number,
  theme: (typeof THEMES)[number],
): Promise<void> {
  const device = width < 600 ? DEVICES.mobile : width < 1000 ? DEVICES.tablet : DEVICES.desktop;
  const height = width < 1000 ? 800 : 900;
  const context = await browser.newContext({
    ...device,
    viewport: { width, height },
    deviceScaleFactor: 1,
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto((inStyleguide ? (dev?.url ?? '') : site.url) + address);
  if (!inStyleguide) await hydrated(page);
  await prepare?.(page);
  await showEverything(page);
  await page.screenshot({
    path: path.join(FOLDER, `${name}-${width}-${theme}.png`),
    fullPage: !windowOnly,
  });
  await context.close();
}

/** Follows a link whose payload never arrives, and waits for the skeleton. */
async function startLateNavigation(page: Page, href: string): Promise<void> {
  await page.route('**/_payload.json*', () => {});
  await page.evaluate(target => document.querySelector<HTMLElement>(`a[href="${target}"]`)?.click(), href);
  await page.locator('.el-page-skeleton').waitFor();
}

/** Loads all lazy pictures and the fonts. */
async function showEverything(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Scrolls to the top. Otherwise sticky elements would appear in the middle of the picture.
    if (!document.querySelector('dialog:modal')) scrollTo(0, 0);
    for (const image of document.images) image.loading = 'eager';
    await document.fonts.ready;
    const pending = Array.from(document.images).filter(image => !image.complete);
    // A picture that fails to load is shown as it is.
    await Promise.all(pending.map(image => image.decode().catch(() => {})));
  });
}
