import { createServer } from 'node:http';
import { describe, expect } from 'vitest';
import { namedTypes } from '../../server/content/described-types.ts';
import {
  type CmsAnswer,
  doctorTest as it,
  lineOf,
  rowsIn,
  SEND,
  type SickCms,
} from '../support/doctor-test.ts';
import { failing, sendJson } from '../support/fake-backend.ts';
import { close, listen } from '../support/listen.ts';
import { PREVIEW_ENV } from '../support/preview-test.ts';

const ALL = namedTypes.map(([, { path }]) => path);

/** A fault of the backend, and the line that it must lead to, as the only one. */
type Fault = [what: string, inject: (cms: SickCms) => void, line: RegExp];

const onAll = (cms: SickCms, status: number) => {
  for (const type of ALL) cms.on(`/api/${type}`, failing(status, 'Forbidden'));
};
const isDraft = (query: URLSearchParams) => query.get('status') === 'draft';
const asDrafts = (answer: CmsAnswer) => {
  for (const { attributes } of rowsIn(answer)) attributes.publishedAt = null;
  return answer;
};
const set = (field: string, value: unknown) => (answer: CmsAnswer) => {
  for (const { attributes } of rowsIn(answer)) attributes[field] = value;
  return answer;
};
const without = (field: string) => (answer: CmsAnswer) => {
  for (const { attributes } of rowsIn(answer)) delete attributes[field];
  return answer;
};
const file = (url: string) => ({ id: 1, attributes: { url, mime: 'image/png' } });

type Row = Record<string, unknown>;

const FAULTS: Fault[] = [
  [
    'a permission is missing',
    cms => cms.on('/api/pages', failing(403)),
    /^error pages: .*'pages' \(403\) → allow find and findOne of 'pages' .*Roles → Public.* \(\/:slug, \/business-solutions\/:slug, \/commerce\/:slug\)$/,
  ],
  [
    'the permission of a related type is missing, and its relation with it',
    cms => {
      cms.on('/api/categories', failing(403));
      cms.alter('articles', without('category'));
    },
    /^error categories: .*'categories' \(403\)/,
  ],
  [
    'the permission of a type without an address is missing',
    cms => cms.alter('landing', without('countries_list')),
    /^error landing: 'landing' comes without 'countries_list'.* → allow find of Country .*\(every page\)$/,
  ],
  [
    'a collection does not exist',
    cms => cms.on('/api/commerces', failing(404)),
    /^warning commerces: the CMS has no collection 'commerces' \(404\) → create the type/,
  ],
  [
    'a single type was never saved',
    cms => cms.on('/api/landing', failing(404)),
    /^error landing: 'landing' was never saved.* → save and publish 'landing' .*Content Manager → Single Types/,
  ],
  [
    'a single type is saved and not published',
    cms =>
      cms.on('/api/main-page', (req, res) =>
        req.url?.includes('status=draft')
          ? sendJson(res, 200, { data: { id: 1, attributes: {} } })
          : failing(404)(req, res),
      ),
    /^error main-page: 'main-page' is saved and not published.*Main page → Publish \(\/blog\)$/,
  ],
  [
    'a single type has the API ID that Strapi proposes',
    cms => {
      cms.on('/api/settings', failing(404));
      cms.on('/api/setting', { data: { id: 1, attributes: {} } });
    },
    /^error settings: the CMS has 'setting', and the site asks for 'settings' \(404\)/,
  ],
  [
    'a type fails',
    cms => cms.on('/api/authors', failing(500)),
    /^error authors: 'authors' cannot be read: answered 500 .*log of the CMS/,
  ],
  [
    'a required field is missing',
    cms => cms.takeAway('pages', 'title'),
    /^error pages: 'pages' lacks the field 'title' → .*Content-Type Builder → Page → Add another field: title \(Text\)/,
  ],
  [
    'a component lacks a field',
    cms =>
      cms.alter('landing', answer => {
        for (const { attributes } of rowsIn(answer)) delete (attributes.headerBlock as Row).title;
        return answer;
      }),
    /^warning landing: 'landing' lacks the field 'headerBlock.title' → .*headerBlock.title \(Text\)/,
  ],
  [
    'a relation is missing in the type',
    cms => cms.takeAway('articles', 'author'),
    /^warning articles: 'articles' lacks the field 'author' → .*author \(Relation\)/,
  ],
  [
    'fields of a type without entries are missing',
    cms => {
      cms.on('/api/commerces', (req, res) =>
        /\[\d\]=h1/.test(decodeURIComponent(req.url ?? ''))
          ? failing(400, 'Invalid key h1')(req, res)
          : sendJson(res, 200, { data: [], meta: { pagination: { pageCount: 0, total: 0 } } }),
      );
    },
    /^warning commerces: 'commerces' lacks the field 'h1'/,
  ],
  [
    'a body is a dynamic zone',
    cms => cms.alter('articles', set('body', [{ __component: 'shared.quote', id: 1 }])),
    /^error articles: 'articles.body' is a dynamic zone.* → .*Rich text/,
  ],
  [
    'a picture is a text',
    cms => cms.alter('articles', set('cover', '/uploads/cover.svg')),
    /^warning articles: 'articles.cover' is a string.* → .*Media/,
  ],
  [
    'strangers can read drafts',
    cms => cms.alter('articles', asDrafts, isDraft),
    /^warning drafts: everybody can read drafts .* of Article → .*Roles → Public/,
  ],
  [
    'articles have no date',
    cms => cms.alter('articles', set('date', null), query => !query.has('populate[author][populate]')),
    /^warning articles: \d+ of \d+ 'articles' have no date.*Content Manager → Article/,
  ],
  [
    'a page has the address of the site’s own blog',
    cms =>
      cms.alter('pages', answer => {
        const about = rowsIn(answer).find(({ attributes }) => attributes.slug === 'about');
        if (about) about.attributes.slug = 'blog';
        return answer;
      }),
    /^warning pages: the entry '.*' has no page: its address '\/blog' belongs to the site itself.* → .*Page → the entry → slug/,
  ],
  [
    'two entries have one slug',
    cms =>
      cms.alter('commerces', answer => {
        for (const { attributes } of rowsIn(answer).slice(0, 2)) attributes.slug = 'twin';
        return answer;
      }),
    /^warning commerces: the entry '.*' has no page: its address 'twin' shows the entry/,
  ],
  [
    'files cannot be fetched',
    cms => cms.alter('articles', set('cover', { data: file('/uploads/gone.png') })),
    /^error media: the file \/uploads\/gone.png cannot be fetched from .* \(404\)/,
  ],
  [
    'pictures come from an origin that the site does not show',
    cms => cms.alter('articles', set('cover', { data: file('https://cdn.example/a.png') })),
    /^error media: pictures come from https:\/\/cdn.example, .* → set CONTENT_PUBLIC_URL=https:\/\/cdn.example .* MEDIA_ORIGINS/,
  ],
];

