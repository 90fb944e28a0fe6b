import { describe, expect } from 'vitest';
import { failing } from '../support/fake-backend.ts';
import { listOfRows } from '../support/list-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { payloadPath } from '../support/payload-path.ts';
import { siteTest } from '../support/site-test.ts';

const MARTA = '/blog/authors/marta-lindqvist';

/** A site on the sample content, and a reader of its pages. */
const it = siteTest.extend('pageOf', async ({ getPage }) => async (path: string) => {
  const answer = await getPage(path);
  return { answer, page: parsePage(answer.text), links: linksIn(answer.text) };
});

function linksIn(html: string): string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].flatMap(([, href]) => href ?? []);
}
const articlesIn = (links: readonly string[]) =>
  links.filter(href => /^\/blog\/(?!authors|tags)[\w-]+\/[\w-]+$/.test(href));

describe('the page of an author', () => {
  it('an author page shows portrait, position, text and articles, and describes a person', async ({
    pageOf,
    sample,
  }) => {
    const { answer, page, links } = await pageOf(MARTA);
    expect(answer.status).toBe(200);
    expect(page.headings).toEqual(['Marta Lindqvist']);
    expect(page.main).toContain('Head of corridors');
    expect(page.main).toContain('Marta opens and closes corridors');
    expect(answer.text).toContain('portrait-marta-lindqvist.svg');
    expect(articlesIn(links).length).toBeGreaterThan(3);
    expect(page.jsonLd).toContainEqual(
      expect.objectContaining({
        '@type': 'Person',
        name: 'Marta Lindqvist',
        jobTitle: 'Head of corridors',
        url: sample.url + MARTA,
        image: expect.stringContaining('/uploads/portrait-marta-lindqvist.svg'),
      }),
    );
    expect(page.jsonLd).toContainEqual(expect.objectContaining({ '@type': 'BreadcrumbList' }));
  });

  it('an author page is linked from articles, lead card and structured data', async ({ pageOf, sample }) => {
    const author = await pageOf(MARTA);
    const [first = ''] = articlesIn(author.links);
    const article = await pageOf(first);
    expect(article.links).toContain(MARTA);
    expect(article.page.jsonLd).toContainEqual(
      expect.objectContaining({
        '@type': 'BlogPosting',
        author: { '@type': 'Person', name: 'Marta Lindqvist', url: sample.url + MARTA },
      }),
    );
    expect((await pageOf('/blog')).links.filter(href => href.startsWith('/blog/authors/'))).toHaveLength(1);
  });

  it('an unknown author, a malformed page number and a page past the end are a 404', async ({ getPage }) => {
    for (const path of ['/blog/authors/nobody', `${MARTA}?page=0`, `${MARTA}?page=01`, `${MARTA}?page=99`])
      expect([path, (await getPage(path)).status]).toEqual([path, 404]);
    expect((await getPage(`${MARTA}?page=1`)).status).toBe(200);
  });

  it('the payload of an author page has the author and the article cards', async ({ getPage }) => {
    const { route, data } = (await getPage(payloadPath(MARTA))).json<{
      route: string;
      data: { page: { entry: { name: string }; list: { items: object[]; total: number } } };
    }>();
    expect(route).toBe('blog-author');
    expect(data.page.entry.name).toBe('Marta Lindqvist');
    expect(data.page.list.items).toHaveLength(data.page.list.total);
  });
});

describe('the page of a tag', () => {
  it('a tag page shows its text and its articles, and these link back to it', async ({ pageOf }) => {
    const { page, links } = await pageOf('/blog/tags/local-methods');
    expect(page.headings).toEqual(['Local methods']);
    expect(page.title).toBe('Articles tagged “Local methods” – Acme');
    expect(page.main).toContain('How people in one country really pay');
    const articles = articlesIn(links);
    expect(articles.length).toBeGreaterThan(5);
    for (const path of articles.slice(0, 3))
      expect((await pageOf(path)).links).toContain('/blog/tags/local-methods');
  });

  it('a tag without an entry has a page if articles have it', async ({ pageOf }) => {
    const { answer, links } = await pageOf('/blog/tags/disputes');
    expect(answer.status).toBe(200);
    expect(articlesIn(links)).toHaveLength(2);
  });

  it('the sitemap lists tag pages and author pages', async ({ getPage }) => {
    const { text } = await getPage('/sitemap.xml');
    for (const path of [MARTA, '/blog/tags/fees', '/blog/tags/disputes'])
      expect(text).toContain(`${path}</loc>`);
  });

  it('an unknown tag is a 404', async ({ getPage }) => {
    expect((await getPage('/blog/tags/unknown')).status).toBe(404);
  });
});

