import { describe, expect } from 'vitest';
import { article } from '../support/cms-files.ts';
import { type Cms, cmsTest as it, PREVIEW_TOKEN, polled, type Row } from '../support/cms-test.ts';

describe('lists', () => {
  it.for([
    ['filters[slug][$eq]=first', ['first']],
    ['filters[slug]=the-third', ['the-third']],
    ['filters[slug][$eqi]=THE-third', ['the-third']],
    ['filters[category][slug][$eq]=guides&sort[0]=publishedAt:desc', ['the-third', 'second', 'first']],
    ['filters[category][slug][$ne]=guides', ['bare']],
    ['filters[slug][$ne]=first&sort=title', ['bare', 'outside', 'second', 'the-third']],
    ['filters[slug][$in][0]=first&filters[slug][$in][1]=bare&sort=slug', ['bare', 'first']],
    ['filters[h1][$notNull]=true', ['first']],
    [
      'filters[category][slug][$notNull]=true&filters[h1][$notNull]=false&sort=slug',
      ['bare', 'second', 'the-third'],
    ],
    ['filters[category][$notNull]=false', ['outside']],
    ['filters[author][name][$eq]=Jane%20Roe&sort=publishedAt:asc', ['first', 'second', 'outside']],
    ['filters[publishedAt][$lt]=2026-02-01T00:00:00.000Z', ['first']],
    [
      'filters[publishedAt][$gt]=2026-02-01T00:00:00.000Z&filters[publishedAt][$lt]=2026-04-15&sort=date',
      ['the-third', 'bare'],
    ],
    ['sort=publishedAt:desc,title:desc', ['outside', 'bare', 'the-third', 'second', 'first']],
    ['sort[0]=description:desc&sort[1]=title:asc', ['first', 'bare', 'outside', 'second', 'the-third']],
    ['pagination[page]=2&pagination[pageSize]=2&sort=publishedAt', ['the-third', 'bare']],
    ['filters[slug][$eq]=draft', []],
    ['filters[slug][$eq]=draft&status=published', []],
  ] as const)('the embedded backend lists entries: %s', async ([query, expected], { cms }) => {
    expect(await cms.slugs(query)).toEqual(expected);
  });

  it('$eqi ignores the case of ASCII letters only, as in SQLite', async ({ cms }) => {
    const decomposed = 'Über-Uns'.normalize('NFD');
    for (const [file, slug] of Object.entries({ composed: 'Über-Uns', decomposed }))
      await cms.write(
        `articles/${file}.md`,
        article(`title: ${file}\nslug: ${slug}\ncategory: guides\ndate: 2020-01-01`),
      );
    const found = (slug: string) => cms.slugs(`filters[slug][$eqi]=${encodeURIComponent(slug)}`);
    await polled(() => found('Über-Uns')).toEqual(['Über-Uns']);
    expect(await found('ÜBER-UNS')).toEqual(['Über-Uns']);
    expect(await found('über-uns')).toEqual([]);
    await polled(() => found(decomposed.toUpperCase())).toEqual([decomposed]);
    expect(await found(decomposed.toLowerCase())).toEqual([decomposed]);
  });

  it('$in accepts more values than the query parser puts into an array', async ({ cms }) => {
    const values = Array.from({ length: 40 }, (_, index) => `filters[slug][$in][${index}]=x${index}`);
    expect(await cms.slugs([...values, 'filters[slug][$in][40]=first'].join('&'))).toEqual(['first']);
  });

  it('only the token of previews gets drafts', async ({ cms }) => {
    const drafts = '/api/articles?filters[slug]=draft&status=draft';
    expect((await fetch(cms.url + drafts)).status).toBe(403);
    expect((await fetch(cms.url + drafts, { headers: { authorization: 'Bearer x' } })).status).toBe(403);
    const { data } = await cms.get(drafts, { authorization: `Bearer ${PREVIEW_TOKEN}` });
    expect(data).toMatchObject([{ slug: 'draft', publishedAt: null }]);
  });

  it('a row is found by its `id` or its `documentId`', async ({ cms }) => {
    const [row] = (await cms.get('/api/articles?filters[slug]=first')).data;
    expect(await cms.slugs(`filters[id][$eq]=${row?.id}`)).toEqual(['first']);
    expect(await cms.slugs(`filters[documentId][$in][0]=${row?.documentId}`)).toEqual(['first']);
  });

  it('a sorted list breaks ties by id', async ({ cms }) => {
    const ids = (await cms.get('/api/articles?sort[0]=seoTitle:desc&sort[1]=id:desc')).data.map(row =>
      Number(row.id),
    );
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  });

  it('a list has page counts, an empty page past its end, and a maximum page size', async ({ cms }) => {
    expect((await cms.get('/api/articles')).meta.pagination).toEqual({
      page: 1,
      pageSize: 25,
      pageCount: 1,
      total: 5,
    });
    const past = await cms.get('/api/articles?pagination[page]=9&pagination[pageSize]=3');
    expect(past).toEqual({
      data: [],
      meta: { pagination: { page: 9, pageSize: 3, pageCount: 2, total: 5 } },
    });
    expect((await cms.get('/api/articles?pagination[pageSize]=1000')).meta.pagination.pageSize).toBe(100);
    expect(
      (await cms.get('/api/articles?pagination[pageSize]=x&pagination[page]=0')).meta.pagination.page,
    ).toBe(1);
  });

  it('a list without a sort keeps the order of the content', async ({ cms }) => {
    expect((await cms.get('/api/categories')).data.map(row => row.slug)).toEqual(['guides', 'news']);
    expect((await cms.get('/api/redirects')).data.map(row => [row.from, row.statusCode])).toEqual([
      ['/old', 301],
      ['/x', null],
    ]);
  });
});

