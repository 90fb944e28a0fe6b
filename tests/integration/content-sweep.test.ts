import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentTypes } from '../../shared/content/content-types.ts';
import { sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import {
  type CmsRow,
  type Collection,
  type GeneratedCms,
  startGeneratedCms,
} from '../support/generated-cms.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const NEW = 'Only after the edit';
/** The sweep's call for articles. */
const LAST_ARTICLE = /^\/api\/articles\?fields\[0\]=updatedAt&fields\[1\]=publishedAt.*pageSize\]=1$/;

const it = test
  .extend('cms', async ({}, { onCleanup }) => {
    const articles = Array.from({ length: 8 }, (_, at) => ({
      category: at % 2,
      author: 0,
      cover: 2,
      date: at,
    }));
    const cms = await startGeneratedCms({ articles, isDated: true });
    onCleanup(() => cms.close());
    return cms;
  })
  .extend('dataDir', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'sweep-'));
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
    return folder;
  })
  /**
   * Starts a site whose content outlasts the test, with sweeps all the time. With `'0'` only one sweep has
   * run, and the test starts any others. With `'unseen'` no sweep has run.
   */
  .extend('startSweeping', async ({ cms, dataDir }, { onCleanup }) => {
    const ends: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      for (const end of ends) await end();
    });
    return async (everyMs = '20'): Promise<RunningSite> => {
      const site = await startSite({
        ...{ contentBaseUrl: cms.backend.url, dataDir },
        env: {
          CONTENT_SWEEP_MS: everyMs === 'unseen' ? '0' : everyMs,
          CONTENT_TTL_MS: '3600000',
          WEBHOOK_SECRET: SECRET,
        },
      });
      let isRunning = true;
      const close = async () => {
        if (isRunning) await site.close();
        isRunning = false;
      };
      ends.push(close);
      if (everyMs === '0') await site.site.contentSweep.sweep();
      else if (everyMs !== 'unseen') await sweeps(cms, 2);
      return { ...site, close };
    };
  });

/** Resolves when several sweeps have asked for the articles, and all but the last have ended. */
async function sweeps({ backend }: GeneratedCms, count: number): Promise<void> {
  const asked = () => backend.calls.filter(({ url }) => LAST_ARTICLE.test(url)).length;
  const before = asked();
  await eventually(() => expect(asked()).toBeGreaterThan(before + count));
}

const get = (site: RunningSite, address: string) => sendRequest(site.url, address, { headers: AS_BROWSER });
const row = (cms: GeneratedCms, model: Collection, slug: string): CmsRow =>
  cms.rows(model).find(one => one.slug === slug) ?? expect.fail(`no ${model} '${slug}'`);

