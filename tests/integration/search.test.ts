import { describe, expect } from 'vitest';
import type { SearchPageData, SearchSuggestions } from '../../shared/payload/search-data.ts';
import { cacheStatusOf, FRESH_HIT, STORED_MISS } from '../support/cache-status.ts';
import { eventually } from '../support/eventually.ts';
import { parsePage } from '../support/parse-page.ts';
import { startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { backendTest } from '../support/site-test.ts';

const it = backendTest
  .extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
    const sample = await startSampleSite();
    onCleanup(() => sample.close());
    sample.site.search.begin();
    await eventually(async () => expect(sample.site.search.isReading).toBe(false));
    return sample;
  })
  .extend(
    'get',
    async ({ site }) =>
      (path: string) =>
        sendRequest(site.url, path, { headers: AS_BROWSER }),
  )
  .extend(
    'find',
    async ({ site }) =>
      (query: string) =>
        dataOf(site.url, query),
  );

async function dataOf(url: string, query: string): Promise<SearchPageData> {
  const { text } = await sendRequest(url, `/search/_payload.json?${query}`);
  return JSON.parse(text).data.page;
}

const RECONCILING = 'Reconciling payouts without a spreadsheet';
const titles = ({ results }: Pick<SearchPageData, 'results'>) => results.map(({ title }) => title.join(''));