describe('fields and populate', () => {
  const keys = async (cms: Cms, query: string) =>
    Object.keys((await cms.get(`/api/articles?filters[slug]=first&${query}`)).data[0] ?? {});

  it('a row always has its keys, and otherwise only the requested fields', async ({ cms }) => {
    expect(await keys(cms, 'fields[0]=title&fields[1]=slug')).toEqual(['id', 'documentId', 'title', 'slug']);
    expect(await keys(cms, 'fields=title')).toEqual(['id', 'documentId', 'title']);
  });

  it('a row contains a relation only when it is populated', async ({ cms }) => {
    expect(await keys(cms, '')).not.toContain('cover');
    const links = ['cover', 'seoImage', 'category', 'author'];
    expect((await keys(cms, 'populate=*')).filter(key => links.includes(key))).toEqual(links);
    expect(
      (await keys(cms, 'populate[0]=cover&populate[1]=author')).filter(key => links.includes(key)),
    ).toEqual(['cover', 'author']);
    expect(
      (await keys(cms, 'populate[cover]=true&populate[author]=false')).filter(key => links.includes(key)),
    ).toEqual(['cover']);
  });

  it.for(['populate[author][populate]=image', 'populate[author][populate][image]=true'])(
    'a relation is populated below another relation: %s',
    async (query, { cms }) => {
      const [row] = (await cms.get(`/api/articles?filters[slug]=first&${query}`)).data;
      expect(row?.author).toMatchObject({
        name: 'Jane Roe',
        image: [{ name: 'icon.svg' }, { name: 'icon.png' }],
      });
    },
  );

  it('the fields of a relation can be limited', async ({ cms }) => {
    const [row] = (await cms.get('/api/articles?filters[slug]=first&populate[category][fields][0]=slug'))
      .data;
    expect(Object.keys(row?.category as Row)).toEqual(['id', 'documentId', 'slug']);
    const [star] = (await cms.get('/api/articles?filters[slug]=first&populate[author]=*')).data;
    expect(star?.author).not.toHaveProperty('image');
  });

  it('media have a size, a type, and the alternative text given where they are used', async ({ cms }) => {
    const [row] = (await cms.get('/api/articles?filters[slug]=first&populate[cover]=true')).data;
    expect(row?.cover).toMatchObject({
      alternativeText: 'A card',
      width: 64,
      height: 32,
      mime: 'image/png',
      formats: null,
    });
    expect(row?.cover).toMatchObject({ url: '/uploads/icon.png', ext: '.png', hash: 'icon' });
    await cms.write('pages/box.md', article('title: Box\nseoImage: deep/box.svg#lid'));
    await polled(
      async () => (await cms.get('/api/pages?filters[slug]=box&populate=*')).data[0]?.seoImage,
    ).toMatchObject({ width: 30, height: 10, url: '/uploads/deep/box.svg#lid', mime: 'image/svg+xml' });
  });
});

describe('refusals', () => {
  it.for([
    ['filters[category][nope][$eq]=1', 'filters', 'nope', 'category'],
    ['filters[slug][$nope]=1', 'filters', '$nope', 'slug'],
    ['filters[constructor][$eq]=1', 'filters', 'constructor', null],
    ['sort[0]=nope:desc', 'sort', 'nope', null],
    ['populate[nope]=true', 'populate', 'nope', null],
    ['populate[0]=nope', 'populate', 'nope', null],
    ['populate[author][populate]=nope', 'populate', 'nope', 'author'],
    ['populate[cover]=*', 'populate', '*', 'cover'],
    ['fields[0]=nope', 'fields', 'nope', null],
  ] as const)('the query %s is a ValidationError', async ([query, param, key, path], { cms }) => {
    const response = await fetch(`${cms.url}/api/articles?${query}`);
    const details = { key, path, source: 'query', param };
    const error = { status: 400, name: 'ValidationError', message: `Invalid key ${key}`, details };
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ data: null, error });
  });

  it.for([
    ['POST', '/api/articles', 405],
    ['DELETE', '/api/settings', 405],
    ['GET', '/api/email/send', 405],
    ['POST', '/uploads/icon.svg', 404],
    ['GET', '/api/articles/1', 404],
    ['GET', '/', 404],
  ] as const)('the request %s %s is a %i', async ([method, path, status], { cms }) => {
    const response = await fetch(cms.url + path, { method });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ data: null, error: { status } });
  });

  it('HEAD is answered, with neither ETag nor Cache-Control', async ({ cms }) => {
    const response = await fetch(`${cms.url}/api/articles`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([null, null]);
  });
});
