import { describe, expect } from 'vitest';
import type { FindingCode } from '../../server/doctor/finding.ts';
import { namedTypes } from '../../server/wire/described-types.ts';
import { entryTypes } from '../../shared/content/entries.ts';
import {
  asDrafts,
  type CmsAnswer,
  isDraft,
  doctorTest as it,
  lineOf,
  rowsIn,
  type SickCms,
  without,
} from '../support/doctor-test.ts';
import { failing, sendJson } from '../support/fake-backend.ts';

const withRedirect = (attributes: Row) => (answer: CmsAnswer) => {
  const rows = rowsIn(answer);
  return { ...answer, data: [...rows, { id: 900, documentId: 'a-redirect', attributes }] };
};
/** Adds a former slug to the entry with this slug. */
const renamed = (slug: string, former: string) => (answer: CmsAnswer) => {
  for (const { attributes } of rowsIn(answer))
    if (attributes.slug === slug) attributes.previousSlugs = former;
  return answer;
};
/** Renames an entry in a list so long that the doctor needs an extra call to find it. */
const renamedInLongList = (slug: string, former: string) => (answer: CmsAnswer, query: URLSearchParams) => {
  if (query.has('filters[slug][$eq]')) return { ...answer, data: [] };
  if (!query.has('filters[previousSlugs][$notNull]'))
    return { ...answer, meta: { pagination: { pageCount: 99 } } };
  const row = { id: 901, documentId: 'a-page', attributes: { slug, previousSlugs: former } };
  return { ...answer, data: [row] };
};

/** A fault of the backend, and the only finding that it must cause. */
type Fault = [code: FindingCode, what: string, inject: (cms: SickCms) => void, line: RegExp];

type Row = Record<string, unknown>;
const set = (field: string, value: unknown) => (answer: CmsAnswer) => {
  for (const { attributes } of rowsIn(answer)) attributes[field] = value;
  return answer;
};
/** A picture that the backend serves. */
const shelf = (attributes: object) => ({
  id: 1,
  attributes: { url: '/uploads/ceramics-shelf.jpg', mime: 'image/jpeg', height: 200, ...attributes },
});
const file = (url: string) => ({ id: 1, attributes: { url, mime: 'image/png', alternativeText: 'A' } });

