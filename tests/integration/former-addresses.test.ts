import { describe, expect } from 'vitest';
import { pathTo } from '../../shared/routing/routes.ts';
import { cmsTest } from '../support/cms-test.ts';
import type { EditableBackend, Model, Row } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { invalidationTest as it } from '../support/invalidation-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

type Announce = (event: string, model: Model, row: Row) => Promise<void>;

/** Each type with pages: the address of a slug, and a recorded entry. */
const TYPES = [
  ['article', slug => pathTo('blog-article', { category: 'guides', slug }), 'accepting-cards-in-spain'],
  ['category', slug => pathTo('blog-category', { category: slug }), 'news'],
  ['page', slug => pathTo('page', { slug }), 'about'],
  ['business-solution', slug => pathTo('business-solution', { slug }), 'payouts'],
  ['commerce', slug => pathTo('commerce', { slug }), 'online-shops'],
] as const satisfies readonly (readonly [Model, (slug: string) => string, string])[];
const [ARTICLE, , PAGE] = TYPES;
const asksForThem = ({ url }: { url: string }) => url.includes('previousSlugs');

describe.for(TYPES)('a renamed %s', ([model, addressOf, slug]) => {
  it('a renamed entry is found at its former addresses while the content lists them', async ({
    backend,
    get,
    announce,
  }) => {
    const row = backend.row(model, slug);
    expect((await get(addressOf(slug))).status).toBe(200);
    Object.assign(row.attributes, { slug: 'renamed', previousSlugs: `first-name\n\n ${slug} \nrenamed` });
    await announce('entry.publish', model, row);
    expect((await get(addressOf('renamed'))).status).toBe(200);
    expect(backend.calls.filter(asksForThem), 'pages that exist need no such call').toEqual([]);
    for (const former of [slug, 'first-name']) {
      const { status, headers } = await get(`${addressOf(former)}?from=mail`);
      expect([status, headers.location]).toEqual([308, `${addressOf('renamed')}?from=mail`]);
    }
    const payload = await get(`${addressOf(slug)}/_payload.json`);
    const redirect = { to: addressOf('renamed'), statusCode: 308, external: false };
    expect([payload.status, payload.json<object>()]).toMatchObject([200, { redirect }]);
    expect((await get(addressOf('made-up'))).status).toBe(404);

    Object.assign(row.attributes, { previousSlugs: 'first-name' });
    await announce('entry.publish', model, row);
    await eventually(async () => expect((await get(addressOf(slug))).status).toBe(404));
  });

  it('a former address belongs to the entry that uses it now', async ({ backend, get, announce }) => {
    const [other] = backend.rows(model).filter(({ attributes }) => attributes.slug !== slug);
    if (!other) throw new Error(`There is one ${model} alone`);
    const otherSlug = String(other.attributes.slug);
    // The two entries have exchanged their slugs.
    Object.assign(other.attributes, { previousSlugs: slug });
    Object.assign(backend.row(model, slug).attributes, { previousSlugs: otherSlug });
    await announce('entry.publish', model, other);
    expect((await get(addressOf(slug))).status).toBe(200);
  });
});

describe('a redirect to a former address', () => {
  const rename = async (
    backend: EditableBackend,
    announce: Announce,
    model: Model,
    from: string,
    to: string,
  ) => {
    const row = backend.row(model, from);
    Object.assign(row.attributes, { slug: to, previousSlugs: from });
    await announce('entry.publish', model, row);
  };
  const redirectTo = async (backend: EditableBackend, announce: Announce, from: string, to: string) => {
    const updatedAt = new Date().toISOString();
    const row = {
      id: 900,
      documentId: `row ${from} ${to}`,
      attributes: { from, to, statusCode: 301, updatedAt },
    };
    backend.rows('redirect').push(row);
    await announce('entry.create', 'redirect', row);
  };
  const lossesIn = ({ log }: Pick<RunningSite, 'log'>) =>
    log.filter(({ code }) => code === 'content-redirect-left-out').map(({ reason }) => String(reason));

  it.for(TYPES)(
    'a redirect from the new address of a %s to its former one is ignored and logged',
    async ([model, addressOf, slug], { backend, get, announce, site }) => {
      await redirectTo(backend, announce, addressOf('renamed'), addressOf(slug));
      await eventually(async () => expect((await get(addressOf('renamed'))).status).toBe(301));
      await rename(backend, announce, model, slug, 'renamed');
      await eventually(async () => expect((await get(addressOf('renamed'))).status).toBe(200));
      const former = await get(addressOf(slug));
      expect([former.status, former.headers.location]).toEqual([308, addressOf('renamed')]);
      const payload = (await get(`${addressOf('renamed')}/_payload.json`)).json<{ redirect?: unknown }>();
      expect(payload.redirect).toBeUndefined();
      await get(`${addressOf('renamed')}?again=1`);
      const lines = lossesIn(site).filter(reason => reason.startsWith(`${addressOf('renamed')}: `));
      expect(lines).toEqual([
        `${addressOf('renamed')}: it leads to ${addressOf(slug)}, the former address of the entry that has ${addressOf('renamed')} now, so the row is left out. Delete the row, or the last part of ${addressOf(slug)} in 'Former addresses' of the entry`,
      ]);
    },
  );

  it('a redirect to a former address works from another path, or once an entry uses the address again', async ({
    backend,
    get,
    announce,
    site,
  }) => {
    const before = site.log.length;
    await rename(backend, announce, 'page', 'about', 'renamed');
    await redirectTo(backend, announce, '/renamed', '/terms');
    await redirectTo(backend, announce, '/other', '/about');
    await eventually(async () => expect((await get('/other')).headers.location).toBe('/about'));
    expect((await get('/renamed')).headers.location).toBe('/terms');
    expect((await get('/about')).headers.location).toBe('/renamed');
    // A new page gets the former address.
    await rename(backend, announce, 'page', 'terms', 'about');
    const rows = backend.rows('redirect');
    rows.splice(0, rows.length, ...rows.filter(({ attributes }) => attributes.from !== '/renamed'));
    await redirectTo(backend, announce, '/renamed', '/about');
    await eventually(async () => expect((await get('/renamed')).headers.location).toBe('/about'));
    expect((await get('/about')).status).toBe(200);
    expect(lossesIn({ log: site.log.slice(before) })).toEqual([]);
  });
});

