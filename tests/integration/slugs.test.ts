import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { EVERYTHING } from '../../server/cache/tags/invalidation-log.ts';
import { canonicalForm } from '../../shared/routing/canonical-form.ts';
import { pathTo } from '../../shared/routing/routes.ts';
import type { Model, Row } from '../support/editable-backend.ts';
import { inFull, some } from '../support/in-full.ts';
import { h1Of, invalidationTest as it } from '../support/invalidation-test.ts';
import { parsePage } from '../support/parse-page.ts';

const decomposed = (text: string) => text.normalize('NFD');

/** Slugs that differ from their canonical form. */
const SPELLINGS = ['AboutUs', 'ABOUT-2', 'Über-Uns', decomposed('Über-Uns'), decomposed('café'), 'ПРИВЕТ'];

/** Types with slugs, each with the address of an entry. */
const TYPES = [
  ['article', slug => pathTo('blog-article', { category: 'guides', slug }), 'accepting-cards-in-spain'],
  ['category', category => pathTo('blog-category', { category }), 'guides'],
  ['page', slug => pathTo('page', { slug }), 'about'],
  ['business-solution', slug => pathTo('business-solution', { slug }), 'payouts'],
  ['commerce', slug => pathTo('commerce', { slug }), 'online-shops'],
] as const satisfies readonly (readonly [Model, (slug: string) => string, string])[];

let lastId = 1_000;

/** @returns a copy of a row as a new entry with another slug and heading. */
function copyOf(row: Row, slug: string, changes: Record<string, unknown> = {}): Row {
  lastId += 1;
  const attributes = { ...row.attributes, slug, h1: `Heading ${lastId}`, ...changes };
  return { id: lastId, documentId: `copy${lastId}`, attributes };
}

const addressesIn = (xml: string) => Array.from(xml.matchAll(/<loc>([^<]*)/g), ([, url]) => url ?? '');
const isSlugList = (url: string) => url.includes('fields[0]=slug&sort');
const lookups = (url: string) =>
  url.includes('filters[previousSlugs]')
    ? 'former'
    : (/filters\[slug\]\[(\$eqi?)\]/.exec(url)?.[1] ?? (isSlugList(url) ? 'all' : 'list'));

describe.for(TYPES)('an entry of the type %s', ([model, addressOf, sample]) => {
  it.for(some(SPELLINGS, 2))(
    'an entry with the slug %s has one address',
    async (slug, { backend, get, site }) => {
      const row = copyOf(backend.row(model, sample), slug);
      backend.rows(model).push(row);
      site.site.invalidation.remove([EVERYTHING]);
      const address = addressOf(canonicalForm(slug));
      const moved = await get(addressOf(slug));
      expect([moved.status, moved.headers.location]).toEqual([308, address]);
      const answer = await get(address);
      expect([answer.status, h1Of(answer)]).toEqual([200, row.attributes.h1]);
      expect(parsePage(answer.text).canonical).toBe(site.url + address);
      expect(answer.text.includes(encodeURIComponent(slug))).toBe(false);
      expect(answer.text.includes(slug)).toBe(false);
    },
  );

  it('a slug is in its canonical form in sitemap, feed, lists and structured data', async ({
    backend,
    get,
    site,
  }) => {
    for (const slug of SPELLINGS) backend.rows(model).push(copyOf(backend.row(model, sample), slug));
    if (model === 'category') {
      const article = backend.row('article', 'accepting-cards-in-spain');
      for (const category of backend.rows('category').slice(-SPELLINGS.length))
        backend.rows('article').push(copyOf(article, 'moved-in', { category: { data: category } }));
    }
    site.site.invalidation.remove([EVERYTHING]);
    const sitemap = addressesIn((await get('/sitemap.xml')).text);
    for (const slug of SPELLINGS) expect(sitemap).toContain(site.url + addressOf(canonicalForm(slug)));
    expect(sitemap.filter(url => decodeURIComponent(url) !== canonicalForm(decodeURIComponent(url)))).toEqual(
      [],
    );
    const pages = ['/blog', '/blog/feed.xml', '/blog/guides', '/business-solutions', '/commerce'];
    const own = SPELLINGS.map(slug => addressOf(canonicalForm(slug)));
    for (const path of [...pages, ...own, ...own.map(path => `${path}/_payload.json`)]) {
      const { status, text } = await get(path);
      if (!pages.includes(path)) expect([path, status]).toEqual([path, 200]);
      for (const slug of SPELLINGS) {
        expect(text.includes(`/${encodeURIComponent(slug)}`), `${path} links to ${slug}`).toBe(false);
        expect(text.includes(`"${slug}"`), `${path} holds ${slug}`).toBe(false);
      }
    }
  });
});

