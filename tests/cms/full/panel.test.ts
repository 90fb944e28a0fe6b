import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { buildPanelIfStale } from '../../../build/cms/prepare.ts';
import { launchBrowser } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { patient } from '../../support/patience.ts';
import { cmsTest } from '../support/cms-test.ts';

/** `npm run test:cms -- --full` writes pictures of the panel here. `docs/images` has copies. */
const PICTURES = path.resolve(import.meta.dirname, '../../../screenshots');

beforeAll(() => buildPanelIfStale(), patient(300_000));

const it = cmsTest
  .extend('cmsEnv', { scope: 'file' }, async () => ({ SERVE_ADMIN: 'true' }))
  .extend('panel', { scope: 'file' }, async ({ cms, settings }, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
    page.setDefaultTimeout(patient(15_000));
    await page.goto(`${cms.url}/admin`);
    await page.fill('input[name=email]', settings.ADMIN_EMAIL ?? '');
    await page.fill('input[name=password]', settings.ADMIN_PASSWORD ?? '');
    await page.click('button[type=submit]');
    await page.waitForSelector('nav a[href*="content-manager"]');
    return page;
  });

describe('an editor in the panel', () => {
  it('an editor changes and publishes an article in the panel, and the public page shows it', async ({
    panel,
    cms,
    admin,
    getPage,
  }) => {
    const [article] = (await admin.list('article')).filter(({ slug }) => slug === 'getting-paid-in-brazil');
    const address = '/blog/guides/getting-paid-in-brazil';
    expect((await getPage(address)).status).toBe(200);
    await open(
      panel,
      `${cms.url}/admin/content-manager/collection-types/api::article.article/${article?.documentId}`,
    );
    await panel.getByRole('textbox', { name: 'Title', exact: true }).fill('Typed into the panel');
    await panel.screenshot({ path: path.join(PICTURES, 'cms-article.png') });
    await panel.getByRole('button', { name: 'Publish' }).click();
    await eventually(async () =>
      expect((await getPage(address)).text.includes('Typed into the panel')).toBe(true),
    );
  });

  it('the panel shows the blocks of the home page as labelled fields, not as JSON', async ({
    panel,
    cms,
  }) => {
    await open(panel, `${cms.url}/admin/content-manager/single-types/api::landing.landing`);
    await panel.getByText('Order of the blocks').first().waitFor();
    expect(await panel.getByText('Block “Partners”').count()).toBeGreaterThan(0);
    const order = panel.getByText('Order of the blocks').first();
    await order.scrollIntoViewIfNeeded();
    // Closed rows have the names of their blocks, so that an editor knows what to drag.
    expect(await panel.getByRole('button', { name: 'partners' }).count()).toBeGreaterThan(0);
    await panel.screenshot({ path: path.join(PICTURES, 'cms-home-page.png') });
  });
});

async function open(panel: Page, address: string): Promise<void> {
  await panel.goto(address);
  await panel.getByRole('button', { name: 'Publish' }).waitFor();
}
