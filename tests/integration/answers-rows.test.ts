import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import { getPage, linesOf, pagesOf, statesOf } from '../support/content-answers.ts';
import {
  type EditableBackend,
  type Model,
  type Row,
  startEditableBackend,
} from '../support/editable-backend.ts';
import { errorPage } from '../support/error-page.ts';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend, recorded, sendJson } from '../support/fake-backend.ts';
import { runs } from '../support/in-full.ts';
import { parsePage } from '../support/parse-page.ts';
import { backendTest } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const it = backendTest.extend(
  'cms',
  { scope: 'file' },
  async ({}, { onCleanup }): Promise<EditableBackend> => {
    const cms = await startEditableBackend();
    onCleanup(() => cms.close());
    return cms;
  },
);

/** A row of each model with pages, the path of its page, and the pages that list it. */
const ROWS: readonly (readonly [model: Model, slug: string, page: string, others: readonly string[]])[] = [
  ['article', 'accepting-cards-in-spain', '/blog/guides/accepting-cards-in-spain', ['/blog', '/blog/guides']],
  ['category', 'guides', '/blog/guides', ['/blog', '/blog/guides/accepting-cards-in-spain']],
  ['page', 'about', '/about', []],
];
/** Required fields of a model, except the slug by which the row is found. */
const REQUIRED: Readonly<Partial<Record<Model, readonly string[]>>> = {
  article: ['title'],
  category: ['name', 'slug'],
  page: ['title'],
};
const env = { CONTENT_TTL_MS: '0' };

/** Empties a field, as an editor can where the CMS does not require it. */
function breakRow({ attributes }: Row, field: string, value: unknown = null): void {
  attributes[field] = value;
}
const problemsOf = (site: RunningSite, kind: string, id: string) =>
  site.log.filter(line => line.code === `content-${kind}` && line.id === id);