describe('generated slugs', () => {
  const letters = [...'abzABZ019-_.~äÄéÉñÑøØçÇßẞİıÅǅΣσЖжあ가'];
  const slugs = fc
    .uniqueArray(
      fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 }).map(all => `x${all.join('')}`),
      {
        minLength: 1,
        maxLength: 4,
        selector: canonicalForm,
      },
    )
    .chain(all => fc.tuple(...all.map(slug => fc.constantFrom(slug, slug.normalize('NFD')))));

  it.for(TYPES)(
    'each sitemap address with a generated slug shows its entry: %s',
    async ([model, addressOf, sample], { backend, get, site }) => {
      const rows = backend.rows(model).slice();
      const original = backend.row(model, sample);
      await fc.assert(
        fc.asyncProperty(slugs, fc.boolean(), async (generated, isListedFirst) => {
          const copies = generated.map(slug => ({ slug, row: copyOf(original, slug) }));
          backend.rows(model).splice(0, Number.POSITIVE_INFINITY, ...rows, ...copies.map(({ row }) => row));
          site.site.invalidation.remove([EVERYTHING]);
          const listed = isListedFirst ? addressesIn((await get('/sitemap.xml')).text) : [];
          for (const { slug, row } of copies) {
            const address = addressOf(canonicalForm(slug));
            if (isListedFirst) expect(listed).toContain(site.url + address);
            const answer = await get(address);
            expect([slug, answer.status, h1Of(answer)]).toEqual([slug, 200, row.attributes.h1]);
          }
        }),
        { numRuns: inFull ? 12 : 3 },
      );
    },
  );
});

describe('an address without an entry', () => {
  it('an unknown ASCII address costs two calls, and none while its 404 is fresh', async ({
    backend,
    get,
    site,
  }) => {
    site.site.invalidation.remove([EVERYTHING]);
    await get('/about');
    backend.calls.length = 0;
    const asked = () => backend.callsTo('/api/pages').map(({ url }) => lookups(url));
    expect((await get('/no-such-page')).status).toBe(404);
    expect(asked()).toEqual(['$eq', '$eqi', 'former']);
    expect((await get('/no-such-page')).status).toBe(404);
    expect(asked()).toHaveLength(3);
    expect((await get('/nor-this-page')).status).toBe(404);
    expect(asked().slice(3)).toEqual(['$eq', '$eqi']);
  });

  it('an unknown non-ASCII address reads all slugs once, and again after an event of the type', async ({
    announce,
    backend,
    get,
    site,
  }) => {
    site.site.invalidation.remove([EVERYTHING]);
    await get('/about');
    const asked = async (path: string) => {
      backend.calls.length = 0;
      expect((await get(path)).status).toBe(404);
      return backend.callsTo('/api/pages').map(({ url }) => lookups(url));
    };
    expect(await asked('/%C3%BCber')).toEqual(['$eq', '$eqi', 'all', 'former']);
    expect(await asked('/%C3%BCbel')).toEqual(['$eq', '$eqi']);
    await announce('entry.publish', 'article', backend.row('article', 'accepting-cards-in-spain'));
    expect(await asked('/%C3%BCben')).toEqual(['$eq', '$eqi']);
    await announce('entry.publish', 'page', backend.row('page', 'about'));
    expect(await asked('/%C3%BCbrig')).toEqual(['$eq', '$eqi', 'all', 'former']);
  });

  it('an unknown address is found after the event of its entry', async ({ announce, backend, get }) => {
    expect((await get('/%C3%BCber-uns')).status).toBe(404);
    const row = copyOf(backend.row('page', 'about'), 'Über-Uns');
    backend.rows('page').push(row);
    await announce('entry.publish', 'page', row);
    expect((await get('/%C3%BCber-uns')).status).toBe(200);
  });
});

