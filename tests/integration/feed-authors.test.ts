import { expect } from 'vitest';
import { DUBLIN_CORE } from '../support/feed-rules.ts';
import { invalidationTest as it } from '../support/invalidation-test.ts';
import { childrenNamed, parseXml } from '../support/parse-xml.ts';

it('the feed has authors in dc:creator, never in author, which is for e-mail addresses', async ({
  backend,
  get,
  site,
}) => {
  const name = 'Jane & <Roe> “Ünï”';
  for (const { attributes } of backend.rows('article')) {
    const author = attributes.author as { data?: { attributes: Record<string, unknown> } | null } | undefined;
    if (author?.data) author.data.attributes.name = name;
  }
  backend.on('/api/authors', { data: [], meta: {} });
  site.site.invalidation.remove(['*']);
  const { text, headers } = await get('/blog/feed.xml');
  expect(headers['content-type']).toContain('application/rss+xml');
  const items = childrenNamed(parseXml(text), 'channel').flatMap(channel => childrenNamed(channel, 'item'));
  expect(items.flatMap(item => childrenNamed(item, 'author'))).toEqual([]);
  const creators = items.flatMap(item => childrenNamed(item, 'creator', DUBLIN_CORE));
  expect(creators.length).toBeGreaterThan(0);
  expect(new Set(creators.map(creator => creator.text))).toEqual(new Set([name]));
});