describe('one row without a required field', () => {
  it('an unknown row without a required field is a 404, and its log entry has the id', async ({
    cms,
    startOwnSite,
  }) => {
    for (const [model, slug, page] of ROWS) {
      cms.reset();
      const row = cms.row(model, slug);
      breakRow(row, REQUIRED[model]?.[0] ?? '');
      const site = await startOwnSite({ contentBaseUrl: cms.url });
      errorPage(await getPage(site, page), 404, 'Page Not Found');
      // Lists of articles contain copies of their categories, and report them as well.
      const [problem] = problemsOf(site, 'row-left-out', row.documentId);
      const reason = expect.stringContaining('needs');
      expect(problem).toMatchObject({ level: 'warn', field: REQUIRED[model]?.[0], reason });
      expect(await statesOf(site)).toEqual({});
    }
  });

  it('a known row that loses a required field keeps its last version, on its page and in lists', async ({
    cms,
    startOwnSite,
  }) => {
    for (const [model, slug, page, others] of ROWS) {
      cms.reset();
      const site = await startOwnSite({ contentBaseUrl: cms.url, env });
      const paths = [page, ...others];
      const before = await pagesOf(site, paths);
      const row = cms.row(model, slug);
      breakRow(row, REQUIRED[model]?.[0] ?? '');
      await eventually(async () => {
        expect(await pagesOf(site, paths)).toEqual(before);
        const lines = problemsOf(site, 'row-kept', row.documentId);
        expect(lines[0]?.reason).toContain('the row is shown as it was before');
      });
      expect(problemsOf(site, 'row-left-out', row.documentId)).toEqual([]);
      expect(await statesOf(site)).toEqual({});
    }
  });

  it('a row that lost a required field keeps its last version in the next process', async ({
    cms,
    startOwnSite,
    onTestFinished,
  }) => {
    cms.reset();
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'answers-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    const options = { contentBaseUrl: cms.url, dataDir, env };
    const first = await startOwnSite(options);
    expect((await getPage(first, '/blog/guides')).status).toBe(200);
    breakRow(cms.row('category', 'guides'), 'name');
    cms.row('category', 'news').attributes.name = 'All the news';
    await eventually(async () => {
      const page = await getPage(first, '/blog/guides');
      expect(parsePage(page.text).data?.payload.data.shell?.categories).toMatchObject([
        { name: 'All the news' },
        { slug: 'guides' },
        {},
      ]);
    });
    await first.close();
    // Stored pages belong to their PUBLIC_URL, so with another one the second process renders all pages.
    const second = await startOwnSite({ ...options, env: { ...env, PUBLIC_URL: 'https://other.example' } });
    expect((await getPage(second, '/blog/guides')).status).toBe(200);
    expect((await getPage(second, '/blog/cases')).status).toBe(200);
  });

  it('a row that regains its required field shows its new text', async ({ cms, startOwnSite }) => {
    cms.reset();
    const site = await startOwnSite({ contentBaseUrl: cms.url, env });
    await getPage(site, '/about');
    const row = cms.row('page', 'about');
    breakRow(row, 'title');
    await eventually(async () => {
      await getPage(site, '/about');
      expect(problemsOf(site, 'row-kept', row.documentId)).toHaveLength(1);
    });
    breakRow(row, 'title', 'A title again');
    await eventually(async () =>
      expect(parsePage((await getPage(site, '/about')).text).title).toContain('A title again'),
    );
  });

  it('any row with any blank required field fails no other page', async ({ cms, startOwnSite }) => {
    const blank = fc.constantFrom<unknown>(null, '', '   ', [], {}, false);
    const broken = fc.constantFrom(...ROWS.map(([model]) => model)).chain(model =>
      fc.record({
        model: fc.constant(model),
        index: fc.nat(),
        field: fc.constantFrom(...(REQUIRED[model] ?? [])),
        value: blank,
      }),
    );
    await fc.assert(
      fc.asyncProperty(broken, async ({ model, index, field, value }) => {
        cms.reset();
        const row = cms.rows(model)[index % cms.rows(model).length];
        if (!row) throw new Error('The model has no rows');
        breakRow(row, field, value);
        const site = await startOwnSite({ contentBaseUrl: cms.url });
        for (const [other, slug, page] of ROWS) {
          const { status } = await getPage(site, page);
          const isOwn =
            other === model &&
            cms.rows(model).indexOf(row) ===
              cms.rows(model).findIndex(({ attributes }) => attributes.slug === slug);
          // The address of an article includes its category.
          const isCategoryOf = model === 'category' && page.startsWith('/blog/guides');
          expect([page, status]).toEqual([page, isOwn || isCategoryOf ? expect.toBeOneOf([200, 404]) : 200]);
        }
        await site.close();
      }),
      { numRuns: runs(15) },
    );
  });
});

/** Removes the value of a required field, or the field itself, from every row of a response. */
function without(loss: Loss, file: string, field: string): { data: Row[] } {
  const body = structuredClone(capture('v5-as-v4', file)) as { data: Row[] };
  for (const { attributes } of body.data) {
    if (loss === 'the value of') attributes[field] = null;
    else delete attributes[field];
  }
  return body;
}
type Loss = 'the value of' | 'the field';

/**
 * Serves the responses of a type without a required field. The lists of articles keep their length, or the
 * type would count as emptied.
 */
function serveWithout(
  backend: FakeBackend,
  type: string,
  ...[loss, file, field]: Parameters<typeof without>
): void {
  backend.on(`/api/${type}`, (req, res) => {
    const isList = type === 'articles' && !req.url?.includes('filters[slug]');
    sendJson(res, 200, without(loss, isList ? 'articles-page-1.json' : file, field));
  });
}
const ARTICLE = '/blog/guides/accepting-cards-in-spain';
const ANSWERS = [
  ['the value of', 'name', 'categories', 'categories.json', '/blog'],
  ['the value of', 'title', 'articles', 'articles-page-1.json', '/blog'],
  ['the field', 'name', 'authors', 'authors.json', '/blog'],
  ['the field', 'title', 'articles', 'articles-page-1.json', '/blog'],
  // A type with a single row has lost the field if that row lacks it.
  ['the field', 'title', 'articles', 'article-by-slug.json', ARTICLE],
  ['the field', 'title', 'pages', 'pages.json', '/about'],
] as const;

