import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { buildPanelIfStale } from '../../../build/cms/prepare.ts';
import { launchBrowser } from '../../support/browser.ts';
import { patient } from '../../support/patience.ts';
import { editingTest } from '../support/editing-test.ts';

const PICTURES = path.resolve(import.meta.dirname, '../../../screenshots');

beforeAll(() => buildPanelIfStale(), patient(300_000));

const it = editingTest
  .extend('cmsEnv', { scope: 'file' }, async () => ({ SERVE_ADMIN: 'true' }))
  .extend('panel', { scope: 'file' }, async ({ cms, settings }, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: 1200 } });
    page.setDefaultTimeout(15_000);
    await page.goto(`${cms.url}/admin`);
    await page.fill('input[name=email]', settings.ADMIN_EMAIL ?? '');
    await page.fill('input[name=password]', settings.ADMIN_PASSWORD ?? '');
    await page.click('button[type=submit]');
    await page.waitForSelector('nav a[href*="content-manager"]');
    return page;
  });

const picture = (panel: Page, name: string) =>
  panel.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });

it('the start page and the side of an entry show what the site says, in the language of the panel', async ({
  panel,
  cms,
  site,
  admin,
  idOf,
}) => {
  const id = await idOf('article', 'getting-paid-in-brazil');
  await admin.publish('article', id, { body: 'See [the rates](/rates-of-yesterday).' });
  await site.site.links.check();

  await panel.goto(`${cms.url}/admin`);
  const kind = panel.getByText('Link that leads nowhere: 1');
  await kind.click();
  const link = panel.getByRole('link', { name: '/rates-of-yesterday' });
  await link.waitFor();
  await panel.getByText('The site last heard of a change:').waitFor();
  await picture(panel, 'cms-problems');
  await link.click();
  await panel.getByText('On the site').waitFor();
  await panel.getByText("body: the link to '/rates-of-yesterday'").waitFor();
  await picture(panel, 'cms-problems-entry');

  const linked = await idOf('article', 'what-compliance-will-ask');
  await panel.goto(`${cms.url}/admin/content-manager/collection-types/api::article.article/${linked}`);
  await panel.getByText('Pages that link here:').waitFor();
  await picture(panel, 'cms-linked-from');

  await panel.evaluate(() => localStorage.setItem('strapi-admin-language', 'de'));
  await panel.goto(`${cms.url}/admin`);
  await panel.getByText('Link ins Leere: 1').waitFor();
  await panel.getByText('Probleme der Website').waitFor();
  await picture(panel, 'cms-problems-de');
  expect(await panel.getByText('The site last heard').count()).toBe(0);
});
