import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { siteSettings } from '../../build/cms/secrets.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';
import { signIn } from './support/admin-client.ts';
import { doctorTest } from './support/doctor-cms.ts';

const STEPS = {
  collectionName: 'components_site_stages_sections',
  info: { displayName: 'Steps' },
  options: {},
  attributes: {
    title: { type: 'string' },
    items: { type: 'component', repeatable: true, component: 'site.titled-text' },
  },
};

/** A Strapi with a section kind that has a list of components, and a site that reads from it. */
const it = doctorTest
  .extend('withSteps', async ({ start }) =>
    start(
      (attributes, name) => {
        if (name === 'page')
          (attributes.sections as { components: string[] }).components.push('site.stages-section');
      },
      [],
      async app => {
        const folder = path.join(app, 'src/components/site');
        await mkdir(folder, { recursive: true });
        await writeFile(path.join(folder, 'stages-section.json'), JSON.stringify(STEPS));
      },
    ),
  )
  .extend('siteWithSteps', async ({ withSteps, settings }, { onCleanup }) => {
    const env = { ...siteSettings(settings, withSteps.url), PUBLIC_URL: '' };
    const site = await startSite({ contentBaseUrl: withSteps.url, env });
    onCleanup(() => site.close());
    return site;
  });

describe('a section with a list of components', () => {
  it('a list of components in a section reaches the page in its order', async ({
    withSteps,
    siteWithSteps,
    settings,
  }) => {
    const admin = await signIn(withSteps.url, settings.ADMIN_EMAIL ?? '', settings.ADMIN_PASSWORD ?? '');
    const items = ['First', 'Second'].map(title => ({ title, text: `${title}, in words` }));
    const sections = [{ __component: 'site.stages-section', title: 'Three steps', items }];
    const id = await admin.create('page', { title: 'Steps', slug: 'steps', body: 'Before', sections });
    await admin.publish('page', id, {});
    const { status, text } = await sendRequest(siteWithSteps.url, '/steps', { headers: AS_BROWSER });
    expect(status).toBe(200);
    // The site shows the texts of this unknown kind as paragraphs.
    expect(text).toMatch(
      /<p>Three steps<\/p><p>First<\/p><p>First, in words<\/p><p>Second<\/p><p>Second, in words<\/p>/,
    );
  });
});

describe('blocks in a dynamic zone', () => {
  it('a page of the CMS shows blocks of the landing page and others, with the files in their lists', async ({
    siteWithSteps,
  }) => {
    const path = '/what-blocks-show';
    const { status, text } = await sendRequest(siteWithSteps.url, path, { headers: AS_BROWSER });
    expect(status).toBe(200);
    const titles = Array.from(text.matchAll(/<h2 id="([\w-]+)-title"/g), ([, id = '']) => id);
    expect(titles.slice(0, 7)).toEqual([
      ...['steps', 'table', 'people', 'voices', 'download', 'steps-1', 'partners'],
    ]);
    // Strapi sends these files only to the second call.
    expect(text).toMatch(/<img [^>]*el-people__portrait[^>]*src="\/uploads\/portrait_marta/);
    expect(text).toMatch(/<img [^>]*src="\/uploads\/partners_northbank/);
    expect(text).toMatch(/<a href="\/uploads\/fee_sheet[^"]*.pdf"[^>]* download=""/);
    expect(text).toContain('A text between blocks');
  });
});