describe('the text of pages, absent from every row', () => {
  const TEXTS = [
    ['articles', 'article-by-slug.json', ARTICLE],
    ['pages', 'pages.json', '/about'],
    ['business-solutions', 'business-solutions.json', '/business-solutions/payouts'],
    ['commerces', 'commerces.json', '/commerce/online-shops'],
  ] as const;

  it.for(TEXTS)(
    'a text missing from every row makes the page a 503, and the log names type and field: %s',
    async ([type, file, page], { backend, startOwnSite }) => {
      serveWithout(backend, type, 'the field', file, 'body');
      const site = await startOwnSite();
      errorPage(await getPage(site, page), 503, 'Internal Server Error');
      expect(linesOf(site, type)[0]).toMatchObject({
        code: 'content-type-down',
        reason: expect.stringMatching(new RegExp(`/api/${type}.*no row has the field 'body'`)),
      });
    },
  );

  // Articles are left out, because the list beside an article comes from another response.
  it.for(TEXTS.slice(1))(
    'a text missing from every row keeps the last page: %s',
    async ([type, file, page], { backend, startOwnSite }) => {
      const site = await startOwnSite({ env });
      const before = await pagesOf(site, [page]);
      serveWithout(backend, type, 'the field', file, 'body');
      await eventually(async () => {
        expect(await pagesOf(site, [page])).toEqual(before);
        // Only the first log entry counts: the list of related entries, another response, is complete.
        expect(linesOf(site, type)[0]).toMatchObject({
          code: 'content-type-down',
          reason: expect.stringMatching(new RegExp(`/api/${type}.*no row has the field 'body'`)),
        });
      });
    },
  );

  it('a page of sections may lack its text, and an empty text is never a fault', async ({
    backend,
    startOwnSite,
  }) => {
    const body = without('the field', 'commerces.json', 'body');
    for (const { attributes } of body.data)
      attributes.sections = [{ __component: 'site.text-section', body: 'Made of sections.' }];
    backend.on('/api/commerces', body);
    const site = await startOwnSite();
    expect(parsePage((await getPage(site, '/commerce/online-shops')).text).main).toContain(
      'Made of sections.',
    );
    serveWithout(backend, 'pages', 'the value of', 'pages.json', 'body');
    expect((await getPage(site, '/about')).status).toBe(200);
  });
});