describe('former addresses', () => {
  it('former addresses are read once for many unknown addresses', async ({ backend, get }) => {
    const [, addressOf] = PAGE;
    for (const index of Array.from({ length: 12 }).keys())
      expect((await get(addressOf(`unknown-${index}`))).status).toBe(404);
    expect(backend.callsTo('/api/pages').filter(asksForThem).length).toBeLessThanOrEqual(1);
  });

  it('no former address redirects to an article without an address', async ({ backend, get, announce }) => {
    const [model, addressOf, slug] = ARTICLE;
    const row = backend.row(model, slug);
    Object.assign(row.attributes, { slug: 'renamed', previousSlugs: slug, category: { data: null } });
    await announce('entry.publish', model, row);
    expect((await get(addressOf(slug))).status).toBe(404);
  });

  it.for([
    ['does not know them', failing(400, 'Invalid key previousSlugs'), 1],
    ['fails', failing(500), 0],
  ] as const)('former addresses are optional: the backend %s', async ([, refusal, lines], { backend }) => {
    const [model, addressOf] = ARTICLE;
    const answer = (search: string) => backend.answerNow(model, search);
    backend.on('/api/articles', (req, res) => {
      const { search } = new URL(req.url ?? '/', 'http://backend');
      if (search.includes('previousSlugs') && typeof refusal === 'function') return refusal(req, res);
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer(search)));
    });
    const site = await startSite({ contentBaseUrl: backend.url });
    try {
      expect((await fetch(site.url + addressOf('unknown'))).status).toBe(404);
      const absent = site.log.filter(
        ({ code, field }) => code === 'content-field-absent' && field === 'previousSlugs',
      );
      expect(absent).toHaveLength(lines);
    } finally {
      await site.close();
    }
  });

  cmsTest('the embedded backend accepts former addresses as lines or as a list', async ({ cms }) => {
    await cms.write('pages/lines.md', '---\ntitle: A\npreviousSlugs: |\n  one\n  two\n---\n');
    await cms.write('pages/list.md', '---\ntitle: B\npreviousSlugs: [three]\n---\n');
    const site = await startSite({ contentBaseUrl: cms.url });
    try {
      for (const [former, now] of [
        ['/two', '/lines'],
        ['/three', '/list'],
      ] as const) {
        const { status, headers } = await fetch(site.url + former, { redirect: 'manual' });
        expect([status, headers.get('location')]).toEqual([308, now]);
      }
      const { data } = await cms.get('/api/pages?filters[previousSlugs][$notNull]=true&fields[0]=slug');
      expect(data.map(({ slug }) => slug)).toEqual(['lines', 'list']);
    } finally {
      await site.close();
    }
  });
});

describe('the field `order`', () => {
  it('the field `order` sorts categories, and entries without it come last', async ({
    backend,
    get,
    announce,
  }) => {
    const shown = async () =>
      parsePage((await get('/blog')).text).data?.payload.data.shell?.categories.map(({ slug }) => slug);
    const before = await shown();
    const [first, ...others] = backend.rows('category');
    if (!first) throw new Error('There are no categories');
    for (const [index, { attributes }] of others.entries()) attributes.order = 10 - index;
    await announce('entry.update', 'category', first);
    expect(before).toEqual([first, ...others].map(({ attributes }) => attributes.slug));
    expect(await shown()).toEqual([...others.reverse(), first].map(({ attributes }) => attributes.slug));
  });

  it('an event about a changed `order` reorders the cards of a list', async ({ backend, get, announce }) => {
    const page = structuredClone(backend.row('page', 'about'));
    Object.assign(page, { id: 9_001, documentId: 'listing' });
    page.attributes.slug = 'business-solutions';
    backend.rows('page').push(page);
    const links = async () =>
      [...(await get('/business-solutions')).text.matchAll(/<main.*?<\/main>/gs)]
        .flatMap(([main]) =>
          [...main.matchAll(/href="\/business-solutions\/([\w-]+)"/g)].map(([, slug]) => slug),
        )
        .filter((slug, at, all) => all.indexOf(slug) === at);
    const rows = backend.rows('business-solution');
    // Strapi 4 has a constant key for each entry, which shows the site that no visible field has changed.
    for (const row of rows) Reflect.deleteProperty(row, 'documentId');
    const slugs = rows.map(({ attributes }) => attributes.slug);
    expect(slugs.length).toBeGreaterThan(1);
    expect(await links()).toEqual(slugs);
    expect((await get(`/business-solutions/${slugs.at(-1)}`)).status).toBe(200);
    for (const [index, row] of rows.entries()) row.attributes.order = -index;
    const last = rows.at(-1);
    if (last) await announce('entry.publish', 'business-solution', last);
    expect(await links()).toEqual(slugs.toReversed());
  });
});