const FAULTS: Fault[] = [
  [
    'accent-unused',
    'the accent colour is too pale for texts',
    cms => cms.alter('settings', set('accentColor', '#ffd400')),
    /^warning settings: the accent colour '#ffd400' .*contrast on light surfaces is 1\.\d+:1, .*→ Accent colour/,
  ],
  [
    'type-forbidden',
    'a permission is missing',
    cms => cms.on('/api/pages', failing(403)),
    /^error pages: the site may not read “Page” \(\/api\/pages\): the CMS answers 403 → .*Roles → Public → Page → allow find \(\/:slug, \/business-solutions\/:slug, \/commerce\/:slug(?:, [^)]*)?\)$/,
  ],
  [
    'type-forbidden',
    'the permission of a related type is missing, and its relation with it',
    cms => {
      cms.on('/api/categories', failing(403));
      cms.alter('articles', without('category'));
    },
    /^error categories: .* “Blog category” \(\/api\/categories\): .*403 → .* → Category → allow find/,
  ],
  [
    'relation-forbidden',
    'the permission of a type without an address is missing',
    cms => cms.alter('landing', without('countries_list')),
    /^error landing: “Home page” .* comes without 'countries_list': the site may not read “Country” → .* → Country → allow find \(\/\)$/,
  ],
  [
    'type-absent',
    'a collection does not exist',
    cms => cms.on('/api/commerces', failing(404)),
    /^warning commerces: the CMS has no type “Commerce page” .*404 → create the type with the API ID 'commerce'/,
  ],
  [
    'single-type-unsaved',
    'a single type was never saved',
    cms => cms.on('/api/landing', failing(404)),
    /^error landing: “Home page” .* was never saved.* → .*Content Manager → Single Types → Home page → save it.*\(\/, and the links of the subscribe block on every page\)$/,
  ],
  [
    'single-type-unpublished',
    'a single type is saved and not published',
    cms =>
      cms.on('/api/main-page', (req, res) =>
        req.url?.includes('status=draft')
          ? sendJson(res, 200, { data: { id: 1, attributes: {} } })
          : failing(404)(req, res),
      ),
    /^error main-page: “Blog start page” .* is saved and not published.*→ Blog start page → Publish \(\/blog\)$/,
  ],
  [
    'single-type-of-another-name',
    'a single type has the API ID that Strapi proposes',
    cms => {
      cms.on('/api/settings', failing(404));
      cms.on('/api/setting', { data: { id: 1, attributes: {} } });
    },
    /^error settings: the CMS has \/api\/setting, and the site asks for “Site settings” \(\/api\/settings\) \(404\)/,
  ],
  [
    'type-failing',
    'a type fails',
    cms => cms.on('/api/authors', failing(500)),
    /^error authors: “Author” .* cannot be read: answered 500 .*log of the CMS/,
  ],
  [
    'needed-field-absent',
    'a required field is missing',
    cms => cms.takeAway('pages', 'title'),
    /^error pages: “Page” .* lacks the field 'title' → .*Content-Type Builder → Page → Add another field: title \(Text\)/,
  ],
  [
    'field-absent',
    'a component lacks a field',
    cms =>
      cms.alter('landing', answer => {
        for (const { attributes } of rowsIn(answer)) delete (attributes.headerBlock as Row).title;
        return answer;
      }),
    /^warning landing: “Home page” .* lacks the field 'headerBlock.title' → .*Components → First block → Add another field: title \(Text\) \(\/\)$/,
  ],
  [
    'field-empty',
    'the settings have no name of the site',
    cms => cms.alter('settings', set('siteName', ' ')),
    /^error settings: the field 'siteName' of “Site settings” .* is empty: pages name the host .* → .*Content Manager → Site settings: fill in 'siteName'/,
  ],
  [
    'needed-field-absent',
    'the settings lack the field for the name of the site',
    cms => cms.alter('settings', without('siteName')),
    /^error settings: “Site settings” .* lacks the field 'siteName' → /,
  ],
  [
    'field-absent',
    'a relation is missing in the type',
    cms => cms.takeAway('articles', 'author'),
    /^warning articles: “Article” .* lacks the field 'author' → .*author \(Relation to one “Author”\)/,
  ],
  [
    'field-absent',
    'fields of a type without entries are missing',
    cms => {
      cms.on('/api/commerces', (req, res) =>
        /\[\d\]=h1/.test(decodeURIComponent(req.url ?? ''))
          ? failing(400, 'Invalid key h1')(req, res)
          : sendJson(res, 200, { data: [], meta: { pagination: { pageCount: 0, total: 0 } } }),
      );
    },
    /^warning commerces: “Commerce page” .* lacks the field 'h1'/,
  ],
  [
    'section-unknown',
    'a dynamic zone has sections of an unknown kind',
    cms =>
      cms.alter(
        'articles',
        set('sections', [
          { __component: 'shared.quote', id: 1 },
          { __component: 'shared.chart', id: 1 },
        ]),
      ),
    /^warning articles: the dynamic zone 'sections' of “Article” .* does not know: shared.chart → /,
  ],
  [
    'field-of-another-kind',
    'a picture is a text',
    cms => cms.alter('articles', set('cover', '/uploads/cover.svg')),
    /^warning articles: the field 'cover' of “Article” .* is a string.* → .*Media/,
  ],
  [
    'drafts-open-to-strangers',
    'strangers can read drafts',
    cms => cms.alter('articles', asDrafts, isDraft),
    /^warning drafts: everybody can read drafts .* of Article → .*Roles → Public/,
  ],
  [
    'date-absent',
    'articles have no date',
    cms => cms.alter('articles', set('date', null), query => !query.has('populate[author][populate]')),
    /^warning articles: \d+ of \d+ entries of “Article” .* have no date.*Content Manager → Article/,
  ],
  [
    'slug-reserved',
    'a page has the address of the site’s own blog',
    cms =>
      cms.alter('pages', answer => {
        const about = rowsIn(answer).find(({ attributes }) => attributes.slug === 'about');
        if (about) about.attributes.slug = 'blog';
        return answer;
      }),
    /^error pages: the entry '.*' of “Page” .* has no page: its address '\/blog' belongs to the site itself.* → .*Page → the entry → Address \(slug\)/,
  ],
  [
    'slug-clash',
    'two entries have one slug',
    cms =>
      cms.alter('commerces', answer => {
        for (const { attributes } of rowsIn(answer).slice(0, 2)) attributes.slug = 'twin';
        return answer;
      }),
    /^warning commerces: the entry '.*' of “Commerce page” .* has no page: its address 'twin' shows the entry/,
  ],
  [
    'category-absent',
    'an article has no category',
    cms =>
      cms.alter('articles', answer => {
        const [first] = rowsIn(answer);
        if (first && 'category' in first.attributes) first.attributes.category = { data: null };
        return answer;
      }),
    /^warning articles: 1 of \d+ entries of “Article” .* have no category, so they have no address and are not shown: '[\w-]+' → .*Article → the entry → Category/,
  ],
  [
    'redirect-idle',
    'a redirect has no target',
    cms => cms.alter('redirects', withRedirect({ from: '/nowhere', to: '', statusCode: 301 })),
    /^warning redirects: the redirect of \/nowhere does nothing: 'to' is empty, .* → .*Content Manager → Redirect → \/nowhere → correct or delete it \(\/nowhere\)$/,
  ],
  [
    'redirect-leads-back',
    'a redirect leads to the former address of the entry that has its own address now',
    cms => {
      cms.alter('redirects', withRedirect({ from: '/about', to: '/who-we-are', statusCode: 301 }));
      cms.alter('pages', renamed('about', 'who-we-are'));
    },
    /^warning redirects: the redirect of \/about is left out: it leads to \/who-we-are, the former address of the entry that has \/about now → .*Redirect → \/about → delete it; or .*Page → .*Former addresses → remove 'who-we-are' \(\/about\)$/,
  ],
  [
    'redirect-leads-back',
    'a redirect leads to a former address, and the list of pages is long',
    cms => {
      cms.alter('redirects', withRedirect({ from: '/about', to: '/who-we-are', statusCode: 301 }));
      cms.alter('pages', renamedInLongList('about', 'who-we-are'));
    },
    /^warning redirects: the redirect of \/about is left out/,
  ],
  [
    'alternative-text-absent',
    'pictures have no alternative text',
    cms => cms.alter('articles', set('cover', { data: shelf({ alternativeText: null, width: 1_200 }) })),
    /^warning articles: \d+ pictures \(Cover\) of “Article” .* have no alternative text: '[\w-]+', .* …/,
  ],
  [
    'picture-small',
    'pictures are smaller than their place',
    cms => cms.alter('articles', set('cover', { data: shelf({ alternativeText: 'A', width: 300 }) })),
    /^warning articles: \d+ pictures .* smaller than their place of 800 pixels in width: '[\w-]+: 300 × 200'/,
  ],
  [
    'media-unreachable',
    'files cannot be fetched',
    cms => cms.alter('articles', set('cover', { data: file('/uploads/gone.png') })),
    /^error media: the file \/uploads\/gone.png cannot be fetched from .* \(404\)/,
  ],
  [
    'media-origin-refused',
    'pictures come from an origin that the site does not show',
    cms => cms.alter('articles', set('cover', { data: file('https://cdn.example/a.png') })),
    /^error media: pictures come from https:\/\/cdn.example, .* → set CONTENT_PUBLIC_URL=https:\/\/cdn.example .* MEDIA_ORIGINS/,
  ],
];

