import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { EVERYTHING } from '../../server/cache/tags/invalidation-log.ts';
import { cacheStatusOf } from '../support/cache-status.ts';
import { currentAnswer } from '../support/current-answer.ts';
import type { EditableBackend, Model, Row } from '../support/editable-backend.ts';
import { runs } from '../support/in-full.ts';
import { h1Of, invalidationTest } from '../support/invalidation-test.ts';
import type { RunningSite } from '../support/start-site.ts';

/** Each test changes content of stored pages. On a busy machine the first response may be the stale page. */
const it = invalidationTest.extend(
  'get',
  async ({ site }) =>
    (path: string) =>
      currentAnswer(site.url, path),
);

const OLD = '2020-01-01T00:00:00.000Z';
const NEW = '2034-01-01T00:00:00.000Z';

/** Adds an article with a slug to a category, and makes the site load everything again. */
function addArticle(
  backend: EditableBackend,
  site: RunningSite,
  id: string,
  category: string,
  attributes: Record<string, unknown>,
): Row {
  const { attributes: sample } = backend.row('article', 'accepting-cards-in-spain');
  const row: Row = {
    id: 500 + backend.rows('article').length,
    documentId: id,
    attributes: {
      ...sample,
      title: `Title of ${id}`,
      h1: `Heading of ${id}`,
      category: { data: backend.row('category', category) },
      ...attributes,
    },
  };
  backend.rows('article').push(row);
  site.site.invalidation.remove([EVERYTHING]);
  return row;
}

const clashes = ({ log }: RunningSite) => log.filter(({ code }) => code === 'content-address-clash');

