import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { cacheStatusOf, FRESH_HIT } from '../support/cache-status.ts';
import { invalidationTest as it, SPAIN } from '../support/invalidation-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER } from '../support/send-request.ts';

const TEXT = `${SPAIN}.md`;
const ARTICLE = SPAIN.split('/').at(-1) ?? '';
const AGENT = { accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' };

const frontMatter = (text: string): Record<string, unknown> => parse(text.split('---\n')[1] ?? '');

describe('the Markdown version of a page', () => {
  it('the Markdown version of an article has its title, author, date and text', async ({ get, site }) => {
    const { status, headers, text } = await get(TEXT);
    const page = parsePage((await get(SPAIN)).text);
    expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(headers.link).toBe(`<${site.url}${SPAIN}>; rel="canonical"`);
    expect(frontMatter(text)).toMatchObject({
      title: 'Accepting cards in Spain',
      canonical: site.url + SPAIN,
      author: 'Jane Roe',
      published: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(text).toContain(`\n# ${page.headings[0]}\n`);
    // Each heading of the page is a heading of the Markdown.
    const headings = page.all('h2').map(({ properties: { id } }) => String(id));
    expect(headings.length).toBeGreaterThan(0);
    expect(text.match(/^## /gm)?.length).toBeGreaterThan(0);
  });

  it('a page links to its Markdown version, and a list page links to none', async ({ get }) => {
    const textOf = async (path: string) =>
      parsePage((await get(path)).text)
        .all('link')
        .filter(({ properties }) => properties.type === 'text/markdown')
        .map(({ properties }) => properties.href);
    expect(await textOf(SPAIN)).toEqual([TEXT]);
    for (const path of ['/', '/blog', '/blog/guides']) expect([path, await textOf(path)]).toEqual([path, []]);
  });

  it('a Markdown version is stored, and changes with the event about its article', async ({
    backend,
    announce,
    get,
    getStored,
    shows,
  }) => {
    await getStored(TEXT);
    const article = backend.row('article', ARTICLE);
    article.attributes.body = 'A text that **nobody** has read.';
    await announce('entry.publish', 'article', article);
    expect(await shows(TEXT, 'A text that **nobody** has read.')).toBe(true);
    expect(cacheStatusOf(await get(TEXT))).toMatch(FRESH_HIT);
  });

  it('no Markdown version shows an article that was removed, is hidden from search engines or has moved', async ({
    backend,
    announce,
    get,
    getStored,
  }) => {
    await getStored(TEXT);
    const article = backend.row('article', ARTICLE);
    article.attributes.seo = { id: 1, metaRobots: 'noindex' };
    await announce('entry.publish', 'article', article);
    expect((await get(TEXT)).status).toBe(404);
    expect((await get(SPAIN)).text).not.toContain('text/markdown');
    article.attributes.seo = null;
    Object.assign(article.attributes, { slug: 'cards-in-spain', previousSlugs: ARTICLE });
    await announce('entry.publish', 'article', article);
    const moved = await get(TEXT);
    expect([moved.status, moved.headers.location]).toEqual([308, '/blog/guides/cards-in-spain.md']);
    const rows = backend.rows('article');
    rows.splice(0, rows.length, ...rows.filter(({ documentId }) => documentId !== article.documentId));
    await announce('entry.unpublish', 'article', article);
    expect((await get('/blog/guides/cards-in-spain.md')).status).toBe(404);
  });

  it('a client that prefers Markdown is redirected to the Markdown version, and no cache stores this redirect', async ({
    get,
    getStored,
  }) => {
    await getStored(SPAIN);
    const answer = await get(SPAIN, AGENT);
    expect([answer.status, answer.headers.location, answer.headers['cache-control']]).toEqual([
      303,
      TEXT,
      'no-store',
    ]);
    for (const accept of [AS_BROWSER.accept, '*/*', 'text/html, text/markdown;q=0.5', 'text/markdown;q=0'])
      expect([accept, (await get(SPAIN, { accept: String(accept) })).status]).toEqual([accept, 200]);
    // A list page has no Markdown version.
    expect((await get('/blog', AGENT)).headers['content-type']).toMatch(/^text\/html/);
  });
});