describe('the page of the search', () => {
  it('the search page without a query shows only the form, and is noindex', async ({ get }) => {
    const { status, text } = await get('/search');
    const page = parsePage(text);
    expect(status).toBe(200);
    expect(page).toMatchObject({
      headings: ['Search'],
      robots: 'noindex',
      layout: 'default',
      hasShell: true,
    });
    const form = page.all('form').find(({ properties }) => properties.action === '/search');
    expect(form?.properties.method ?? 'get').toBe('get');
    expect(page.main).toContain('Beginnings of words are enough');
  });

  it('the search page shows results with highlights, in HTML that needs no JavaScript', async ({ get }) => {
    const { status, text, headers } = await get('/search?q=Reconciling');
    const page = parsePage(text);
    expect(status).toBe(200);
    expect(page.title).toContain('Reconciling – Search');
    expect(page.main).toMatch(/\d+ results?/);
    expect(text).toContain('<mark>Reconciling</mark> payouts without');
    expect(text).toMatch(/href="\/blog\/[\w-]+\/reconciling-payouts"/);
    expect(headers['cache-control']).toBe('private, max-age=0, must-revalidate');
    expect(headers['surrogate-key']).toBeUndefined();
  });

  it('the search page finds articles, solutions, commerce pages and pages, by type and category', async ({
    find,
  }) => {
    const all = await find('q=payments');
    expect(all.results.length).toBeGreaterThan(3);
    const of = async (query: string) => (await find(`q=pay&${query}`)).results.map(({ href }) => href);
    const articles = await of('type=articles');
    expect(articles.length).toBe(10);
    expect(articles.every(href => href.startsWith('/blog/'))).toBe(true);
    expect((await of('type=business-solutions')).every(href => href.startsWith('/business-solutions/'))).toBe(
      true,
    );
    const guides = await of('category=guides');
    expect(guides.length).toBeGreaterThan(0);
    expect(guides.every(href => href.startsWith('/blog/guides/'))).toBe(true);
  });

  it('the search page reports ignored filters, and keeps valid ones', async ({ find, get }) => {
    const pages = await find('q=about&type=pages&category=guides');
    expect(pages.results).not.toEqual([]);
    expect(pages).toMatchObject({ kind: 'pages', category: 'guides' });
    expect(pages.filters.map(({ chosen }) => chosen)).toEqual(['pages', 'guides']);
    expect(pages.status.at(-1)).toBe('Only articles have categories, so “Guides” was left out.');
    const unknown = await find('q=pay&type=nonsense&category=none');
    expect(unknown).toMatchObject({ kind: null, category: null });
    expect(unknown.status.slice(1)).toEqual([
      'There is no “nonsense” to search in, so it was left out.',
      'There is no “none” to search in, so it was left out.',
    ]);
    // A form without JavaScript sends empty filters.
    expect((await find('q=pay&type=&category=')).status).toHaveLength(1);
    expect((await get('/search?q=pay&type=%3Cscript%3E')).text).not.toContain('<script>”');
  });

  it('the search page finds articles by the names of their tags', async ({ find, get }) => {
    const { text } = await get('/blog/tags/reconciliation');
    const tagged = new Set(
      text.match(/\/blog\/[\w-]+\/[\w-]+(?=")/g)?.filter(href => !href.includes('/tags/')),
    );
    const found = (await find('q=reconciliation')).results.map(({ href }) => href);
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found.filter(href => tagged.has(href)).length).toBeGreaterThanOrEqual(3);
  });

  it('the search page shows results with most of the words if no page has all', async ({ find }) => {
    const partly = await find('q=zebrafishes+reconciling+payouts');
    expect(titles(partly)[0]).toBe(RECONCILING);
    expect(partly.status[0]).toBe(
      'Nothing has all words of “zebrafishes reconciling payouts”. These results have some of them.',
    );
    expect(partly).toMatchObject({ nearest: [], newest: [] });
  });

  it('the search page finds authors, prefixes, English stems, and one typo', async ({ find, site }) => {
    const { list } = (await readAuthors(site.backend.url)) as { list: readonly string[] };
    const [name = ''] = list;
    expect((await find(`q=${encodeURIComponent(name)}`)).results, name).not.toEqual([]);
    expect(titles(await find('q=reconcil'))).toContain(RECONCILING);
    expect(titles(await find('q=reconciled'))).toContain(RECONCILING);
    const mistyped = await find('q=reconcyling');
    expect(titles(mistyped)).toContain(RECONCILING);
    expect(mistyped.status[0]).toContain('Nothing was found for “reconcyling”');
  });

  it('the search page has ten results a page, and is a 404 past the last page', async ({ get, find }) => {
    const first = await find('q=pay');
    expect(first.pageCount).toBeGreaterThan(1);
    expect(first.results).toHaveLength(10);
    const second = await find('q=pay&page=2');
    expect(second.results.some(({ href }) => first.results.some(other => other.href === href))).toBe(false);
    for (const page of ['99', '0', '01', 'x', '101'])
      expect((await get(`/search?q=pay&page=${page}`)).status, page).toBe(404);
  });

  it('the search page without results offers the nearest words, topics, pages and the newest articles', async ({
    get,
    find,
  }) => {
    const nothing = await find('q=zebrafishes');
    expect(nothing).toMatchObject({ results: [], nearest: [], pageCount: 0 });
    expect(nothing.newest).toHaveLength(3);
    for (const { ways } of [nothing, await find('')]) {
      expect(ways.map(({ title }) => title)).toEqual(['Topics', 'Most wanted pages']);
      for (const { links } of ways) expect(links.length).toBeGreaterThan(2);
    }
    expect((await find('q=pay')).ways).toEqual([]);
    const { text } = await get('/search?q=zebrafishes&type=pages');
    expect(parsePage(text).main).toContain('Nothing was found for “zebrafishes”.');
    expect(text).toContain('href="/search?q=zebrafishes"');
  });

  it('the search page shows a hostile query as text', async ({ get }) => {
    const { status, text } = await get(
      `/search?q=${encodeURIComponent('"><script>alert(1)</script> NEAR( *')}`,
    );
    expect(status).toBe(200);
    expect(parsePage(text).inline).toEqual([]);
    expect(text).not.toContain('<script>alert');
    expect((await get(`/search?q=${'a'.repeat(1_500)}`)).status).toBe(200);
  });

  it('the search page is stored by its query, separately from other pages', async ({ get, site }) => {
    const before = site.site.pages.size.positive.entries;
    expect(cacheStatusOf(await get('/search?q=invoice'))).toBe(STORED_MISS);
    expect(cacheStatusOf(await get('/search?q=invoice&other=1'))).toMatch(FRESH_HIT);
    expect(site.site.pages.size.positive.entries).toBe(before);
    expect(site.site.searchPages.size.positive.entries).toBeGreaterThan(0);
  });

  it('each page and each 404 links to the search page', async ({ get }) => {
    for (const path of ['/', '/blog', '/no-such-page-at-all']) {
      const forms = parsePage((await get(path)).text).all('form');
      const own = forms.filter(({ properties }) => properties.action === '/search');
      expect(own.length, path).toBe(path.startsWith('/no-') ? 2 : 1);
    }
  });

  it('the sitemap omits the search page', async ({ get }) => {
    expect((await get('/sitemap.xml')).text).not.toContain('/search');
  });
});

describe('the suggestions', () => {
  it('suggestions are the best pages, without their texts', async ({ get }) => {
    const answer = await get('/search/suggestions.json?q=reconc');
    const { results, status } = answer.json() as unknown as SearchSuggestions;
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(results[0]).toMatchObject({
      title: ['', 'Reconciling', ' payouts without a spreadsheet'],
      snippet: [],
    });
    expect(results.length).toBeLessThanOrEqual(6);
    expect(status).toMatch(/^\d suggestions?$/);
    // Titles with the word come before texts with it.
    const marked = (await get('/search/suggestions.json?q=pay')).json() as unknown as SearchSuggestions;
    expect(marked.results.map(({ title }) => title.length > 1)).toEqual(Array(6).fill(true));
    const none = await get('/search/suggestions.json?q=');
    expect(none.json()).toEqual({ results: [], status: 'No suggestions' });
  });
});

describe('the limit of searches', () => {
  it('the 241st search in a minute is a 429, and other pages still work', async ({ startOwnSite }) => {
    const { url } = await startOwnSite();
    const ask = (path: string) => sendRequest(url, path, { headers: AS_BROWSER });
    for (let asked = 0; asked < 240; asked += 40)
      await Promise.all(Array.from({ length: 40 }, () => ask('/search')));
    const refused = await ask('/search?q=a');
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('Too many searches');
    expect((await ask('/search/suggestions.json?q=a')).status).toBe(429);
    expect((await ask('/')).status).toBe(200);
  });
});

async function readAuthors(url: string): Promise<unknown> {
  const answer = await sendRequest(url, '/api/authors');
  const { data } = answer.json() as { data: { attributes?: { name: string }; name?: string }[] };
  return { list: data.map(({ attributes, name }) => attributes?.name ?? name ?? '') };
}