describe('the doctor', () => {
  it('finds nothing in a backend that has all that the site needs', async ({ cms, examined }) => {
    const report = await examined();
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ strapi: 5, isReached: true, backend: cms.url });
    expect(report.calls).toBe(cms.calls.length);
    expect(report.calls).toBeLessThanOrEqual(30);
    expect(cms.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('finds nothing in a backend that has JSON in place of components', async ({ cms, examined }) => {
    for (const type of ['landing', 'settings', 'categories']) cms.holdAsJson(type);
    expect((await examined()).findings).toEqual([]);
  });

  it.for(FAULTS)('has one line when %s', async ([_what, inject, line], { cms, examined }) => {
    inject(cms);
    const { findings } = await examined();
    expect(findings.map(lineOf)).toEqual([expect.stringMatching(line)]);
  });

  it('says that the token can read drafts', async ({ cms, examined }) => {
    cms.alter('articles', asDrafts, (query, authorization) => isDraft(query) && authorization !== undefined);
    const { findings } = await examined({ CONTENT_TOKEN: 'a-token' });
    expect(findings.map(lineOf)).toEqual([
      expect.stringMatching(/^warning drafts: CONTENT_TOKEN can read drafts of Article/),
    ]);
  });

  it('says what keeps editors from a preview', async ({ cms, examined }) => {
    const env = { ...PREVIEW_ENV, PREVIEW_FRAME_ORIGINS: cms.url };
    const lines = async (more: Readonly<Record<string, string>> = {}) =>
      (await examined({ ...env, ...more })).findings.map(lineOf);
    expect(await lines()).toEqual([
      expect.stringMatching(
        /^warning preview: PREVIEW_TOKEN cannot read drafts \(answered 403.* → .*API Tokens/,
      ),
    ]);
    // The backend of this file does not know drafts, and gives published pages for them.
    cms.alter('pages', answer => answer);
    expect(await lines()).toEqual([]);
    expect(await lines({ PREVIEW_FRAME_ORIGINS: 'https://elsewhere.example' })).toEqual([
      expect.stringMatching(
        `may not show the preview in its frame → add ${cms.url} to PREVIEW_FRAME_ORIGINS`,
      ),
    ]);
    expect(await lines({ CONTENT_TOKEN: PREVIEW_ENV.PREVIEW_TOKEN })).toEqual([
      expect.stringMatching(/PREVIEW_TOKEN is the same as CONTENT_TOKEN/),
    ]);
  });

  it('finds each field that a type lacks', async ({ cms, examined }) => {
    const { checkFields } = await import('../../server/doctor/check-fields.ts');
    const { examineType } = await import('../../server/doctor/examine-type.ts');
    const { createAsk } = await import('../../server/doctor/ask.ts');
    const { clientOf } = await import('../support/backend-client-test.ts');
    const ask = createAsk({ client: clientOf(cms), concurrency: 1, signal: new AbortController().signal });
    expect((await examined()).findings).toEqual([]);
    for (const [name, type] of namedTypes)
      for (const [field, { orElse }] of Object.entries(type.fields)) {
        // An article without a `date` has the day of its publishing.
        if (orElse) continue;
        cms.reset();
        cms.takeAway(type.path, field);
        const findings = checkFields(await examineType(ask, name, type), new Set());
        expect(findings.map(lineOf), `${type.path}.${field}`).toEqual([
          expect.stringMatching(new RegExp(`'${type.path}' (?:lacks the field|comes without) '${field}'`)),
        ]);
      }
  });
});

describe('a backend that gives no usable answer is one finding', () => {
  it('when nothing answers', async ({ examined }) => {
    const server = createServer();
    const url = await listen(server);
    await close(server);
    const report = await examined({ CONTENT_BASE_URL: url });
    expect(report).toMatchObject({ isReached: false, strapi: null });
    expect(report.findings.map(lineOf)).toEqual([
      expect.stringMatching(
        /^error address: nothing answers at .* \(ECONNREFUSED\) → start the CMS, or set CONTENT_BASE_URL/,
      ),
    ]);
  });

  it('when it hangs', async ({ cms, examined }) => {
    cms.hang();
    const report = await examined({ CONTENT_TIMEOUT_MS: '200' });
    expect(report.findings.map(lineOf)).toEqual([
      expect.stringMatching(/^error address: .* gives no answer within 200 ms/),
    ]);
    expect(report.calls).toBe(1);
  });

  it('when the address is that of the admin panel', async ({ cms, examined }) => {
    for (const type of ALL)
      cms.on(`/admin/api/${type}`, (_req, res) => res.setHeader('Content-Type', 'text/html').end('<html>'));
    const { findings } = await examined({ CONTENT_BASE_URL: `${cms.url}/admin` });
    expect(findings.map(lineOf)).toEqual([
      expect.stringMatching(
        new RegExp(`^error address: .*, but at ${cms.url} → set CONTENT_BASE_URL=${cms.url} and`),
      ),
    ]);
  });

  it('when it redirects, and no credentials go to the other server', async ({ cms, examined }) => {
    const moved = createServer((req, res) => res.writeHead(308, { location: cms.url + req.url }).end());
    const url = await listen(moved);
    try {
      const { findings } = await examined({ CONTENT_BASE_URL: url, CONTENT_TOKEN: 'a-token' });
      expect(findings.map(lineOf)).toEqual([
        expect.stringMatching(new RegExp(`^error address: the CMS is not at ${url} .* but at ${cms.url} `)),
      ]);
      expect(cms.calls.filter(({ headers }) => headers.authorization)).toEqual([]);
    } finally {
      await close(moved);
    }
  });

  it.for([
    [
      401,
      { CONTENT_TOKEN: 'a-token' },
      /^error token: the CMS does not accept CONTENT_TOKEN \(401\).* → .*API Tokens/,
    ],
    [
      403,
      { CONTENT_TOKEN: 'a-token' },
      /^error token: CONTENT_TOKEN may read no type \(403\) → .*API Tokens/,
    ],
    [403, {}, /^error token: .* CONTENT_TOKEN is not set → .*Create new API Token/],
    [404, {}, /^error address: the server at .* has none of the content types \(404\)/],
    [500, {}, /^error address: the CMS fails at every call: answered 500/],
  ] as const)('when it answers %i to everything', async ([status, env, line], { cms, examined }) => {
    onAll(cms, status);
    cms.on(SEND, failing(status));
    const { findings } = await examined(env, { posts: true });
    expect(findings.filter(({ about }) => about !== 'webhook').map(lineOf)).toEqual([
      expect.stringMatching(line),
    ]);
  });
});