describe('a change without an event', () => {
  it.for<[name: string, address: string, edit: (cms: GeneratedCms) => unknown]>([
    [
      'an article',
      '/blog/guides/article-0',
      cms => cms.publish('article', row(cms, 'article', 'article-0'), { h1: NEW }),
    ],
    [
      'the card of an article',
      '/blog',
      cms => cms.publish('article', row(cms, 'article', 'article-7'), { title: NEW }),
    ],
    ['a page', '/about', cms => cms.publish('page', row(cms, 'page', 'about'), { h1: NEW })],
    [
      'a draft that was saved before other entries and is published now',
      '/about',
      cms => {
        const about = row(cms, 'page', 'about');
        const { updatedAt } = about;
        cms.publish('page', row(cms, 'page', 'terms'));
        cms.publish('page', about, { h1: NEW });
        Object.assign(about, { updatedAt });
      },
    ],
    [
      'a category',
      '/blog/guides',
      cms => cms.publish('category', row(cms, 'category', 'guides'), { h1: NEW }),
    ],
    [
      'an author',
      '/blog/guides/article-0',
      cms => cms.publish('author', cms.rows('author')[0] ?? expect.fail(), { name: NEW }),
    ],
    ['the landing page', '/', cms => cms.change('landing', () => ({ faqBlockContent: NEW }))],
    ['the settings', '/about', cms => cms.change('settings', () => ({ siteName: NEW }))],
    ['a new redirect', '/from-here', cms => cms.add('redirect', { from: '/from-here', to: `/${NEW}` })],
    [
      'a new article at the address of a 404',
      '/blog/guides/late',
      cms =>
        cms.add('article', {
          ...row(cms, 'article', 'article-0'),
          id: 0,
          documentId: 'late',
          slug: 'late',
          h1: NEW,
        }),
    ],
  ])(
    'the sweep notices a change without an event, and the page shows it: %s',
    async ([, address, edit], { cms, startSweeping }) => {
      const site = await startSweeping();
      await get(site, address);
      await get(site, address);
      edit(cms);
      await eventually(async () => {
        const { text, headers } = await get(site, address);
        expect((decodeURI(headers.location ?? '') + text).includes(NEW)).toBe(true);
      });
    },
  );

  it.for(['entry.delete', 'entry.unpublish'] as const)(
    'the sweep notices a removal without an event, and the page is gone: %s',
    async (event, { cms, startSweeping }) => {
      const site = await startSweeping();
      await get(site, '/blog/guides/article-0');
      expect((await get(site, '/blog/guides')).text).toContain('/blog/guides/article-0"');
      cms.withdraw('article', row(cms, 'article', 'article-0'), event);
      await eventually(async () => {
        expect((await get(site, '/blog/guides/article-0')).status).toBe(404);
        expect((await get(site, '/blog/guides')).text).not.toContain('/blog/guides/article-0"');
      });
    },
  );

  it('the sweep removes the page of an entry that another entry has replaced', async ({
    cms,
    startSweeping,
  }) => {
    const site = await startSweeping();
    expect((await get(site, '/terms')).status).toBe(200);
    cms.withdraw('page', row(cms, 'page', 'terms'), 'entry.delete');
    cms.add('page', { title: 'Late', slug: 'late' });
    await eventually(async () => expect((await get(site, '/terms')).status).toBe(404));
  });

  it('the sweep finds a change made between the loading of the content and the first sweep', async ({
    cms,
    startSweeping,
  }) => {
    const site = await startSweeping('unseen');
    await get(site, '/about');
    cms.publish('page', row(cms, 'page', 'about'), { h1: NEW });
    expect((await get(site, '/about')).text).not.toContain(NEW);
    await site.site.contentSweep.sweep();
    await eventually(async () => expect((await get(site, '/about')).text).toContain(NEW));
  });

  it('the sweep finds a change that was made while no process ran', async ({ cms, startSweeping }) => {
    const first = await startSweeping();
    await get(first, '/about');
    await first.close();
    cms.publish('page', row(cms, 'page', 'about'), { h1: NEW });
    const next = await startSweeping();
    await eventually(async () => expect((await get(next, '/about')).text.includes(NEW)).toBe(true));
  });
});

describe('a sweep', () => {
  it('a sweep makes one light call for each type', async ({ cms, startSweeping }) => {
    await startSweeping();
    cms.backend.calls.length = 0;
    await sweeps(cms, 2);
    const first = cms.backend.calls.findIndex(({ url }) => LAST_ARTICLE.test(url));
    const urls = cms.backend.calls.slice(first).map(({ url }) => url);
    const next = urls.findIndex((url, at) => at > 0 && LAST_ARTICLE.test(url));
    const paths = urls.slice(0, next).map(url => url.split('?', 1)[0]);
    expect(new Set(paths).size).toBe(paths.length);
    expect(urls.every(url => /fields\[0\]=updatedAt/.test(url) && !/pageSize\]=(?!1$)/.test(url))).toBe(true);
  });

  it('a sweep ignores a change that an event has already reported', async ({ cms, startSweeping }) => {
    const site = await startSweeping('0');
    await get(site, '/about');
    const event = cms.publish('page', row(cms, 'page', 'about'), { h1: NEW });
    expect((await sendWebhook(site.url, SECRET, event)).status).toBe(200);
    await site.site.contentSweep.sweep();
    expect(site.log.filter(({ code }) => /^content-(?:sweep|change)/.test(code))).toEqual([]);
    expect((await get(site, '/about')).text.includes(NEW)).toBe(true);
  });

  it.for([
    ['an article', 'article', 'article-0'],
    ['a category, whose type is loaded at once', 'category', 'guides'],
  ] as const)(
    'a sweep ignores a removal that an event has already reported: %s',
    async ([, model, slug], { cms, startSweeping }) => {
      const site = await startSweeping('0');
      for (const address of ['/blog', '/blog/guides/article-0', '/blog/guides', '/about'])
        await get(site, address);
      const event = cms.withdraw(model, row(cms, model, slug), 'entry.delete');
      expect((await sendWebhook(site.url, SECRET, event)).status).toBe(200);
      await get(site, '/blog/guides');
      const stale = () =>
        [...site.site.pages.entries()].filter(({ isFresh }) => !isFresh).map(({ key }) => key);
      const before = stale();
      await site.site.contentSweep.sweep();
      expect(site.log.filter(({ code }) => /^content-(?:sweep|change)/.test(code))).toEqual([]);
      // Popular pages are revalidated meanwhile, so some expected pages are fresh again. No other page may be
      // stale.
      expect(before).toEqual(expect.arrayContaining(stale()));
      // The next change of the type takes the entry out of memory. The sweep must not report it then either.
      const [other = expect.fail()] = cms.rows(model);
      expect((await sendWebhook(site.url, SECRET, cms.publish(model, other, {}))).status).toBe(200);
      await site.site.contentSweep.sweep();
      expect(site.log.filter(({ code }) => /^content-(?:sweep|change)/.test(code))).toEqual([]);
    },
  );

  it('a sweep finds an entry’s second removal after events reported its first removal and its return', async ({
    cms,
    startSweeping,
  }) => {
    const site = await startSweeping('0');
    const [address, article] = ['/blog/guides/article-0', row(cms, 'article', 'article-0')];
    for (const event of [
      () => cms.withdraw('article', article, 'entry.unpublish'),
      () => cms.publish('article', article),
    ])
      expect((await sendWebhook(site.url, SECRET, event())).status).toBe(200);
    expect((await get(site, address)).status).toBe(200);
    // The number of articles is the same as before.
    const other = row(cms, 'article', 'article-1');
    cms.withdraw('article', article, 'entry.unpublish');
    cms.add('article', { ...other, id: 0, documentId: 'one-more', slug: 'one-more' });
    await site.site.contentSweep.sweep();
    await eventually(async () => expect((await get(site, address)).status).toBe(404));
  });

  it('a sweep recognises an emptied CMS, and removes no page', async ({ cms, startSweeping }) => {
    const site = await startSweeping();
    await get(site, '/blog/guides/article-0');
    for (const article of [...cms.rows('article')]) cms.withdraw('article', article, 'entry.unpublish');
    await sweeps(cms, 3);
    expect((await get(site, '/blog/guides/article-0')).status).toBe(200);
    expect(site.log.filter(({ code }) => /^content-(?:sweep|change)/.test(code))).toEqual([]);
  });

  it('sweeps pause while the CMS is down', async ({ cms, startSweeping }) => {
    const site = await startSweeping();
    for (const { path } of Object.values(contentTypes)) cms.backend.on(`/api/${path}`, failing(500));
    await eventually(() => expect(site.site.backendBreaker.isUp).toBe(false));
    cms.backend.calls.length = 0;
    await eventually(() => expect(cms.backend.calls.length).toBeGreaterThan(1));
    expect(cms.backend.calls.filter(({ url }) => LAST_ARTICLE.test(url))).toEqual([]);
  });
});
