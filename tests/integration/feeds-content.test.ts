import { describe, expect } from 'vitest';
import { FEED_FORMATS, feedPath } from '../../shared/routing/feed-files.ts';
import { cacheStatusOf, FRESH_HIT } from '../support/cache-status.ts';
import { eventually } from '../support/eventually.ts';
import { startGeneratedCms } from '../support/generated-cms.ts';
import { invalidationTest as it } from '../support/invalidation-test.ts';
import { listOfRows } from '../support/list-backend.ts';
import { sendRequest } from '../support/send-request.ts';
import { startSite } from '../support/start-site.ts';

const SLUG = 'accepting-cards-in-spain';
const FEEDS = ['/blog', '/blog/guides'].flatMap(page => FEED_FORMATS.map(format => feedPath(page, format)));

it('the feed of the blog reads forty rows for its thirty items', async () => {
  const articles = Array.from({ length: 150 }, (_, at) => ({
    category: at % 2,
    author: 0,
    cover: 2,
    date: at,
  }));
  const cms = await startGeneratedCms({ articles, isDated: true });
  let rows = 0;
  cms.backend.on('/api/articles', (req, res) => {
    const end = res.end.bind(res);
    res.end = ((body: string) => {
      rows += (JSON.parse(body) as { data: unknown[] }).data.length;
      return end(body);
    }) as typeof res.end;
    listOfRows(() => cms.rows('article'))(req, res);
  });
  const site = await startSite({ contentBaseUrl: cms.backend.url, env: { CONTENT_TTL_MS: '3600000' } });
  await eventually(() => expect(site.site.content.cache.loading).toBe(0));
  site.site.invalidation.invalidate(['articles']);
  rows = 0;
  const { text } = await sendRequest(site.url, '/blog/feed.xml');
  expect([text.match(/<item>/g)?.length, rows]).toEqual([30, 40]);
  await site.close();
  await cms.close();
});

describe('feeds', () => {
  it('feeds have an article’s new text after its event', async ({ backend, announce, getStored, shows }) => {
    for (const path of FEEDS) await getStored(path);
    const article = backend.row('article', SLUG);
    article.attributes.body = 'A text that **nobody** has read.';
    await announce('entry.publish', 'article', article);
    for (const path of FEEDS) expect([path, await shows(path, 'nobody')]).toEqual([path, true]);
  });

  it('feeds have the new name of a category after its event', async ({
    backend,
    announce,
    getStored,
    shows,
  }) => {
    for (const path of FEEDS) await getStored(path);
    const category = backend.row('category', 'guides');
    category.attributes.name = 'Renamed guides';
    await announce('entry.update', 'category', category);
    for (const path of FEEDS) expect([path, await shows(path, 'Renamed guides')]).toEqual([path, true]);
  });

  it('feeds drop a removed article', async ({ backend, announce, getStored, shows }) => {
    for (const path of FEEDS) await getStored(path);
    const rows = backend.rows('article');
    const article = backend.row('article', SLUG);
    const others = rows.filter(({ documentId }) => documentId !== article.documentId);
    rows.splice(0, rows.length, ...others);
    await announce('entry.unpublish', 'article', article);
    for (const path of FEEDS) expect([path, await shows(path, SLUG)]).toEqual([path, false]);
  });

  it('feeds omit an article that is hidden from search engines', async ({ backend, announce, shows }) => {
    for (const path of FEEDS) expect([path, await shows(path, SLUG)]).toEqual([path, true]);
    const article = backend.row('article', SLUG);
    article.attributes.seo = { id: 1, metaRobots: 'noindex' };
    await announce('entry.publish', 'article', article);
    for (const path of FEEDS) expect([path, await shows(path, SLUG)]).toEqual([path, false]);
  });

  it('all feeds of a category share one call of thirty-six rows, and are stored', async ({
    backend,
    get,
    getStored,
  }) => {
    await get('/blog/guides');
    backend.calls.length = 0;
    for (const format of FEED_FORMATS) await get(feedPath('/blog/guides', format));
    const calls = backend.callsTo('/api/articles').map(({ url }) => decodeURIComponent(url));
    expect(calls).toHaveLength(1);
    expect(calls[0]).toContain(
      'filters[category][slug][$eq]=guides&pagination[page]=1&pagination[pageSize]=36',
    );
    expect(calls[0]).toMatch(/fields\[\d\]=body/);
    expect(calls[0]).toContain('populate[sections][populate]=*');
    backend.calls.length = 0;
    for (const format of FEED_FORMATS)
      expect(cacheStatusOf(await getStored(feedPath('/blog/guides', format)))).toMatch(FRESH_HIT);
    expect(backend.calls).toEqual([]);
  });

  it('the feeds of a former category slug redirect to the current ones', async ({
    backend,
    announce,
    get,
  }) => {
    const category = backend.row('category', 'guides');
    Object.assign(category.attributes, { slug: 'how-to', previousSlugs: 'guides' });
    await announce('entry.update', 'category', category);
    for (const format of FEED_FORMATS) {
      const { status, headers } = await get(feedPath('/blog/guides', format));
      expect([status, headers.location]).toEqual([308, feedPath('/blog/how-to', format)]);
    }
  });

  it('feeds have thirty items although some of the newest articles are hidden or have no category', async ({
    backend,
    announce,
    getStored,
  }) => {
    const rows = backend.rows('article');
    const [model] = rows;
    if (!model) throw new Error('There are no articles');
    const copies = Array.from({ length: 33 }, (_, index) => {
      const copy = structuredClone(model);
      const slug = `copy-${index}`;
      Object.assign(copy, { id: 9_000 + index, documentId: slug });
      Object.assign(copy.attributes, {
        slug,
        title: slug,
        date: `2026-01-01T00:${59 - index}:00.000Z`,
      });
      return copy;
    });
    Object.assign(copies[0]?.attributes ?? {}, { seo: { id: 1, metaRobots: 'noindex' } });
    Object.assign(copies[1]?.attributes ?? {}, { category: { data: null } });
    rows.splice(0, rows.length, ...copies);
    for (const copy of copies) await announce('entry.publish', 'article', copy);
    const { text } = await getStored('/blog/feed.xml');
    expect(text.match(/<item>/g)).toHaveLength(30);
    expect(text).not.toMatch(/<title>copy-[01]</);
  });
});
