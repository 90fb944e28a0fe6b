import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { buildPanelIfStale } from '../../../build/cms/prepare.ts';
import { launchBrowser } from '../../support/browser.ts';
import { patient } from '../../support/patience.ts';
import { editingTest } from './editing-test.ts';

/** `npm run test:cms -- --full` writes pictures of the panel here. `docs/images` has copies. */
const PICTURES = path.resolve(import.meta.dirname, '../../../screenshots');

export const ARTICLES = 'collection-types/api::article.article';

/** Builds the panel before the tests of a file. */
export const withPanel = () => beforeAll(() => buildPanelIfStale(), patient(300_000));

/** Gives each test file the CMS with its panel, and a page where an administrator is signed in. */
export const panelTest = editingTest
  .extend('cmsEnv', { scope: 'file' }, async () => ({ SERVE_ADMIN: 'true' }))
  .extend('panelHeight', { scope: 'file' }, async () => 1000)
  .extend('panel', { scope: 'file' }, async ({ cms, settings, panelHeight }, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: panelHeight } });
    page.setDefaultTimeout(patient(15_000));
    await page.goto(`${cms.url}/admin`);
    await page.fill('input[name=email]', settings.ADMIN_EMAIL ?? '');
    await page.fill('input[name=password]', settings.ADMIN_PASSWORD ?? '');
    await page.click('button[type=submit]');
    await page.waitForSelector('nav a[href*="content-manager"]');
    return page;
  })
  /** Opens a page of the content manager. */
  .extend(
    'openPanel',
    async ({ panel, cms }) =>
      (place: string) =>
        panel.goto(`${cms.url}/admin/content-manager/${place}`),
  );

/** Writes a picture of the panel. */
export const picture = (panel: Page, name: string, fullPage = true) =>
  panel.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage });
