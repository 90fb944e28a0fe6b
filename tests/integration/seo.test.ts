import { describe, expect } from 'vitest';
import { brand } from '../../site/brand.ts';
import { invalidationTest as it, SPAIN } from '../support/invalidation-test.ts';
import { parsePage } from '../support/parse-page.ts';

/** The name of a site without a name in its settings. */
const HOST = brand.name ?? '127\\.0\\.0\\.1:\\d+';
const HIDDEN = { id: 1, metaRobots: 'noindex, nofollow' };

/** @returns the contents of a page's meta elements, by name. */
function metaOf(html: string): Record<string, unknown> {
  const metas = parsePage(html).all('meta');
  return Object.fromEntries(
    metas.map(({ properties: { name, property, content } }) => [String(name ?? property), content]),
  );
}

describe('the component of the SEO plugin', () => {
  it('the SEO component takes precedence over the fields of an article', async ({
    backend,
    get,
    announce,
  }) => {
    const article = backend.row('article', 'accepting-cards-in-spain');
    Object.assign(article.attributes, {
      seoTitle: 'Of the field',
      seo: {
        id: 1,
        metaTitle: 'Of the component',
        metaDescription: 'Described by the component.',
        metaImage: { data: { id: 2, attributes: { url: '/uploads/share.png', width: 1200, height: 630 } } },
        canonicalURL: 'https://elsewhere.example/cards',
      },
    });
    await announce('entry.publish', 'article', article);
    const { text, headers } = await get(SPAIN);
    const page = parsePage(text);
    // The settings of this backend have no name, so the host replaces it.
    expect(page.title).toMatch(new RegExp(`^Of the component – ${HOST}$`));
    expect(page.headings).not.toContain('Of the component');
    expect(page.canonical).toBe('https://elsewhere.example/cards');
    expect(metaOf(text)).toMatchObject({
      'og:title': 'Of the component',
      'og:site_name': expect.stringMatching(new RegExp(`^${HOST}$`)),
      'og:url': 'https://elsewhere.example/cards',
      'og:image': expect.stringMatching(/\/images\/uploads\/share\.png\/share\.jpg$/),
      description: 'Described by the component.',
    });
    expect(headers['x-robots-tag']).toBeUndefined();
    expect(JSON.stringify(page.data?.payload.data)).not.toMatch(/Of the component|"seo"/);
  });

  it.for([
    ['page', 'about', '/about'],
    ['article', 'accepting-cards-in-spain', SPAIN],
    ['category', 'guides', '/blog/guides'],
    ['business-solution', 'payouts', '/business-solutions/payouts'],
  ] as const)(
    'the SEO component hides a %s from search engines in head, header and sitemap',
    async (hidden, { backend, get, announce }) => {
      const [model, slug, path] = hidden;
      const listed = async () => (await get('/sitemap.xml')).text.includes(`${path}</loc>`);
      expect(await listed()).toBe(true);
      expect((await get(path)).headers['x-robots-tag']).toBeUndefined();
      const row = backend.row(model, slug);
      row.attributes.seo = HIDDEN;
      await announce('entry.publish', model, row);
      const answer = await get(path);
      expect(parsePage(answer.text).robots).toBe('noindex, nofollow');
      expect(answer.headers['x-robots-tag']).toBe('noindex, nofollow');
      expect(await listed()).toBe(false);
    },
  );
});
