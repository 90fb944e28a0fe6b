// node tests/look/take-screenshots.ts [part of a name ...]
//
// `npm run screenshots`: writes pictures of every screen to screenshots/, at four widths in both themes. They
// show all templates of three brands, and states of pages. The main templates are also shown on paper, and
// with settings of visitors. Each contact sheet has one width and theme. A screen that fails is named at
// the end, and the others are still taken.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startBuiltSite } from '../faults/built-site.ts';
import { hydrated, launchBrowser } from '../support/browser.ts';
import { buildBrand } from '../support/built-brand.ts';
import { DEVICES } from '../support/devices.ts';
import { runCommand } from '../support/run-command.ts';
import { writeContactSheets } from './contact-sheet.ts';
import { MAIN_TEMPLATES, type Screen, type Screens, statesOf, templatesOf, VIEWS } from './screens.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'screenshots');
const WIDTHS = [360, 768, 1440, 1920];
const THEMES = ['light', 'dark'] as const;

interface Shot {
  /** The name of the picture before width and theme. */
  name: string;
  url: string;
  screen: Screen;
  view?: (typeof VIEWS)[string];
}

const chosen = process.argv.slice(2);
const isChosen = (name: string) => chosen.length === 0 || chosen.some(part => name.includes(part));
const browser = await launchBrowser();
const started: { dispose(): Promise<unknown> }[] = [];
/** The pictures of each kind of contact sheet. */
const sheets = new Map<string, string[]>();
const failures: string[] = [];
try {
  await mkdir(FOLDER, { recursive: true });
  for (const shot of await allShots()) {
    for (const width of WIDTHS.filter(width => width <= (shot.screen.maxWidth ?? width)))
      await take(shot, width).catch(error => failures.push(`${shot.name}, ${width} px: ${error}`));
    console.log(shot.name);
  }
  for (const [name, files] of sheets) await writeContactSheets(path.join(FOLDER, name), files);
} finally {
  await browser.close();
  for (const one of started) await one.dispose();
}
for (const failure of failures) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;

async function allShots(): Promise<Shot[]> {
  const site = await startBuiltSite({ env: { CONTENT_DIR: path.join(ROOT, 'content') } });
  started.push(site);
  const templates = await templatesOf(site.url);
  const states = statesOf(templates);
  const views = Object.entries(VIEWS).flatMap(([name, view]) =>
    MAIN_TEMPLATES.flatMap(id => {
      const screen = templates[id];
      return screen ? { name: `${name}-${id}`, url: site.url, screen, view } : [];
    }),
  );
  const shots = [...shotsOf('site', site.url, templates), ...shotsOf('state', site.url, states), ...views];
  for (const brand of ['kessler', 'rahma']) {
    if (chosen.length > 0 && !chosen.some(part => part.startsWith(brand))) continue;
    const other = await (await buildBrand(brand)).start();
    started.push(other);
    shots.push(...shotsOf(brand, other.url, await templatesOf(other.url)));
  }
  const wanted = shots.filter(({ name }) => isChosen(name));
  if (wanted.some(({ screen }) => screen.inStyleguide)) await startStyleguide(wanted);
  return wanted;
}

function shotsOf(prefix: string, url: string, screens: Screens): Shot[] {
  return Object.entries(screens).map(([name, screen]) => ({
    name: screen.inStyleguide ? name : `${prefix}-${name}`,
    url,
    screen,
  }));
}

async function startStyleguide(shots: Shot[]): Promise<void> {
  const dev = await runCommand(['npm', 'run', 'dev'], { env: { CONTENT_DIR: path.join(ROOT, 'content') } });
  started.push(dev);
  for (const shot of shots) if (shot.screen.inStyleguide) shot.url = dev.url;
}

/** Takes both themes of one page, because a second visit would cost as much again. */
async function take({ name, url, screen, view }: Shot, width: number): Promise<void> {
  const device = width < 600 ? DEVICES.mobile : width < 1000 ? DEVICES.tablet : DEVICES.desktop;
  const context = await browser.newContext({
    ...device,
    viewport: { width, height: width < 1000 ? 800 : 900 },
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
    ...view?.context,
  });
  try {
    const page = await context.newPage();
    await page.goto(url + screen.path);
    if (!screen.inStyleguide) await hydrated(page);
    if (view?.styles) await page.addStyleTag({ content: view.styles });
    if (view?.media) await page.emulateMedia({ media: view.media });
    // Without a connection no more pictures load.
    await showEverything(page);
    await screen.prepare?.(page);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await showEverything(page);
      const file = path.join(FOLDER, `${name}-${width}-${theme}.png`);
      await page.screenshot({ path: file, fullPage: !screen.windowOnly });
      const sheet = `sheet-${name.split('-', 1)[0]}-${width}-${theme}`;
      sheets.set(sheet, [...(sheets.get(sheet) ?? []), file]);
    }
  } finally {
    await context.close();
  }
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