describe('the articles beside an article', () => {
  const list = async (getPage: (path: string) => Promise<{ json<T>(): T }>, path: string) =>
    (await getPage(payloadPath(path))).json<{ data: { page: ArticleData & { list: { items: Linked[] } } } }>()
      .data.page;
  interface Linked {
    title: string;
    slug: string;
  }
  interface ArticleData {
    related: Linked[];
    newer: { title: string; href: string } | null;
    older: { title: string; href: string } | null;
  }

  it('the neighbours of an article are the previous and the next one in its category, across list pages', async ({
    getPage,
  }) => {
    const pages = await Promise.all(['/blog/guides', '/blog/guides?page=2'].map(path => list(getPage, path)));
    const items = pages.flatMap(page => page.list.items);
    expect(items.length).toBeGreaterThan(12);
    for (const [at, { slug }] of items.entries()) {
      const { newer, older } = await list(getPage, `/blog/guides/${slug}`);
      expect([slug, newer?.title ?? null, older?.title ?? null]).toEqual([
        slug,
        items[at - 1]?.title ?? null,
        items[at + 1]?.title ?? null,
      ]);
      if (older) expect((await getPage(older.href)).status).toBe(200);
    }
  });

  it('related articles are those that share most tags, then those of the same category', async ({
    getPage,
  }) => {
    const related = async (path: string) => (await list(getPage, path)).related.map(({ slug }) => slug);
    // These two articles share two tags. No other article shares both.
    expect((await related('/blog/guides/chargebacks-without-panic'))[0]).toBe('refunds-across-borders');
    // This article has no tags.
    const guides = (await list(getPage, '/blog/cases')).list.items.map(({ slug }) => slug);
    expect(guides).toEqual(expect.arrayContaining(await related(`/blog/cases/${guides[0]}`)));
  });
});

