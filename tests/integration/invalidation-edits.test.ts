import { describe, expect, vi } from 'vitest';
import { cacheStatusOf, FRESH_HIT, STALE_HIT } from '../support/cache-status.ts';
import type { Row } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { h1Of, invalidationTest as it, SPAIN } from '../support/invalidation-test.ts';

describe('an edit', () => {
  it('a published edit is shown by the next request, in page, payload and lists', async ({
    announce,
    backend,
    get,
    getStored,
    shows,
  }) => {
    const row = backend.row('article', 'accepting-cards-in-spain');
    await Promise.all([
      getStored(SPAIN),
      getStored(`${SPAIN}/_payload.json`),
      getStored('/blog'),
      getStored('/blog/guides'),
      getStored('/about'),
    ]);
    row.attributes.h1 = 'Changed by an editor';
    row.attributes.title = 'Changed title';
    await announce('entry.publish', 'article', row);
    expect(h1Of(await get(SPAIN))).toBe('Changed by an editor');
    expect(await shows(`${SPAIN}/_payload.json`, 'Changed by an editor')).toBe(true);
    for (const list of ['/blog', '/blog/guides'])
      expect([list, await shows(list, 'Changed title')]).toEqual([list, true]);
    expect(cacheStatusOf(await get('/about')), 'a page without the article').toMatch(FRESH_HIT);
    expect(cacheStatusOf(await get(SPAIN))).toMatch(FRESH_HIT);
  });

  it('an edit of a draft causes no call to the backend', async ({ announce, backend, get, getStored }) => {
    await getStored(SPAIN);
    const row = backend.row('article', 'accepting-cards-in-spain');
    const draft = { ...row, id: 99, attributes: { ...row.attributes, publishedAt: null } };
    backend.calls.length = 0;
    await announce('entry.update', 'article', draft);
    expect(cacheStatusOf(await get(SPAIN))).toMatch(FRESH_HIT);
    expect(backend.calls).toEqual([]);
  });

  it.for(['entry.unpublish', 'entry.delete'])(
    'the event %s removes the page at once, also from lists',
    async (event, { announce, backend, get, getStored, shows }) => {
      const title = 'Ten questions about chargebacks';
      const path = '/blog/guides/ten-questions-about-chargebacks';
      await Promise.all([getStored(path), getStored(`${path}/_payload.json`), getStored('/blog/guides')]);
      const row = backend.row('article', 'ten-questions-about-chargebacks');
      backend.rows('article').splice(backend.rows('article').indexOf(row), 1);
      await announce(event, 'article', row);
      expect((await get(path)).status).toBe(404);
      expect((await get(`${path}/_payload.json`)).json()).toMatchObject({ error: { statusCode: 404 } });
      expect(await shows('/blog/guides', title)).toBe(false);
    },
  );

  it('entry.unpublish removes the page even while the backend fails', async ({
    announce,
    backend,
    get,
    getStored,
  }) => {
    await getStored('/terms');
    backend.on('/api/pages', failing(500));
    await announce('entry.unpublish', 'page', backend.row('page', 'terms'));
    expect((await get('/terms')).status).toBe(503);
    expect((await get('/terms/_payload.json')).status).toBe(503);
  });

  it('an edit published during an outage is shown afterwards, and the old page is stale until then', async ({
    announce,
    backend,
    get,
    getStored,
  }) => {
    await getStored('/terms');
    backend.on('/api/pages', failing(500));
    const row = backend.row('page', 'terms');
    row.attributes.h1 = 'New terms';
    await announce('entry.publish', 'page', row);
    const stale = await get('/terms');
    expect([stale.status, h1Of(stale)]).toEqual([200, 'Terms of use']);
    expect(cacheStatusOf(stale)).toMatch(STALE_HIT);
    backend.on('/api/pages', (_req, res) =>
      res
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify(backend.answerNow('page', 'filters[slug][$eq]=terms'))),
    );
    await eventually(async () => expect(h1Of(await get('/terms'))).toBe('New terms'));
    expect(cacheStatusOf(await get('/terms'))).toMatch(FRESH_HIT);
  });

  it('a new page replaces the stored 404 of its address at once', async ({ announce, backend, get }) => {
    expect((await get('/brand-new')).status).toBe(404);
    const about = backend.row('page', 'about');
    const row: Row = {
      ...{ id: 77, documentId: 'brandnew' },
      attributes: { ...about.attributes, slug: 'brand-new', h1: 'Brand new' },
    };
    backend.rows('page').push(row);
    await announce('entry.publish', 'page', row);
    const answer = await get('/brand-new');
    expect([answer.status, h1Of(answer)]).toEqual([200, 'Brand new']);
  });

  it('a changed slug moves the page, and the old address gives a 404', async ({
    announce,
    backend,
    get,
    getStored,
  }) => {
    await getStored('/about');
    expect((await get('/about-us')).status).toBe(404);
    const row = backend.row('page', 'about');
    row.attributes.slug = 'about-us';
    row.id += 1;
    await announce('entry.publish', 'page', row);
    expect((await get('/about-us')).status).toBe(200);
    expect((await get('/about')).status).toBe(404);
  });

  it('a renamed category shows its name on its articles, and its old slug redirects', async ({
    announce,
    backend,
    get,
    getStored,
    shows,
  }) => {
    await Promise.all([getStored(SPAIN), getStored('/blog/guides'), getStored('/blog')]);
    const row = backend.row('category', 'guides');
    row.attributes.name = 'Handbooks';
    await announce('entry.update', 'category', row);
    for (const path of [SPAIN, '/blog']) expect([path, await shows(path, 'Handbooks')]).toEqual([path, true]);

    row.attributes.slug = 'handbooks';
    await announce('entry.update', 'category', row);
    const moved = await get(SPAIN);
    expect([moved.status, moved.headers.location]).toEqual([308, SPAIN.replace('guides', 'handbooks')]);
    expect((await get(String(moved.headers.location))).status).toBe(200);
  });

  it('an edit of the settings is shown on each page', async ({ announce, backend, getStored, shows }) => {
    const paths = ['/', '/about', '/blog', '/blog/guides', SPAIN];
    const known = await Promise.all(paths.map(path => getStored(path).then(({ status }) => status)));
    expect(new Set(known)).toEqual(new Set([200]));
    const row: Row = {
      ...{ id: 1, documentId: 'settings' },
      attributes: {
        headerLinks: [{ title: 'A new link', href: '/about' }],
        footerLinks: [],
        socials: [],
        customCss: [],
        scripts: [],
      },
    };
    backend.on('/api/settings', { data: row, meta: {} });
    await announce('entry.update', 'settings', row);
    for (const path of paths) expect([path, await shows(path, 'A new link')]).toEqual([path, true]);
  });

  it('a new redirect replaces a stored page, and its deletion brings the page back', async ({
    announce,
    backend,
    get,
    getStored,
  }) => {
    await getStored('/terms');
    const row: Row = {
      ...{ id: 50, documentId: 'newredirect' },
      attributes: { from: '/terms', to: '/about', statusCode: 302 },
    };
    backend.rows('redirect').push(row);
    await announce('entry.create', 'redirect', row);
    const moved = await get('/terms');
    expect([moved.status, moved.headers.location]).toEqual([302, '/about']);
    backend.rows('redirect').pop();
    await announce('entry.delete', 'redirect', row);
    expect((await get('/terms')).status).toBe(200);
  });

  it('an edit published during a render is in the response to the next request', async ({
    announce,
    backend,
    get,
    shows,
    site,
  }) => {
    const row = backend.row('page', 'cookies');
    const held = heldAnswer(backend.answerNow('page', 'filters[slug][$eq]=cookies'));
    backend.on('/api/pages', held.behaviour);
    const revalidate = vi.spyOn(site.site.pages, 'revalidate');
    const early = get('/cookies');
    await eventually(() => expect(held.waiting()).toBe(1));
    row.attributes.title = 'New cookies';
    backend.on('/api/pages', backend.answerNow('page', 'filters[slug][$eq]=cookies'));
    await announce('entry.publish', 'page', row);
    const late = get('/cookies');
    await eventually(() => expect(revalidate).toHaveBeenCalledTimes(2));
    revalidate.mockRestore();
    held.release();
    expect((await early).text.includes('New cookies')).toBe(false);
    expect((await late).text.includes('New cookies')).toBe(true);
    expect(await shows('/cookies', 'New cookies')).toBe(true);
  });
});