describe('a spelling that a list has shown', () => {
  it('a spelling known from a list is requested without reading all slugs', async ({
    backend,
    get,
    site,
  }) => {
    backend.rows('page').push(copyOf(backend.row('page', 'about'), decomposed('Tschüß')));
    site.site.invalidation.remove([EVERYTHING]);
    await get('/sitemap.xml');
    backend.calls.length = 0;
    expect((await get(`/${encodeURIComponent('tschüß')}`)).status).toBe(200);
    const asked = backend.callsTo('/api/pages').map(({ url }) => url);
    expect(asked.map(lookups)).toEqual(['$eq', '$eq']);
    expect(asked[1]).toContain(decomposed('Tschüß'));
  });

  it('a slug with spaces around it is found if a list has shown it', async ({ backend, get, site }) => {
    backend.rows('page').push(copyOf(backend.row('page', 'about'), ' spaced '));
    site.site.invalidation.remove([EVERYTHING]);
    expect(addressesIn((await get('/sitemap.xml')).text)).toContain(`${site.url}/spaced`);
    expect((await get('/spaced')).status).toBe(200);
  });
});

describe('the articles of a category', () => {
  it.for(some(SPELLINGS, 2))(
    'articles of a category with the stored slug %s are found',
    async (slug, { backend, get, site }) => {
      backend.row('category', 'guides').attributes.slug = slug;
      site.site.invalidation.remove([EVERYTHING]);
      const category = canonicalForm(slug);
      const answer = await get(pathTo('blog-category', { category }));
      const article = pathTo('blog-article', { category, slug: 'accepting-cards-in-spain' });
      expect(answer.text).toContain(`href="${article}"`);
      expect((await get(article)).status).toBe(200);
    },
  );

  it('articles of a category whose slug has a lone surrogate fail no page', async ({
    backend,
    get,
    site,
  }) => {
    backend.row('category', 'guides').attributes.slug = 'gu\ud800ides';
    site.site.invalidation.remove([EVERYTHING]);
    for (const path of ['/blog', '/sitemap.xml', '/blog/feed.xml'])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  it('articles of a category are found after only the spelling of its slug changed', async ({
    announce,
    backend,
    get,
    site,
  }) => {
    const category = backend.row('category', 'guides');
    for (const slug of ['Guides', 'GUIDES', 'guides', 'gUides']) {
      category.attributes.slug = slug;
      site.site.invalidation.invalidate(['articles']);
      await announce('entry.publish', 'category', category);
      expect((await get('/blog/guides')).text, slug).toContain(
        'href="/blog/guides/accepting-cards-in-spain"',
      );
    }
  });
});

it('a redirect from an address with capitals and accents applies to every spelling', async ({
  backend,
  get,
  site,
}) => {
  const redirect = backend.rows('redirect')[0];
  if (!redirect) throw new Error('There is no recorded redirect');
  backend
    .rows('redirect')
    .push({ ...redirect, id: 99, documentId: 'r99', attributes: { from: '/Über-Alt', to: '/about' } });
  site.site.invalidation.remove([EVERYTHING]);
  for (const path of ['/Über-Alt', '/über-alt', '/ÜBER-ALT', decomposed('/Über-Alt')]) {
    const { status, headers } = await get(encodeURI(path));
    expect([path, status, headers.location]).toEqual([path, 307, '/about']);
  }
});
