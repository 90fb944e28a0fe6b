import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { writeContentPlan } from '../../../build/cms/content-plan.ts';
import { eventually } from '../../support/eventually.ts';
import { FIXTURE_CONTENT } from '../../support/fixture.ts';
import { freePort } from '../../support/free-port.ts';
import { AS_BROWSER, sendRequest } from '../../support/send-request.ts';
import { cmsTest } from '../support/cms-test.ts';
import { differentPages } from '../support/different-pages.ts';
import { runStrapi4 } from '../support/strapi-4.ts';

const it = cmsTest
  .extend('cmsSettings', { scope: 'file' }, async ({ settings, sitePort }, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'strapi-4-data-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    const plan = path.join(folder, 'plan');
    await writeContentPlan(FIXTURE_CONTENT, plan);
    return {
      ...settings,
      CMS_DATA_DIR: path.join(folder, 'data'),
      CMS_PORT: String(await freePort()),
      SITE_URL: `http://127.0.0.1:${sitePort}`,
      CMS_IMPORT: plan,
    };
  })
  .extend('cms', { scope: 'file' }, async ({ cmsSettings }, { onCleanup }) => {
    const strapi = await runStrapi4(cmsSettings);
    onCleanup(() => strapi.close());
    return strapi;
  })
  /** @returns the address of an entry in the panel's API. Strapi 4 identifies entries by numbers. */
  .extend('entryOf', { scope: 'file' }, async ({ admin }) => {
    return async (type: 'article' | 'page', slug: string) => {
      const entry = (await admin.list(type)).find(one => one.slug === slug);
      return `/content-manager/collection-types/api::${type}.${type}/${entry?.id}`;
    };
  });

describe('the site on Strapi 4', () => {
  it('each sitemap page has the same status and text from Strapi 4 as from the content folder', async ({
    site,
    sample,
  }) => {
    const { different, count } = await differentPages(site, sample);
    expect(count).toBeGreaterThan(50);
    expect(different).toEqual([]);
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('the site on Strapi 4 shows a change after its event, and no page of an unpublished entry', async ({
    admin,
    entryOf,
    getPage,
  }) => {
    const [path, article] = [
      '/blog/guides/getting-paid-in-brazil',
      await entryOf('article', 'getting-paid-in-brazil'),
    ];
    expect((await getPage(path)).status).toBe(200);
    await admin.call('PUT', article, { title: 'Published in Strapi 4' });
    await eventually(async () => expect((await getPage(path)).text).toContain('Published in Strapi 4'));
    await eventually(async () =>
      expect((await getPage('/blog/guides')).text).toContain('Published in Strapi 4'),
    );
    await admin.call('POST', `${article}/actions/unpublish`, {});
    await eventually(async () => expect((await getPage(path)).status).toBe(404));
    await admin.call('POST', `${article}/actions/publish`, {});
    await eventually(async () => expect((await getPage(path)).status).toBe(200));
  });

  it('the site on Strapi 4 shows a draft only in its preview', async ({
    admin,
    entryOf,
    getPage,
    settings,
    site,
  }) => {
    const article = await entryOf('article', 'draft-planning-for-next-year');
    await admin.call('PUT', article, { title: 'A draft in Strapi 4' });
    const path = '/blog/guides/draft-planning-for-next-year';
    const query = new URLSearchParams({ url: path, status: 'draft', secret: settings.PREVIEW_SECRET ?? '' });
    const opened = await sendRequest(site.url, `/api/preview?${query}`, { headers: AS_BROWSER });
    expect([opened.status, opened.headers.location]).toEqual([307, path]);
    const cookie = opened.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
    const preview = await sendRequest(site.url, path, { headers: { ...AS_BROWSER, cookie } });
    expect(preview.status).toBe(200);
    expect(preview.text).toContain('A draft in Strapi 4');
    expect((await getPage(path)).status).toBe(404);
  });
});
