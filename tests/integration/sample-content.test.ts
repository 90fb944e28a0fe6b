import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect } from 'vitest';
import { KNOWN_PROVIDERS } from '../../server/config/embed-providers.ts';
import { embedAt } from '../../server/rich-text/tree/embeds.ts';
import { entryTypes } from '../../shared/content/entries.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import { type Cms, cmsTest, type Row } from '../support/cms-test.ts';
import { SAMPLE_CONTENT } from '../support/fixture.ts';

const it = cmsTest.extend('content', 'sample');
const { siteName } = JSON.parse(readFileSync(path.join(SAMPLE_CONTENT, 'settings.json'), 'utf8'));
beforeEach(({ skip }) => skip(siteName !== 'Corridor', 'content/ is no longer the sample'));

/** An article that may have more words than the others. */
const LONG_READ = 'what-one-payment-abroad-costs';

/** A film of the Blender Foundation, under a licence that allows everybody to show it. */
const OPEN_FILMS = ['https://www.youtube.com/watch?v=aqz-KE-bpKQ', 'https://vimeo.com/1084537'];

describe('the sample content', () => {
  const LISTS = [
    'categories',
    'socials',
    'authors',
    'articles',
    ...entryTypes.map(({ path }) => path),
    'redirects',
  ];

  const NOT_EMPTY: unknown = expect.stringMatching(/./);

  const all = async (cms: Cms, type: string) =>
    (await cms.get(`/api/${type}?populate=*&pagination[pageSize]=100`)).data;

  it('the sample content decodes without a warning', async ({ cms }) => {
    for (const type of [...LISTS, 'settings', 'landing', 'main-page']) await all(cms, type);
    expect(cms.warnings).toEqual([]);
  });

  it('the sample content has the entries that the site needs', async ({ cms }) => {
    const inCategory = async (slug: string) =>
      (await cms.get(`/api/articles?filters[category][slug][$eq]=${slug}&pagination[pageSize]=12`)).meta
        .pagination;
    expect(await inCategory('guides')).toMatchObject({ total: 15, pageCount: 2 });
    expect(await inCategory('engineering')).toMatchObject({ total: 5 });
    for (const slug of ['news', 'cases', 'compliance', 'markets'])
      expect(await inCategory(slug), slug).toMatchObject({ total: 3 });
    expect(await all(cms, 'categories')).toHaveLength(6);
    const articles = await all(cms, 'articles');
    expect(articles.filter(row => row.category === null)).toEqual([]);
    expect(articles).toHaveLength(32);
    expect(await all(cms, 'authors')).toHaveLength(5);
    const path =
      '/api/landing?populate[countries_list][populate]=image&populate[paymentBlockImages][populate]=image';
    const landing = (await cms.get(path)).data as unknown as Record<string, unknown>;
    expect((landing.countries_list as Row[]).every(country => country.image !== null)).toBe(true);
    expect(landing.paymentBlockImages).toHaveLength(8);
    // A block may come without sample data.
    const empty = Object.keys(landing).filter(name => landing[name] === null && !name.endsWith('Block'));
    expect(empty).toEqual([]);
  });

  it('the sample articles have 300 to 1,000 words, an author and a picture', async ({ cms }) => {
    for (const row of await all(cms, 'articles')) {
      if (row.category === null) continue;
      const body = String(row.body);
      const prose = body.replace(/```.*?```/gs, '').replace(/^\|.*$/gm, '');
      expect(prose.split(/\s+/).length, String(row.slug)).toBeGreaterThanOrEqual(300);
      if (row.slug !== LONG_READ)
        expect(body.split(/\s+/).length, String(row.slug)).toBeLessThanOrEqual(1000);
      expect(row, String(row.slug)).toMatchObject({ author: { name: NOT_EMPTY }, cover: { url: NOT_EMPTY } });
      for (const [, alt = ''] of body.matchAll(/!\[([^\]]*)\]/g)) expect(alt, String(row.slug)).not.toBe('');
    }
    for (const author of await all(cms, 'authors')) expect(author.image, String(author.name)).toHaveLength(1);
  });

  it('the long read has 1,800 words, three figures, and sources', async ({ cms }) => {
    const row = (await all(cms, 'articles')).find(({ slug }) => slug === LONG_READ);
    const [text = '', sources = ''] = String(row?.body).split(/^## Sources$/m);
    const prose = text
      .replace(/```.*?```/gs, '')
      .replace(/^\|.*$/gm, '')
      .replace(/!\[[^\]]*\]\(.*\)/g, '');
    expect(prose.split(/\s+/).length).toBeGreaterThanOrEqual(1_800);
    expect(text.match(/!\[[^\]]+\]\(\/uploads\/figure-/g)).toHaveLength(3);
    expect(sources.match(/^- /gm)?.length).toBeGreaterThanOrEqual(5);
  });

  it('the words of each drawing are paths, because a picture has none of the site’s fonts', () => {
    const dir = path.join(SAMPLE_CONTENT, 'uploads');
    const drawings = readdirSync(dir).filter(name => name.endsWith('.svg'));
    expect(drawings.length).toBeGreaterThan(20);
    const lettered = drawings.filter(name => readFileSync(path.join(dir, name), 'utf8').includes('<text'));
    expect(lettered).toEqual([]);
  });

  it('each sample cover has a size and an alternative text', async ({ cms }) => {
    for (const type of ['articles', 'business-solutions', 'commerces']) {
      for (const row of await all(cms, type)) {
        if (row.cover === null) continue;
        expect(row.cover, String(row.slug)).toMatchObject({
          width: 1200,
          height: 675,
          alternativeText: NOT_EMPTY,
        });
      }
    }
  });

  it('the sample content has no broken link', async ({ cms }) => {
    const [categories, articles, redirects] = [
      await all(cms, 'categories'),
      await all(cms, 'articles'),
      await all(cms, 'redirects'),
    ];
    const known = new Set(['/', '/blog', ...categories.map(row => `/blog/${row.slug}`)]);
    for (const { path, route } of entryTypes)
      for (const row of await all(cms, path)) known.add(pathTo(route, { slug: String(row.slug) }));
    for (const row of articles) known.add(`/blog/${(row.category as Row | null)?.slug}/${row.slug}`);
    for (const row of redirects) known.add(String(row.from));
    for (const { name } of await all(cms, 'authors'))
      known.add(`/blog/authors/${String(name).toLowerCase().replace(' ', '-')}`);

    const links = new Set(redirects.map(row => String(row.to).replace(/\/\*\*$/, '')));
    const collect = (value: unknown): void => {
      if (typeof value === 'string') {
        if (/^(?:\/|https?:)\S*$/.test(value)) links.add(value);
        for (const [, target = ''] of value.matchAll(/\]\(\s*([^)\s]+)/g)) links.add(target);
        for (const [, target = ''] of value.matchAll(/(?:href|src)="([^"]*)"/g)) links.add(target);
      } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
    };
    const lists = LISTS.filter(type => type !== 'redirects');
    for (const type of [...lists, 'settings', 'landing', 'main-page']) collect(await all(cms, type));

    expect(links.size).toBeGreaterThan(60);
    for (const link of links) {
      if (link.startsWith('/uploads/')) expect((await fetch(cms.url + link)).status, link).toBe(200);
      else if (
        embedAt(
          link,
          [KNOWN_PROVIDERS.youtube, KNOWN_PROVIDERS.vimeo].filter(one => one !== undefined),
        )
      )
        expect(OPEN_FILMS).toContain(link);
      else if (/^https?:/.test(link)) {
        // JSON-LD names schema.org as its vocabulary. Every other address is on a domain reserved for
        // examples.
        expect(link).toMatch(/^https:\/\/(?:(?:[a-z]+\.)?example\.com\/|schema\.org$)/);
      } else if (link.startsWith('mailto:')) expect(link).toMatch(/^mailto:[a-z]+@example\.com\b/);
      else if (!link.startsWith('#')) expect(known, link).toContain(link.replace(/[?#].*$/, ''));
    }
  });
});
