import path from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { buildPanelIfStale } from '../../../build/cms/prepare.ts';
import { launchBrowser } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { patient } from '../../support/patience.ts';
import { cmsTest } from '../support/cms-test.ts';

/** `npm run test:cms -- --full` writes pictures of the panel here. `docs/images` has copies. */
const PICTURES = path.resolve(import.meta.dirname, '../../../screenshots');
const SLUG = 'getting-paid-in-brazil';
const ADDRESS = `/blog/guides/${SLUG}`;

beforeAll(() => buildPanelIfStale(), patient(300_000));

const it = cmsTest.extend('cmsEnv', { scope: 'file' }, async () => ({ SERVE_ADMIN: 'true' }));

it('an editor sees a draft in the panel’s preview, and visitors see it after its publication', async ({
  cms,
  settings,
  admin,
  site,
  getPage,
}) => {
  const [article] = (await admin.list('article')).filter(({ slug }) => slug === SLUG);
  const [author] = (await admin.list('author')).filter(({ name }) => name === 'Rafael Teixeira');
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(patient(15_000));
    await page.goto(`${cms.url}/admin`);
    await page.fill('input[name=email]', settings.ADMIN_EMAIL ?? '');
    await page.fill('input[name=password]', settings.ADMIN_PASSWORD ?? '');
    await page.click('button[type=submit]');
    await page.waitForSelector('nav a[href*="content-manager"]');

    const uid = 'api::article.article';
    await page.goto(`${cms.url}/admin/content-manager/collection-types/${uid}/${article?.documentId}`);
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    await title.fill('The first draft');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').first().waitFor();
    await page.getByRole('link', { name: 'Open preview' }).click();
    const shows = (text: string | RegExp) =>
      page.frameLocator('iframe').locator('main h1').filter({ hasText: text }).waitFor();
    await shows('The first draft');
    await page.frameLocator('iframe').getByText('Draft · Edit · Exit').waitFor();
    await page.screenshot({ path: path.join(PICTURES, 'cms-preview.png') });
    expect((await getPage(ADDRESS)).text).not.toContain('The first draft');

    await page.getByRole('tab', { name: 'Published' }).click();
    await shows('Getting paid in Brazil');
    await page.getByRole('tab', { name: 'Draft' }).click();
    await shows('The first draft');
    const frame = page.frames().at(-1) as Frame;
    await frame.waitForFunction(() => document.documentElement.dataset.hydrated === 'true');
    // Another editor changes the author. The panel reports each publish to the frame, which shows both
    // changes.
    await admin.publish('author', author?.documentId ?? '', { position: 'Changed beside the editor' });
    await frame.evaluate(() => {
      Object.assign(window, { isSameDocument: true, told: [] });
      addEventListener('message', ({ data, origin }) =>
        Reflect.get(window, 'told').push([data?.type, origin]),
      );
      scrollTo(0, 300);
    });
    await page.getByRole('button', { name: 'Publish' }).click();
    await frame.getByText('Changed beside the editor').first().waitFor();
    expect(await frame.evaluate('[isSameDocument, scrollY, told]')).toEqual([
      true,
      300,
      [['strapiUpdate', cms.url]],
    ]);
    await eventually(async () =>
      expect((await getPage(ADDRESS)).text.includes('The first draft')).toBe(true),
    );
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
  } finally {
    await browser.close();
  }
});