describe('a backend without the types of authors and tags', () => {
  it('with an older backend authors get pages by their names, and tags get none', async ({
    backend,
    startOwnSite,
    getPage,
  }) => {
    backend.on(
      '/api/articles',
      listOfRows(() => [], { lacks: ['tags'] }),
    );
    backend.on('/api/tags', failing(404));
    const site = await startOwnSite();
    expect((await getPage('/blog/authors/jane-roe', site.url)).status).toBe(200);
    expect((await getPage('/blog/tags/any', site.url)).status).toBe(404);
    expect((await getPage('/sitemap.xml', site.url)).text).not.toContain('/blog/tags/');
    expect(site.log.filter(({ type }) => type === 'tags')).toEqual([
      expect.objectContaining({
        level: 'warn',
        code: 'content-type-empty',
        effect: 'articles show no tags, and there are no pages of tags',
        remedy: expect.stringContaining('Create new collection type'),
      }),
    ]);
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('with an older backend articles are shown without tags', async ({ backend, startOwnSite, getPage }) => {
    const site = await startOwnSite();
    backend.on('/api/tags', { data: [], meta: { pagination: { page: 1, pageCount: 0, total: 0 } } });
    const { status, text } = await getPage('/blog/guides/accepting-cards-in-spain', site.url);
    expect(status).toBe(200);
    expect(text).not.toContain('/blog/tags/');
  });
});

describe('two authors with one name', () => {
  it('two authors with one name have two pages, and each article links to the right one', async ({
    backend,
    startOwnSite,
    getPage,
  }) => {
    const author = (id: number) => ({ id, documentId: `author-${id}`, attributes: { name: 'Jane Roe' } });
    const article = (id: number, by: number) => ({
      ...{ id, documentId: `article-${id}`, title: `Article ${id}`, slug: `article-${id}` },
      ...{
        body: null,
        date: '2026-01-01',
        category: { data: { id: 1, attributes: { name: 'Guides', slug: 'guides' } } },
      },
      author: { data: author(by) },
    });
    backend.on('/api/authors', { data: [author(1), author(2)], meta: {} });
    backend.on(
      '/api/articles',
      listOfRows(() => [article(1, 1), article(2, 2)]),
    );
    const site = await startOwnSite();
    for (const [path, id] of [
      ['jane-roe', 1],
      ['jane-roe-2', 2],
    ] as const) {
      expect((await getPage(`/blog/authors/${path}`, site.url)).status).toBe(200);
      expect((await getPage(`/blog/guides/article-${id}`, site.url)).text).toContain(
        `href="/blog/authors/${path}"`,
      );
    }
    const asked = backend.callsTo('/api/articles').map(({ url }) => url);
    for (const id of [1, 2])
      expect(asked).toContainEqual(expect.stringContaining(`filters[author][documentId][$eq]=author-${id}&`));
  });
});

describe('a renamed entry', () => {
  it.for([
    ['authors', { name: 'Jane Doe', previousSlugs: 'Jane Roe\n j_roe ' }, 'jane-doe', ['jane-roe', 'j_roe']],
    ['authors', { name: 'Jane', slug: 'jd', previousSlugs: 'jane-doe\njd' }, 'jd', ['jane-doe']],
    ['tags', { name: 'Charges', previousSlugs: 'Fées' }, 'charges', ['fees']],
  ] as const)(
    'a renamed entry has a new address, and its former addresses redirect: /blog/%s, %j is %s, was %j',
    async ([type, attributes, slug, former], { backend, startOwnSite, getPage }) => {
      backend.on(`/api/${type}`, { data: [{ id: 3, documentId: 'renamed', attributes }], meta: {} });
      const { url } = await startOwnSite();
      const address = `/blog/${type}/${slug}`;
      expect((await getPage(address, url)).status).toBe(200);
      const asks = () => backend.callsTo(`/api/${type}`).filter(call => call.url.includes('previousSlugs'));
      expect(asks(), 'pages that exist need no such call').toEqual([]);
      for (const before of former) {
        const { status, headers } = await getPage(`/blog/${type}/${before}?page=2`, url);
        expect([status, headers.location]).toEqual([308, `${address}?page=2`]);
        const feed = await getPage(`/blog/${type}/${before}/atom.xml`, url);
        expect([feed.status, feed.headers.location]).toEqual([308, `${address}/atom.xml`]);
      }
      expect((await getPage(`${address}?page=9`, url)).status).toBe(404);
      for (const unknown of ['made-up', 'made-up/feed.xml'])
        expect((await getPage(`/blog/${type}/${unknown}`, url)).status).toBe(404);
      // A backend may lack the field `slug`, and refuse a query with it.
      expect(asks().map(call => decodeURIComponent(call.url))).toEqual([
        expect.stringContaining('fields[0]=name&fields[1]=previousSlugs'),
      ]);
    },
  );
});

describe('content whose address belongs to the site', () => {
  it.for(['authors', 'tags', 'archive'])(
    'a category is logged and has no page if the site uses its address: %s',
    async (slug, { backend, startOwnSite, getPage }) => {
      const category = { id: 7, documentId: 'c7', attributes: { name: 'Clash', slug } };
      backend.on('/api/categories', { data: [category], meta: {} });
      const site = await startOwnSite();
      expect((await getPage('/blog', site.url)).text).not.toContain('>Clash<');
      const { text } = await getPage('/sitemap.xml', site.url);
      // The site itself uses the address of the archive.
      expect(text.split(`/blog/${slug}</loc>`)).toHaveLength(slug === 'archive' ? 2 : 1);
      expect(site.log).toContainEqual(
        expect.objectContaining({
          level: 'error',
          code: 'content-address-reserved',
          id: 'c7',
          reason: expect.stringContaining(`'/blog/${slug}' belongs to the site itself`),
        }),
      );
    },
  );

  it.for(['search', 'subscribe', 'vitals', 'livez', 'healthz', 'readyz'])(
    'a page is logged and not shown if the site uses its address: %s',
    async (slug, { backend, startOwnSite, getPage }) => {
      const row = { id: 7, documentId: 'p7', title: 'Clash', slug };
      backend.on(
        '/api/pages',
        listOfRows(() => [row]),
      );
      const site = await startOwnSite();
      expect((await getPage('/sitemap.xml', site.url)).text).not.toContain(`/${slug}</loc>`);
      const { text } = await getPage(`/${slug}`, site.url);
      expect(parsePage(text).headings).not.toContain('Clash');
      expect(site.log).toContainEqual(
        expect.objectContaining({
          level: 'error',
          code: 'content-address-reserved',
          id: 'p7',
          reason: expect.stringContaining(`'/${slug}' belongs to the site itself`),
        }),
      );
    },
  );
});