describe('the doctor', () => {
  it('the doctor finds nothing in a complete backend', async ({ cms, examined }) => {
    const report = await examined();
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ strapi: 5, isReached: true, backend: cms.url });
    expect(report.calls).toBe(cms.calls.length);
    // Each type with pages needs three calls.
    expect(report.calls).toBeLessThanOrEqual(15 + 3 * entryTypes.length);
    expect(cms.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('the doctor finds nothing in a backend with JSON in place of components', async ({ cms, examined }) => {
    for (const type of ['landing', 'settings', 'categories']) cms.holdAsJson(type);
    expect((await examined()).findings).toEqual([]);
  });

  it('the doctor reports an unencrypted address outside this machine', async ({ examined }) => {
    const { findings } = await examined({ PUBLIC_URL: 'http://www.example.com', TRUST_PROXY: '1' });
    expect(findings.map(lineOf)).toEqual([
      expect.stringMatching(/^warning connections: PUBLIC_URL: http:\/\/www\.example\.com is not encrypted/),
    ]);
  });

  it.for(FAULTS)('the doctor finds %s when %s', async ([code, _what, inject, line], { cms, examined }) => {
    inject(cms);
    const { findings } = await examined();
    expect(findings.map(finding => finding.code)).toEqual([code]);
    expect(findings.map(lineOf)).toEqual([expect.stringMatching(line)]);
  });

  it.for([
    ['categories', '/blog/', ['authors', 'tags', 'archive']],
    ['pages', '/', ['search', 'subscribe', 'vitals']],
    ['pages', '/', ['livez', 'healthz', 'readyz']],
  ] as const)(
    'the doctor reports %s whose slugs below %s are addresses of the site itself: %s',
    async ([type, above, slugs], { cms, examined }) => {
      cms.alter(type, answer => {
        for (const [at, slug] of slugs.entries()) {
          const row = rowsIn(answer)[at];
          if (row) row.attributes.slug = slug;
        }
        return answer;
      });
      const { findings } = await examined();
      expect(findings.map(lineOf)).toEqual(
        slugs.map(slug =>
          expect.stringContaining(`has no page: its address '${above}${slug}' belongs to the site`),
        ),
      );
      expect(findings.map(({ severity, about }) => [severity, about])).toEqual(
        slugs.map(() => ['error', type]),
      );
    },
  );

  it('the doctor warns when the token can read drafts', async ({ cms, examined }) => {
    cms.alter('articles', asDrafts, (query, authorization) => isDraft(query) && authorization !== undefined);
    const { findings } = await examined({ CONTENT_TOKEN: 'a-token' });
    expect(findings.map(lineOf)).toEqual([
      expect.stringMatching(/^warning drafts: CONTENT_TOKEN can read drafts of Article/),
    ]);
  });

  it('the doctor finds each field that a type lacks', async ({ cms, examined }) => {
    const { checkFields } = await import('../../server/doctor/check-fields.ts');
    const { examineType } = await import('../../server/doctor/examine-type.ts');
    const { createAsk } = await import('../../server/doctor/ask.ts');
    const { clientOf } = await import('../support/backend-client-test.ts');
    const ask = createAsk({ client: clientOf(cms), concurrency: 1, signal: new AbortController().signal });
    expect((await examined()).findings).toEqual([]);
    for (const [name, type] of namedTypes)
      for (const field of Object.keys(type.fields)) {
        cms.reset();
        cms.takeAway(type.path, field);
        const findings = checkFields(await examineType(ask, name, type), new Set());
        expect(findings.map(lineOf), `${type.path}.${field}`).toEqual([
          expect.stringMatching(
            new RegExp(`\\(/api/${type.path}\\) (?:lacks the field|comes without) '${field}'`),
          ),
        ]);
      }
  });
});
