import { describe, expect, it as plain } from 'vitest';
import type { RouteId } from '../../shared/routing/routes.ts';
import { invalidationTest, SPAIN } from '../support/invalidation-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { siteTest as it } from '../support/site-test.ts';
import { faultsOf } from '../support/structured-data.ts';

type Block = Record<string, unknown>;

const blocksOf = (html: string) => parsePage(html).jsonLd as Block[];
const ofType = (blocks: readonly Block[], type: string) => blocks.filter(block => block['@type'] === type);

/** Structured data types of each route's page in the sample content. */
const TYPES: Readonly<Partial<Record<RouteId, readonly string[]>>> = {
  home: ['Organization', 'WebSite', 'Service', 'FAQPage'],
  'blog-article': ['BlogPosting', 'BreadcrumbList'],
  'blog-author': ['Person', 'BreadcrumbList'],
  'blog-category': ['BreadcrumbList'],
  'business-solution': ['Service', 'BreadcrumbList', 'FAQPage'],
  commerce: ['Service', 'BreadcrumbList'],
};

/** Types of structured data that an editor of the sample wrote for the landing page. */
const OF_EDITORS: readonly string[] = ['WebPage', 'Brand', 'Service'];

describe('structured data', () => {
  it.for(Object.entries(SAMPLE_PATHS) as [RouteId, string][])(
    'structured data has everything that search engines require and recommend: %s',
    async ([route, path], { getPage }) => {
      const blocks = blocksOf((await getPage(path)).text);
      const checked =
        route === 'home' ? blocks.filter(block => !OF_EDITORS.includes(String(block['@type']))) : blocks;
      expect(checked.flatMap(block => faultsOf(block))).toEqual([]);
      const types = blocks.map(block => block['@type']);
      expect(types).toEqual(expect.arrayContaining([...(TYPES[route] ?? [])]));
      expect(new Set(types).size).toBe(types.length);
    },
  );

  it('structured data describes the company on the landing page, and refers to it by id elsewhere', async ({
    sample,
    getPage,
  }) => {
    const [company] = ofType(blocksOf((await getPage('/')).text), 'Organization');
    expect(company).toMatchObject({
      '@id': `${sample.url}/#organization`,
      name: 'Acme',
      url: `${sample.url}/`,
      logo: `${sample.url}/favicon.svg`,
      sameAs: expect.arrayContaining(['https://letter.example.com/corridor']),
    });
    const [article] = ofType(blocksOf((await getPage(SAMPLE_PATHS['blog-article'])).text), 'BlogPosting');
    const { sameAs: _, '@context': _context, ...publisher } = company ?? {};
    expect(article?.publisher).toEqual(publisher);
    // Search engines do not show an SVG cover, so the shared picture replaces it.
    expect(article?.image).toContain(`${sample.url}/images/cards${SAMPLE_PATHS['blog-article']}/card.jpg?v=`);
    expect(article?.author).toMatchObject({ url: expect.stringContaining('/blog/authors/') });
    const [service] = ofType(blocksOf((await getPage(SAMPLE_PATHS.commerce)).text), 'Service');
    expect(service?.provider).toEqual(publisher);
  });
});

describe('an editor’s own structured data', () => {
  invalidationTest(
    'an editor’s structured data replaces that of the site',
    async ({ backend, site, get }) => {
      const response = await fetch(`${backend.url}/api/landing`, {
        headers: { 'Strapi-Response-Format': 'v4' },
      });
      const landing = (await response.json()) as { data: { attributes: Record<string, unknown> } };
      const own = { '@context': 'https://schema.org', '@graph': [{ '@type': 'Organization', name: 'Ours' }] };
      Object.assign(landing.data.attributes, { schema1: own, schema2: null, schema3: null });
      backend.on('/api/landing', landing);
      site.site.invalidation.remove(['*']);
      const blocks = blocksOf((await get('/')).text);
      expect(ofType(blocks, 'Organization')).toEqual([]);
      expect(ofType(blocks, 'WebSite')).toHaveLength(1);
      expect(blocks).toContainEqual(own);
    },
  );

  invalidationTest(
    'an editor’s logo in the settings is the publisher’s logo',
    async ({ backend, site, get }) => {
      const response = await fetch(`${backend.url}/api/settings`, {
        headers: { 'Strapi-Response-Format': 'v4' },
      });
      const settings = (await response.json()) as { data: { attributes: Record<string, unknown> } };
      settings.data.attributes.logo = { data: { id: 9, attributes: { url: '/uploads/logo.png' } } };
      backend.on('/api/settings', settings);
      site.site.invalidation.remove(['*']);
      const [article] = ofType(blocksOf((await get(SPAIN)).text), 'BlogPosting');
      expect(article?.publisher).toMatchObject({ logo: `${site.url}/uploads/logo.png` });
    },
  );

  invalidationTest(
    'the questions of a category are structured data on its page, and not on its articles',
    async ({ backend, announce, get }) => {
      const category = backend.row('category', 'guides');
      category.attributes.questions = [{ question: 'Of the category?', answer: 'Yes.' }];
      await announce('entry.update', 'category', category);
      expect(ofType(blocksOf((await get('/blog/guides')).text), 'FAQPage')).toHaveLength(1);
      const article = backend.row('article', 'accepting-cards-in-spain');
      article.attributes.questions = [];
      await announce('entry.publish', 'article', article);
      const answer = await get(SPAIN);
      expect(answer.text).toContain('Of the category?');
      expect(ofType(blocksOf(answer.text), 'FAQPage')).toEqual([]);
    },
  );
});

plain('the check of these tests finds missing, invalid and unknown structured data', () => {
  expect(faultsOf({ '@type': 'BreadcrumbList', itemListElement: [] })).toContain(
    'BreadcrumbList lacks itemListElement',
  );
  expect(faultsOf({ '@type': 'Organization', name: 'A', url: '/', logo: 'https://a.example/' })).toEqual([
    'Organization.url: no address',
  ]);
  expect(faultsOf({ '@type': 'BlogPosting', datePublished: 'today' })).toEqual(
    expect.arrayContaining(['BlogPosting lacks image', 'BlogPosting.datePublished: no date']),
  );
  expect(faultsOf({ '@type': 'Nonsense' })).toEqual(['the type Nonsense has no rules']);
});
