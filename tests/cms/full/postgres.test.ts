import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { writeContentPlan } from '../../../build/cms/content-plan.ts';
import { eventually } from '../../support/eventually.ts';
import { FIXTURE_CONTENT } from '../../support/fixture.ts';
import { freePort } from '../../support/free-port.ts';
import { differentPages } from '../support/different-pages.ts';
import { formsTest, messages } from '../support/forms-test.ts';
import { startPostgres } from '../support/postgres.ts';
import { endStrapi, runStrapi } from '../support/strapi.ts';

const it = formsTest
  .extend('postgres', { scope: 'file' }, async ({}, { onCleanup }) => {
    const postgres = await startPostgres();
    onCleanup(() => postgres.close());
    return postgres;
  })
  .extend(
    'cmsSettings',
    { scope: 'file' },
    async ({ settings, sitePort, postgres, cmsEnv }, { onCleanup }) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'cms-on-postgres-'));
      onCleanup(() => rm(folder, { recursive: true, force: true }));
      const plan = path.join(folder, 'plan');
      await writeContentPlan(FIXTURE_CONTENT, plan);
      return {
        ...settings,
        CMS_DATA_DIR: path.join(folder, 'data'),
        CMS_PORT: String(await freePort()),
        SITE_URL: `http://127.0.0.1:${sitePort}`,
        CMS_IMPORT: plan,
        DATABASE_URL: postgres.url,
        ...cmsEnv,
      };
    },
  );

describe('the CMS on PostgreSQL', () => {
  it('each sitemap page has the same status and text from a PostgreSQL CMS as from the content folder', async ({
    site,
    sample,
  }) => {
    const { different, count } = await differentPages(site, sample);
    expect(count).toBeGreaterThan(50);
    expect(different).toEqual([]);
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('a PostgreSQL CMS refuses content that the site would not show, and keeps categories and files in use', async ({
    admin,
  }) => {
    const collection = (type: string) => `/content-manager/collection-types/api::${type}.${type}`;
    const refused = async (...call: Parameters<typeof admin.attempt>) =>
      (await admin.attempt(...call)).sentence;
    const [category] = (await admin.list('category')).filter(({ slug }) => slug === 'cases');
    expect(await refused('DELETE', `${collection('category')}/${category?.documentId}`)).toMatch(
      /^3 articles are in this category/,
    );
    const [article] = (await admin.list('article')).filter(({ slug }) => slug === 'verifying-a-webhook');
    const publish = `${collection('article')}/${article?.documentId}/actions/publish`;
    expect(await refused('POST', publish, { category: { set: [] } })).toMatch(/^The article has no category/);
    expect(await refused('POST', publish, {})).toBeNull();
    expect(await refused('POST', collection('tag'), { name: ' FEES' })).toMatch(/there is “Fees” already/);
    expect(await refused('POST', collection('redirect'), { from: '/press', to: '/' })).toMatch(/^\/press is/);

    const removal = async (name: string) => {
      const { results } = (await admin.call('GET', `/upload/files?page=1&filters[name][$eq]=${name}`)) as {
        results: { id: number }[];
      };
      return refused('DELETE', `/upload/files/${results[0]?.id}`);
    };
    expect(await removal('cover-brazil.svg')).toMatch(/: “Cover”\.$/);
    expect(await removal('figure-split-order.svg')).toMatch(
      /^“figure-split-order.svg” is in use.*: “Text”\.$/,
    );
  });

  it('with PostgreSQL the site shows a change, sorts unnumbered entries last, and redirects a former address', async ({
    admin,
    getPage,
  }) => {
    const [page] = (await admin.list('page')).filter(({ slug }) => slug === 'press');
    expect((await getPage('/press')).status).toBe(200);
    await admin.publish('page', page?.documentId ?? '', { slug: 'newsroom', title: 'On PostgreSQL' });
    await eventually(async () => expect((await getPage('/newsroom')).text).toContain('On PostgreSQL'));
    await eventually(async () => {
      const { status, headers } = await getPage('/press');
      expect([status, headers.location]).toEqual([308, '/newsroom']);
    });

    const [guides] = (await admin.list('category')).filter(({ slug }) => slug === 'guides');
    const places = async () => {
      const { text } = await getPage('/blog');
      const main = text.slice(text.indexOf('<main'));
      return ['guides', 'news', 'markets'].map(slug => main.indexOf(`href="/blog/${slug}"`));
    };
    expect(await places()).toEqual((await places()).toSorted((a, b) => a - b));
    await admin.publish('category', guides?.documentId ?? '', { order: null });
    await eventually(async () => {
      const [guidesAt = 0, , marketsAt = 0] = await places();
      expect(guidesAt).toBeGreaterThan(marketsAt);
    });
  });

  it('two processes on PostgreSQL that get one message at the same time store and mail it once, in twenty attempts', async ({
    post,
    admin,
    mail,
    cms,
    cmsSettings,
  }) => {
    const second = await runStrapi({ ...cmsSettings, CMS_PORT: String(await freePort()) });
    try {
      const key = randomUUID();
      const body = JSON.stringify({ form: 'subscribe', email: `${key}@example.com` });
      const urls = Array.from({ length: 40 }, (_, index) => (index % 2 ? second.url : cms.url));
      const answers = await Promise.all(urls.map(url => post(body, { key, url })));
      // A process answers 503 while the other works on the message.
      expect(new Set(answers.map(({ status }) => status).filter(status => status !== 503))).toEqual(
        new Set([200]),
      );
      for (const url of [cms.url, second.url]) expect((await post(body, { key, url })).status).toBe(200);
      expect((await messages(admin)).filter(({ email }) => email === `${key}@example.com`)).toHaveLength(1);
      expect(mail.mails.filter(text => text.includes(`Subject: Subscription: ${key}@`))).toHaveLength(1);
    } finally {
      await endStrapi(second.child);
    }
  });
});