describe('two articles with one slug in two categories', () => {
  it.for([
    ['twin', 'twin'],
    ['Twin', 'Twin'],
    ['twins', 'Twins'],
    ['Zwölf', 'ZWÖLF'],
    ['zwölf-2', 'zwölf-2'.normalize('NFD')],
  ])(
    'two articles with one slug in two categories are each found at their own address: %s and %s',
    async ([first, second], { backend, get, site }) => {
      addArticle(backend, site, 'one', 'guides', { slug: first });
      addArticle(backend, site, 'two', 'news', { slug: second });
      const slug = encodeURIComponent(String(first).toLowerCase());
      for (const round of ['rendered', 'stored']) {
        expect([round, h1Of(await get(`/blog/guides/${slug}`))]).toEqual([round, 'Heading of one']);
        expect([round, h1Of(await get(`/blog/news/${slug}`))]).toEqual([round, 'Heading of two']);
      }
      expect((await get('/blog/news')).text).toContain(`href="/blog/news/${slug}"`);
      const elsewhere = await get(`/blog/cases/${slug}`);
      expect([elsewhere.status, elsewhere.headers.location]).toEqual([308, `/blog/guides/${slug}`]);
      expect(clashes(site).filter(({ id }) => id === 'one' || id === 'two')).toEqual([]);
    },
  );

  it('two articles with one slug have separate cache entries: removing one keeps the other', async ({
    announce,
    backend,
    get,
    getStored,
    listing,
    site,
  }) => {
    const one = addArticle(backend, site, 'one', 'guides', { slug: 'apart' });
    addArticle(backend, site, 'two', 'news', { slug: 'apart' });
    await getStored('/blog/guides/apart');
    await getStored('/blog/news/apart');
    const entries = async (path: string) =>
      (await listing()).entries.filter(({ key }) => key.startsWith(`page ${site.url}${path}`));
    for (const [path, own, other] of [
      ['/blog/guides/apart', 'articles:one', 'articles:two'],
      ['/blog/news/apart', 'articles:two', 'articles:one'],
    ] as const) {
      const [entry] = await entries(path);
      const names = entry?.tags.map(tag => tag.replace(/#.*/, ''));
      expect(names).toContain(own);
      expect(names).not.toContain(other);
    }
    backend.rows('article').splice(backend.rows('article').indexOf(one), 1);
    await announce('entry.delete', 'article', one);
    expect(await entries('/blog/guides/apart')).toEqual([]);
    expect(await entries('/blog/news/apart')).toHaveLength(1);
    expect(cacheStatusOf(await get('/blog/news/apart'))).toContain('hit');
    const gone = await get('/blog/guides/apart');
    expect([gone.status, gone.headers.location]).toEqual([308, '/blog/news/apart']);
  });

  it('two articles with one slug cost one extra call, only at an address of a third category', async ({
    backend,
    get,
    site,
  }) => {
    addArticle(backend, site, 'one', 'guides', { slug: 'twin' });
    addArticle(backend, site, 'two', 'news', { slug: 'twin' });
    await get('/blog');
    const bySlug = () =>
      backend.callsTo('/api/articles').filter(({ url }) => /filters\[slug\].*=twin/.test(url));
    await get('/blog/guides/twin');
    await get('/blog/news/twin');
    expect(bySlug()).toHaveLength(1);
    await get('/blog/cases/twin');
    await get('/blog/made-up/twin');
    expect(bySlug()).toHaveLength(2);
  });
});

describe('a clash within one category', () => {
  it('the older of two articles with one address is shown, and the clash is logged once with both ids', async ({
    backend,
    get,
    site,
  }) => {
    addArticle(backend, site, 'copy', 'guides', { slug: 'clash', createdAt: NEW });
    addArticle(backend, site, 'original', 'guides', { slug: 'clash', createdAt: OLD });
    for (const path of ['/blog/guides/clash', '/blog/guides', '/sitemap.xml', '/blog/feed.xml'])
      await get(path);
    expect(h1Of(await get('/blog/guides/clash'))).toBe('Heading of original');
    expect(clashes(site).filter(({ id }) => id === 'copy')).toMatchObject([
      { type: 'articles', reason: expect.stringMatching(/'guides\/clash' shows the entry 'original'/) },
    ]);
  });

  it('the canonical spelling of a slug takes precedence over another one, and the sitemap logs the clash', async ({
    backend,
    get,
    site,
  }) => {
    addArticle(backend, site, 'capital', 'guides', { slug: 'Spelt', createdAt: OLD });
    addArticle(backend, site, 'small', 'guides', { slug: 'spelt', createdAt: NEW });
    expect(h1Of(await get('/blog/guides/spelt'))).toBe('Heading of small');
    await get('/sitemap.xml');
    expect(clashes(site)).toContainEqual(
      expect.objectContaining({ id: 'capital', reason: expect.stringContaining("'small'") }),
    );
  });

  it.for([
    ['page', 'about', '/about', 'pages'],
    ['business-solution', 'payouts', '/business-solutions/payouts', 'business-solutions'],
    ['commerce', 'online-shops', '/commerce/online-shops', 'commerces'],
    ['category', 'guides', '/blog/guides', 'categories'],
  ] as const satisfies readonly (readonly [Model, string, string, string])[])(
    'a clash of slugs in the type %s is logged with both ids',
    async ([model, slug, path, type], { backend, get, site }) => {
      const row = backend.row(model, slug);
      const attributes = { ...row.attributes, h1: 'A copy', createdAt: NEW };
      backend.rows(model).push({ id: 900, documentId: `copy-of-${slug}`, attributes });
      site.site.invalidation.remove([EVERYTHING]);
      expect(h1Of(await get(path))).not.toBe('A copy');
      expect(clashes(site).filter(line => line.type === type)).toMatchObject([
        { id: `copy-of-${slug}`, reason: expect.stringContaining(`'${row.documentId}'`) },
      ]);
    },
  );
});

describe('generated articles with clashing slugs', () => {
  const canonicalOf = (slug: string) => slug.toLowerCase().normalize('NFC');
  const articles = fc.uniqueArray(
    fc.record({
      slug: fc.constantFrom('a', 'A', 'ä', 'Ä', 'ä'.normalize('NFD'), 'b', 'B'),
      category: fc.constantFrom('guides', 'news', 'cases'),
    }),
    // Only one spelling besides the canonical one. With several, earlier responses would decide which one is
    // shown.
    {
      minLength: 2,
      maxLength: 6,
      selector: ({ slug, category }) => `${category}/${canonicalOf(slug)}${slug === canonicalOf(slug)}`,
    },
  );

  it('each address shows one of the generated articles, and each hidden one is logged', async ({
    backend,
    get,
    site,
  }) => {
    const recorded = backend.rows('article').slice();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(articles, async generated => {
        run += 1;
        backend.rows('article').splice(0, Number.POSITIVE_INFINITY, ...recorded);
        const ids = new Map<string, string[]>();
        for (const [index, { slug, category }] of generated.entries()) {
          const id = `run${run}-${index}`;
          addArticle(backend, site, id, category, { slug });
          const address = `/blog/${category}/${encodeURIComponent(canonicalOf(slug))}`;
          ids.set(address, [...(ids.get(address) ?? []), id]);
        }
        const shown = new Set<string>();
        for (const [address, own] of ids) {
          const heading = h1Of(await get(address)) ?? '';
          expect(
            own.map(id => `Heading of ${id}`),
            address,
          ).toContain(heading);
          shown.add(heading.replace('Heading of ', ''));
        }
        await get('/sitemap.xml');
        const hidden = [...ids.values()].flat().filter(id => !shown.has(id));
        const named = clashes(site).map(({ id }) => String(id));
        expect(named.filter(id => id.startsWith(`run${run}-`)).sort()).toEqual(hidden.sort());
      }),
      { numRuns: runs(15) },
    );
  });
});

describe('a slug at an address of the site itself', () => {
  it.for([
    ['page', 'blog', '/blog'],
    ['page', 'Sitemap.xml', '/sitemap.xml'],
    ['page', 'feed', '/feed'],
    ['category', 'feed.xml', '/blog/feed.xml'],
    ['category', 'atom.xml', '/blog/atom.xml'],
    ['article', 'feed.json', '/blog/news/feed.json'],
  ] as const)(
    'a slug that the site itself uses is logged: %s with the slug %s',
    async ([model, slug, address], { backend, get, site }) => {
      const id = `hidden-${slug}`;
      const [sample] = backend.rows(model);
      backend.rows(model).push({ id: 900, documentId: id, attributes: { ...sample?.attributes, slug } });
      site.site.invalidation.remove([EVERYTHING]);
      await get('/sitemap.xml');
      const lines = site.log.filter(({ code }) => code === 'content-address-reserved');
      expect(lines.filter(line => line.id === id)).toMatchObject([
        {
          level: 'error',
          field: 'slug',
          reason: expect.stringContaining(`'${address}' belongs to the site itself`),
        },
      ]);
    },
  );
});