describe('all rows without a required field', () => {
  it.for(ANSWERS)(
    'rows are undecodable when all lack a required field: %s %s, %s in %s',
    async ([loss, field, type, file, page], { backend, startOwnSite }) => {
      serveWithout(backend, type, loss, file, field);
      const site = await startOwnSite();
      errorPage(await getPage(site, page), 503, 'Internal Server Error');
      expect(linesOf(site, type)[0]).toMatchObject({
        code: 'content-type-down',
        reason: expect.stringMatching(
          loss === 'the field'
            ? new RegExp(`/api/${type}.*no row has the field '${field}'`)
            : /none of \d rows can be shown: an? \w+ needs/,
        ),
      });
    },
  );

  it.for(ANSWERS)(
    'the last content stays when all rows lose a required field: %s %s, %s in %s',
    async ([loss, field, type, file, page], { backend, startOwnSite }) => {
      const site = await startOwnSite({ env });
      const before = await pagesOf(site, [page]);
      serveWithout(backend, type, loss, file, field);
      await eventually(async () => {
        expect(await pagesOf(site, [page])).toEqual(before);
        expect(await statesOf(site)).toEqual({ [type]: 'down' });
      });
    },
  );

  it('a revoked permission for categories leaves every known article unchanged', async ({
    cms,
    startOwnSite,
  }) => {
    cms.reset();
    const [article, unseen] = ['accepting-cards-in-spain', 'ten-questions-about-chargebacks'].map(
      slug => `/blog/guides/${slug}`,
    ) as [string, string];
    const site = await startOwnSite({ contentBaseUrl: cms.url, env });
    const before = await pagesOf(site, [article, '/blog', '/blog/guides']);
    for (const { attributes } of cms.rows('article')) delete attributes.category;
    // Strapi rejects the unknown relation in filters too.
    const refusal = { status: 400, name: 'ValidationError', message: 'Invalid key category' };
    cms.on('/api/articles', (req, res) => {
      const { search } = new URL(req.url ?? '/', 'http://backend');
      if (search.includes('[category][slug]')) sendJson(res, 400, { data: null, error: refusal });
      else sendJson(res, 200, cms.answerNow('article', search));
    });
    await eventually(async () => {
      expect(await pagesOf(site, Object.keys(before))).toEqual(before);
      expect(await statesOf(site)).toEqual({ articles: 'down' });
    });
    expect(site.log).toContainEqual(
      expect.objectContaining({ code: 'content-relation-absent', type: 'articles', field: 'category' }),
    );
    // An article that was never requested still exists.
    errorPage(await getPage(site, unseen), 503, 'Internal Server Error');
    // A sitemap without articles would remove them from search engines.
    expect((await getPage(site, '/sitemap.xml')).status).toBe(503);
    expect(
      problemsOf(site, 'row-left-out', cms.row('article', 'accepting-cards-in-spain').documentId),
    ).toEqual([]);
  });

  it('a list whose only row lacks a required field does not fail: the row is left out', async ({
    backend,
    startOwnSite,
  }) => {
    const body = without('the value of', 'authors.json', 'name');
    backend.on('/api/authors', { data: body.data.slice(0, 1) });
    const site = await startOwnSite();
    expect((await getPage(site, '/blog')).status).toBe(200);
    expect(problemsOf(site, 'row-left-out', body.data[0]?.documentId ?? '')).toHaveLength(1);
  });
});

describe('200, entry gone', () => {
  /** Makes the backend behave as if it had lost the entry of each slug, and keeps the other entries. */
  const gone = (backend: FakeBackend, type: string) =>
    backend.on(`/api/${type}`, (req, res) => {
      const url = new URL(req.url ?? '/', 'http://backend');
      const isLookup = [...url.searchParams.keys()].some(name => name.startsWith('filters[slug]'));
      const answer = isLookup ? { data: [], meta: {} } : recorded('v5-as-v4', url);
      if (typeof answer === 'function') answer(req, res);
      else sendJson(res, 200, answer);
    });
  const ENTRIES = [
    ['articles', '/blog/guides/accepting-cards-in-spain'],
    ['pages', '/about'],
    ['business-solutions', '/business-solutions/payouts'],
    ['commerces', '/commerce/online-shops'],
  ] as const;

  it.for(ENTRIES)('a slug without an entry is a 404: %s', async ([type, page], { backend, startOwnSite }) => {
    gone(backend, type);
    const site = await startOwnSite();
    errorPage(await getPage(site, page), 404, 'Page Not Found');
    expect(await statesOf(site)).toEqual({});
  });

  it.for(ENTRIES)(
    'a known entry whose slug disappears is a 404: %s',
    async ([type, page], { backend, startOwnSite }) => {
      const site = await startOwnSite({ env });
      expect((await getPage(site, page)).status).toBe(200);
      gone(backend, type);
      await eventually(async () => errorPage(await getPage(site, page), 404, 'Page Not Found'));
      expect(linesOf(site, type)).toEqual([]);
    },
  );
});
