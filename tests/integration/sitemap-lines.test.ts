import { Readable } from 'node:stream';
import { parseSitemap, type SitemapItem } from 'sitemap';
import { describe, expect } from 'vitest';
import { invalidationTest as it, SPAIN } from '../support/invalidation-test.ts';

const LATER = '2099-01-02T03:04:05.000Z';

describe('a line of the sitemap', () => {
  const linesOf = async (xml: string) =>
    new Map((await parseSitemap(Readable.from([xml]))).map(item => [new URL(item.url).pathname, item]));
  const lastChange = (lines: Map<string, SitemapItem>, path: string) =>
    lines.get(path)?.lastmod && new Date(String(lines.get(path)?.lastmod)).toISOString();

  it('the sitemap has the time of the last change of each article, and of the lists that show it', async ({
    backend,
    announce,
    get,
  }) => {
    const before = await linesOf((await get('/sitemap.xml')).text);
    const article = backend.row('article', 'accepting-cards-in-spain');
    expect(lastChange(before, SPAIN)).toBe(article.attributes.updatedAt);
    for (const path of ['/', '/blog', '/blog/guides']) expect(lastChange(before, path)).toMatch(/^20\d\d-/);
    for (const row of backend.rows('article')) row.attributes.updatedAt = LATER;
    await announce('entry.publish', 'article', article);
    const after = await linesOf((await get('/sitemap.xml')).text);
    for (const path of [SPAIN, '/blog', '/blog/guides'])
      expect([path, lastChange(after, path)]).toEqual([path, LATER]);
    expect(lastChange(after, '/about')).toBe(lastChange(before, '/about'));
  });

  it('the sitemap lists the cover of each page that has one', async ({ site, get }) => {
    const lines = await linesOf((await get('/sitemap.xml')).text);
    const picturesOf = (path: string) => lines.get(path)?.img.map(({ url }) => url);
    expect(picturesOf(SPAIN)).toEqual([expect.stringContaining(`${site.url}/uploads/`)]);
    expect(picturesOf('/business-solutions/payouts')).toEqual([expect.stringContaining('/uploads/')]);
    expect(picturesOf('/about')).toEqual([]);
  });
});
