import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeBackend, sendJson, startFakeBackend } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const ARTICLE = '/blog/cases/tutors-in-nine-countries';

describe('blocks in the content folder', () => {
  let site: SampleSite;
  beforeAll(async () => {
    site = await startSampleSite();
  });
  afterAll(() => site.close());
  const get = async (path: string) => (await sendRequest(site.url, path, { headers: AS_BROWSER })).text;
  const titlesOf = (html: string) =>
    Array.from(html.matchAll(/<h2 id="([\w-]+)-title"/g), ([, id = '']) => id).filter(
      id => id !== 'subscribe',
    );

  it('a page shows blocks and texts in the order of its list, even several blocks of one kind', async () => {
    const html = await get('/what-blocks-show');
    expect(titlesOf(html)).toEqual([
      ...['steps', 'table', 'people', 'voices', 'download', 'steps-1', 'partners', 'payments', 'directions'],
      ...['earn-more', 'faq', 'call-to-action'],
    ]);
    // The block of figures is no landmark region, so its heading has no id.
    expect(html.indexOf('Paid out in an hour')).toBeGreaterThan(html.indexOf('directions-title'));
    expect(html.indexOf('table-title')).toBeLessThan(html.indexOf('A text between blocks'));
    expect(html.indexOf('A text between blocks')).toBeLessThan(html.indexOf('people-title'));
    expect(html).toMatch(/<img [^>]*src="\/uploads\/portrait-marta-lindqvist.svg"/);
    expect(html).toMatch(/<a href="\/uploads\/fee-sheet.pdf" download=""/);
    expect(html).toMatch(/src="\/uploads\/partners.svg#northbank"/);
  });

  it.each([
    [
      'an entry',
      '/business-solutions/supplier-payments',
      ['steps', 'call-to-action', 'questions', 'related'],
    ],
    ['an article', ARTICLE, ['people', 'questions', 'related']],
    ['a category', '/blog/cases', ['call-to-action', 'questions']],
  ])('%s shows blocks', async (_, path, titles) => {
    expect(titlesOf(await get(path))).toEqual(titles);
  });

  it('the questions of a block are in the structured data of its page', async () => {
    const { jsonLd } = parsePage(await get('/what-blocks-show'));
    const questions = (jsonLd as Record<string, unknown>[]).filter(block => block['@type'] === 'FAQPage');
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({ mainEntity: [{ name: 'May a page have two lists of questions?' }] });
  });

  it('a page without blocks has neither a field nor a stylesheet for them', async () => {
    const payload = JSON.parse(await get('/about/_payload.json'));
    expect(payload.data.page.page).not.toHaveProperty('sections');
    const html = await get('/about');
    expect(html.match(/<link rel="stylesheet" href="\/assets/g)).toHaveLength(1);
  });

  it('a feed has the texts of an article after its first block', async () => {
    expect(await get('/blog/cases/feed.json')).toContain('A last word, below the people.');
  });
});

describe('files in lists of blocks', () => {
  let backend: FakeBackend;
  let site: RunningSite;
  beforeAll(async () => {
    backend = await startFakeBackend();
    site = await startSite({ contentBaseUrl: backend.url });
  });
  afterAll(async () => {
    await site.close();
    await backend.close();
  });
  beforeEach(() => backend.reset());

  const person = { id: 5, name: 'Ada', position: null, text: null, href: null };
  const people = { __component: 'site.people-section', id: 1, title: 'Team', text: null, items: [person] };
  const picture = { id: 9, url: '/uploads/ada.png', mime: 'image/png', width: 8, height: 8 };

  /** Responds as Strapi: in a dynamic zone it sends files one level deep, or those of named components. */
  function answer(slug: string, sections: readonly object[], refusal?: object): void {
    backend.on('/api/pages', (req, res) => {
      const url = decodeURIComponent(req.url ?? '');
      const isDeep = url.includes('[on]');
      if (isDeep && refusal) return sendJson(res, 400, refusal);
      const deep = [{ ...people, items: [{ ...person, picture }] }];
      const row = { id: 1, documentId: slug, slug, title: 'Page', body: 'Text' };
      const found = url.includes(slug) ? [isDeep ? { ...row, sections: deep } : { ...row, sections }] : [];
      sendJson(res, 200, {
        data: found,
        meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: 1 } },
      });
    });
  }
  const bySlug = (slug: string) =>
    backend.callsTo('/api/pages').filter(({ url }) => url.includes(`[$eq]=${slug}`));
  const get = async (path: string) => (await sendRequest(site.url, path, { headers: AS_BROWSER })).text;

  it('a second call brings the files in the lists of a block, and unknown components stay', async () => {
    answer('team', [people, { __component: 'shared.chart', id: 2, title: 'Growth of the team' }]);
    const html = await get('/team');
    expect(html).toContain('/uploads/ada.png');
    expect(html).toContain('Growth of the team');
    expect(bySlug('team').map(({ url }) => url.includes('[on]'))).toEqual([false, true]);
    expect(bySlug('team')[1]?.url).toContain(
      'populate[sections][on][site.people-section][populate]=items.picture',
    );
  });

  it('a page whose blocks have no lists of files needs no second call', async () => {
    answer('plain', [
      { __component: 'site.table-section', id: 1, title: null, text: null, rows: 'A|B\nc|d' },
    ]);
    expect(await get('/plain')).toContain('<td>c</td>');
    expect(bySlug('plain')).toHaveLength(1);
  });

  it('a page shows its blocks even if the CMS refuses the second call', async () => {
    const refusal = {
      data: null,
      error: { status: 400, name: 'ValidationError', message: 'Invalid key picture' },
    };
    answer('refused', [people], refusal);
    expect(await get('/refused')).toMatch(/<h3 [^>]*>Ada<\/h3>/);
  });
});
