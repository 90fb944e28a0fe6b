import { parseFragment } from 'parse5';
import { expect } from 'vitest';
import { invalidationTest as it } from '../support/invalidation-test.ts';

const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/';

it('the feed names authors in dc:creator, and never in author, which holds e-mail addresses', async ({
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
  expect(text).not.toMatch(/<author[ >]/);
  const creators = Array.from(text.matchAll(/<dc:creator xmlns:dc="([^"]+)">([^<]*)<\/dc:creator>/g));
  expect(creators.length).toBeGreaterThan(0);
  for (const [, namespace, written = ''] of creators) {
    expect(namespace).toBe(DUBLIN_CORE);
    const [node] = parseFragment(written).childNodes;
    expect(node && 'value' in node && node.value).toBe(name);
  }
});
