import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { matchRoute } from '../../shared/routing/match-route.ts';
import { routeTable } from '../../shared/routing/routes.ts';

export interface Screen {
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

export type Screens = Readonly<Record<string, Screen>>;

/** A setting of the visitor, in which the main templates are shown. */
interface View {
  context?: BrowserContextOptions;
  styles?: string;
  media?: 'print';
}

/** The values of WCAG 2.2, “text spacing”. */
const SPACING =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }';

export const VIEWS: Readonly<Record<string, View>> = {
  print: { media: 'print' },
  'forced-colours': { context: { forcedColors: 'active' } },
  'more-contrast': { context: { contrast: 'more' } },
  'text-spacing': { context: { bypassCSP: true }, styles: SPACING },
};

/** The templates that the views show. */
export const MAIN_TEMPLATES = ['home', 'blog', 'blog-article', 'business-solution', 'page', 'search'];

/** @returns a page of each route that the site has content for, by the route's name. */
export async function templatesOf(url: string): Promise<Screens> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const found: Record<string, Screen> = {};
  for (const [, address = ''] of sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)) {
    const { pathname } = new URL(address);
    const id = matchRoute(routeTable, pathname)?.route.id;
    if (id) found[id] ??= { path: pathname };
  }
  return { ...found, search: { path: '/search?q=a' } };
}

/** Further states of pages, and the samples of the style guide. */
export function statesOf(templates: Screens): Screens {
  const at = (id: string) => templates[id]?.path ?? '/';
  return {
    'blog-category-2': { path: `${at('blog-category')}?page=2` },
    contacts: { path: '/contacts' },
    'contacts-errors': {
      path: '/contacts',
      async prepare(page) {
        await page.locator('#contacts form button[type=submit]').click();
        await page.locator('#contacts [role=status].is-invalid').waitFor();
      },
    },
    'contacts-sent': {
      path: '/contacts',
      async prepare(page) {
        for (const name of ['name', 'email', 'message'])
          await page.locator(`#contact-${name}`).fill(`ada-${name}@example.com`);
        await page.locator('#contacts form button[type=submit]').click();
        await page.locator('#contacts [role=status].is-sent').waitFor();
      },
    },
    menu: {
      path: at('page'),
      windowOnly: true,
      maxWidth: 768,
      prepare: page => page.locator('header button[aria-haspopup=dialog]').click(),
    },
    'not-found': { path: '/buisness-solutions/payout' },
    'search-empty': { path: '/search' },
    'search-nothing': { path: '/search?q=xyzzyx' },
    'late-list': {
      path: at('page'),
      windowOnly: true,
      prepare: page => startLateNavigation(page, at('blog')),
    },
    'late-page': {
      path: at('home'),
      windowOnly: true,
      prepare: page => startLateNavigation(page, '/contacts'),
    },
    offline: {
      path: at('page'),
      async prepare(page) {
        await page.context().setOffline(true);
        await page.locator('footer a[href="/contacts"]').first().click();
        await page.locator('main button').first().waitFor();
      },
    },
    ...Object.fromEntries(
      samples().map(name => [`styleguide-${name}`, { path: `/styleguide/${name}`, inStyleguide: true }]),
    ),
  };
}

function samples(): string[] {
  const root = path.resolve(import.meta.dirname, '../..');
  return ['site', 'shared'].flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap(
      file => /([^/\\]+)\.sample\.json$/.exec(file)?.[1] ?? [],
    ),
  );
}

/** Follows a link whose payload never arrives, and waits for the skeleton. */
async function startLateNavigation(page: Page, href: string): Promise<void> {
  await page.route('**/_payload.json*', () => {});
  await page.evaluate(target => document.querySelector<HTMLElement>(`a[href="${target}"]`)?.click(), href);
  await page.locator('.el-page-skeleton').waitFor();
}
