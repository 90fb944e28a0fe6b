import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type EmbeddedBackend,
  startEmbeddedBackend,
} from '../../server/backend/embedded/start-embedded-backend.ts';

const here = dirname(fileURLToPath(import.meta.url));
const CAPTURES = join(here, '../captures');
const SAMPLE = join(here, '../../content');

type Row = Record<string, unknown>;
interface Answer {
  data: Row[];
  meta: { pagination: { page: number; pageSize: number; pageCount: number; total: number } };
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"></svg>';
const PNG_HEADER = Buffer.from('89504e470d0a1a0a0000000d494844520000004000000020', 'hex');

const article = (front: string, body = '## Head\n\nText.') => `---\n${front}\n---\n\n${body}\n`;
const questions = [{ question: 'How long?', answer: 'A day.' }];

/** Small content in which each type has a full entry and, where the captures have one, a bare one. */
const FILES: Record<string, string | Buffer> = {
  'settings.json': JSON.stringify({
    siteName: 'Test',
    headerLinks: [],
    footerLinks: [],
    socials: [],
    customCss: ['custom.css'],
    scripts: ['widget.js'],
  }),
  'landing.json': JSON.stringify({
    title: 'Landing',
    faqBlockContent: '### More',
    schema1: { '@type': 'Organization' },
    block1Icons: ['icon.svg', { file: 'icon.png', alt: 'Card' }],
    countries_list: [
      { name: 'spain', title: 'Spain', link: '/spain', image: 'icon.svg' },
      { name: 'chile', title: 'Chile', link: null, image: null },
    ],
    paymentBlockImages: [
      { name: 'visa', title: 'Visa', image: 'icon.svg' },
      { name: 'cash', title: null, image: null },
    ],
  }),
  'main-page.json': JSON.stringify({ title: 'Blog', description: 'News.', h1: 'Blog', questions }),
  'socials.json': JSON.stringify([{ link: 'https://a.example.com/', icon: 'icon.svg' }, { link: null }]),
  'redirects.json': JSON.stringify([
    { from: '/old', to: '/about', statusCode: 301 },
    { from: '/x', to: '/y' },
  ]),
  'categories/guides.json': JSON.stringify({ order: 1, name: 'Guides', questions }),
  'categories/news.md': article('order: 2\nname: News', 'What has changed.'),
  'authors/jane.md': article('name: Jane Roe\nposition: Editor\nimage: [icon.svg, icon.png]', 'Writes.'),
  'authors/nobody.json': JSON.stringify({ name: 'The editors' }),
  'articles/first.md': article(
    'title: First\nh1: The first\ndescription: One.\ncategory: guides\nauthor: jane\ndate: 2026-01-01\ncover: { file: icon.png, alt: A card }\nquestions:\n  - question: Why?\n    answer: So.',
  ),
  'articles/second.md': article(
    'title: Second\ncategory: guides\nauthor: jane\ndate: 2026-02-01\ncover: icon.svg',
  ),
  'articles/third.md': article('title: Third\nslug: the-third\ncategory: guides\ndate: 2026-03-01'),
  'articles/bare.md': article('title: Bare\ncategory: news\ndate: 2026-04-01', ''),
  'articles/outside.md': article('title: Outside\nauthor: jane\ndate: 2026-05-01'),
  'articles/draft.md': article('title: Draft\ncategory: guides\ndraft: true'),
  'articles/_notes.md': 'not an entry',
  'business-solutions/payouts.md': article('title: Payouts\ncover: icon.svg'),
  'commerce/shops.md': article('title: Shops\ncover: icon.png'),
  'pages/about.md': article('title: About\ncontactForm: true'),
  'uploads/icon.svg': SVG,
  'uploads/icon.png': PNG_HEADER,
  'uploads/deep/box.svg': '<svg viewBox="0 0 30 10.4"></svg>',
  'uploads/custom.css': 'a{}',
  'uploads/widget.js': '//',
};

let root: string;
let contentDir: string;
let mailDir: string;
let warnings: [message: string, details: Record<string, unknown>][];
let running: EmbeddedBackend[];
let url: string;

async function start(dir = contentDir): Promise<string> {
  const backend = await startEmbeddedBackend({
    contentDir: dir,
    mailDir,
    onWarning: (...warning) => warnings.push(warning),
  });
  running.push(backend);
  return backend.url;
}

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(contentDir, path)), { recursive: true });
  // Renamed into place: the backend may look at any moment, and must not find half a file.
  const draft = join(root, 'draft');
  await writeFile(draft, content);
  await rename(draft, join(contentDir, path));
}

/** The backend looks for changes now and then; asked again until it has, or until the deadline. */
function eventually<T>(ask: () => Promise<T>) {
  return expect.poll(ask, { timeout: 4_000, interval: 20 });
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'embedded-backend-'));
  contentDir = join(root, 'content');
  mailDir = join(root, 'mail');
  warnings = [];
  running = [];
  for (const [path, content] of Object.entries(FILES)) await write(path, content);
  url = await start();
});

afterEach(async () => {
  await Promise.all(running.map(backend => backend.close()));
  await rm(root, { recursive: true });
});

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url + path, { headers });
  expect(response.status, path).toBe(200);
  return (await response.json()) as Answer;
}

async function slugs(query: string): Promise<unknown[]> {
  return (await get(`/api/articles?${query}`)).data.map(row => row.slug);
}

async function capture(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(CAPTURES, `${name}.json`), 'utf8'));
}

describe('lists', () => {
  it.each([
    ['filters[slug][$eq]=first', ['first']],
    ['filters[slug]=the-third', ['the-third']],
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
    ['filters[slug][$eq]=draft&status=draft', []],
  ])('%s', async (query, expected) => {
    expect(await slugs(query)).toEqual(expected);
  });

  it('takes more values of $in than the query parser puts into an array', async () => {
    const values = Array.from({ length: 40 }, (_, index) => `filters[slug][$in][${index}]=x${index}`);
    expect(await slugs([...values, 'filters[slug][$in][40]=first'].join('&'))).toEqual(['first']);
  });

  it('finds a row by either of its keys', async () => {
    const [row] = (await get('/api/articles?filters[slug]=first')).data;
    expect(await slugs(`filters[id][$eq]=${row?.id}`)).toEqual(['first']);
    expect(await slugs(`filters[documentId][$in][0]=${row?.documentId}`)).toEqual(['first']);
  });

  it('breaks ties by id', async () => {
    const ids = (await get('/api/articles?sort[0]=seoTitle:desc&sort[1]=id:desc')).data.map(row =>
      Number(row.id),
    );
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  });

  it('counts pages, answers past the end, and caps the page size', async () => {
    expect((await get('/api/articles')).meta.pagination).toEqual({
      page: 1,
      pageSize: 25,
      pageCount: 1,
      total: 5,
    });
    const past = await get('/api/articles?pagination[page]=9&pagination[pageSize]=3');
    expect(past).toEqual({
      data: [],
      meta: { pagination: { page: 9, pageSize: 3, pageCount: 2, total: 5 } },
    });
    expect((await get('/api/articles?pagination[pageSize]=1000')).meta.pagination.pageSize).toBe(100);
    expect((await get('/api/articles?pagination[pageSize]=x&pagination[page]=0')).meta.pagination.page).toBe(
      1,
    );
  });

  it('keeps the order of the content without a sort', async () => {
    expect((await get('/api/categories')).data.map(row => row.slug)).toEqual(['guides', 'news']);
    expect((await get('/api/redirects')).data.map(row => [row.from, row.statusCode])).toEqual([
      ['/old', 301],
      ['/x', null],
    ]);
  });
});

describe('fields and populate', () => {
  const keys = async (query: string) =>
    Object.keys((await get(`/api/articles?filters[slug]=first&${query}`)).data[0] ?? {});

  it('always gives the keys, and only the fields asked for', async () => {
    expect(await keys('fields[0]=title&fields[1]=slug')).toEqual(['id', 'documentId', 'title', 'slug']);
    expect(await keys('fields=title')).toEqual(['id', 'documentId', 'title']);
  });

  it('leaves out what is not populated', async () => {
    expect(await keys('')).not.toContain('cover');
    const links = ['cover', 'seoImage', 'category', 'author'];
    expect((await keys('populate=*')).filter(key => links.includes(key))).toEqual(links);
    expect((await keys('populate[0]=cover&populate[1]=author')).filter(key => links.includes(key))).toEqual([
      'cover',
      'author',
    ]);
    expect(
      (await keys('populate[cover]=true&populate[author]=false')).filter(key => links.includes(key)),
    ).toEqual(['cover']);
  });

  it.each([
    'populate[author][populate]=image',
    'populate[author][populate][image]=true',
    'populate[0]=author.image',
  ])('populates below a relation: %s', async query => {
    const [row] = (await get(`/api/articles?filters[slug]=first&${query}`)).data;
    expect(row?.author).toMatchObject({
      name: 'Jane Roe',
      image: [{ name: 'icon.svg' }, { name: 'icon.png' }],
    });
  });

  it('limits the fields of a relation', async () => {
    const [row] = (await get('/api/articles?filters[slug]=first&populate[category][fields][0]=slug')).data;
    expect(Object.keys(row?.category as Row)).toEqual(['id', 'documentId', 'slug']);
    const [star] = (await get('/api/articles?filters[slug]=first&populate[author]=*')).data;
    expect(star?.author).not.toHaveProperty('image');
  });

  it('describes media: size, type, and the alternative text of this use', async () => {
    const [row] = (await get('/api/articles?filters[slug]=first&populate[cover]=true')).data;
    expect(row?.cover).toMatchObject({
      alternativeText: 'A card',
      width: 64,
      height: 32,
      mime: 'image/png',
      formats: null,
    });
    expect(row?.cover).toMatchObject({ url: '/uploads/icon.png', ext: '.png', hash: 'icon' });
    await write('pages/box.md', article('title: Box\nseoImage: deep/box.svg'));
    await eventually(
      async () => (await get('/api/pages?filters[slug]=box&populate=*')).data[0]?.seoImage,
    ).toMatchObject({ width: 30, height: 10, url: '/uploads/deep/box.svg', mime: 'image/svg+xml' });
  });
});

/** Names and nesting, without values. JSON fields and `formats` count as values; list items are merged. */
const OPAQUE =
  /^(?:questions|formats|schema\d|.*(?:Block|List|Qualities|Checkmarks|CustomBlocks|BlockSocials|Links|socials))$/;
/** What the content may say beyond the recorded seed. */
const BEYOND = ['date', 'seoTitle', 'seoDescription', 'seoImage', 'contactForm', 'siteName'];

function structure(value: unknown): unknown {
  if (Array.isArray(value)) return [value.map(structure).reduce(merge, null)];
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).filter(([key]) => !BEYOND.includes(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, OPAQUE.test(key) ? null : structure(inner)]));
}

function merge(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return [merge(a[0], b[0])];
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a ?? b;
  const [left, right] = [a as Row, b as Row];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return Object.fromEntries(keys.map(key => [key, merge(left[key] ?? null, right[key] ?? null)]));
}

describe.each([
  ['v5-flat', {}],
  ['v5-as-v4', { 'Strapi-Response-Format': 'v4' }],
])('answers shaped as captured in %s', (set, headers) => {
  const deep = 'populate[cover]=true&populate[category]=true&populate[author][populate]=image';
  const list = 'sort[0]=publishedAt:desc&pagination[page]=1&pagination[pageSize]=';
  it.each([
    ['categories', '/api/categories'],
    ['settings', '/api/settings?populate=*'],
    ['socials', '/api/socials?populate=*'],
    ['authors', '/api/authors?populate=*'],
    [
      'landing',
      '/api/landing?populate[countries_list][populate]=image&populate[block1Icons]=true&populate[paymentBlockImages][populate]=image',
    ],
    ['main-page', '/api/main-page'],
    ['articles-page-1', `/api/articles?populate=*&${list}9`],
    ['articles-empty', '/api/articles?filters[slug][$eq]=no-such-article&populate=*'],
    ['article-by-slug', '/api/articles?filters[slug][$eq]=first&populate=*'],
    ['article-by-slug-deep', `/api/articles?filters[slug][$eq]=first&${deep}`],
    ['article-unpopulated', '/api/articles?filters[slug][$eq]=first'],
    ['article-without-cover', '/api/articles?filters[slug][$eq]=bare&populate=*'],
    [
      'articles-by-category',
      `/api/articles?filters[category][slug][$eq]=guides&${list}12&fields[0]=title&fields[1]=description&fields[2]=slug&fields[3]=publishedAt&populate[cover]=true&populate[category][fields][0]=slug&populate[category][fields][1]=name&populate[author][populate]=image`,
    ],
    ['pages', '/api/pages'],
    ['business-solutions', '/api/business-solutions?populate=*'],
    ['commerces', '/api/commerces?populate=*'],
    ['redirects', '/api/redirects'],
  ])('%s', async (name, path) => {
    expect(structure(await get(path, headers))).toEqual(structure(await capture(`${set}/${name}`)));
  });

  it('gives the captured bodies of errors', async () => {
    await rm(join(contentDir, 'main-page.json'));
    url = await start();
    for (const [name, status, path] of [
      ['400-bad-filter', 400, '/api/articles?filters[nope][$eq]=1'],
      ['404-route', 404, '/api/nope'],
      ['404-single-type', 404, '/api/main-page'],
    ] as const) {
      const response = await fetch(url + path, { headers });
      expect(response.status, path).toBe(status);
      expect(await response.json(), path).toEqual(await capture(`${set}/errors/${name}`));
    }
  });

  it('gives the captured body of a failure of its own, and reports it', async () => {
    url = await start(join(root, 'nowhere'));
    const response = await fetch(`${url}/api/articles`, { headers });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual(await capture(`${set}/errors/500`));
    expect(warnings.map(([message]) => message)).toContain('The embedded content backend failed');
  });
});

describe('refusals', () => {
  it.each([
    ['filters[category][nope][$eq]=1', 'filters', 'nope', 'category'],
    ['filters[slug][$nope]=1', 'filters', '$nope', 'slug'],
    ['filters[constructor][$eq]=1', 'filters', 'constructor', null],
    ['sort[0]=nope:desc', 'sort', 'nope', null],
    ['populate[nope]=true', 'populate', 'nope', null],
    ['populate[0]=nope', 'populate', 'nope', null],
    ['populate[author][populate]=nope', 'populate', 'nope', 'author'],
    ['populate[cover]=*', 'populate', '*', 'cover'],
    ['fields[0]=nope', 'fields', 'nope', null],
  ])('%s is a ValidationError', async (query, param, key, path) => {
    const response = await fetch(`${url}/api/articles?${query}`);
    const details = { key, path, source: 'query', param };
    const error = { status: 400, name: 'ValidationError', message: `Invalid key ${key}`, details };
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ data: null, error });
  });

  it.each([
    ['POST', '/api/articles', 405],
    ['DELETE', '/api/settings', 405],
    ['GET', '/api/email/send', 405],
    ['POST', '/uploads/icon.svg', 404],
    ['GET', '/api/articles/1', 404],
    ['GET', '/', 404],
  ])('%s %s is a %i', async (method, path, status) => {
    const response = await fetch(url + path, { method });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ data: null, error: { status } });
  });

  it('answers HEAD, and sends neither ETag nor Cache-Control with its JSON', async () => {
    const response = await fetch(`${url}/api/articles`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([null, null]);
  });
});

describe('uploads', () => {
  /** Unlike fetch it sends the path as it is, and adds no `Cache-Control: no-cache` to a conditional request. */
  const raw = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      httpRequest(url, { path, headers }, async response => {
        const chunks = await response.toArray();
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      })
        .on('error', reject)
        .end();
    });

  it('serves files with their type, and answers conditional requests', async () => {
    const first = await fetch(`${url}/uploads/icon.svg`);
    expect(await first.text()).toBe(SVG);
    expect(first.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    for (const headers of [{ 'If-None-Match': etag }, { 'If-Modified-Since': modified }]) {
      expect((await raw('/uploads/icon.svg', headers)).status).toBe(304);
    }
    expect((await fetch(`${url}/uploads/custom.css`)).headers.get('content-type')).toMatch(/^text\/css/);
    expect((await fetch(`${url}/uploads/deep/box.svg`)).status).toBe(200);
    expect((await fetch(`${url}/uploads/none.svg`)).status).toBe(404);
  });

  it.each([
    '/uploads/../settings.json',
    '/uploads/%2e%2e/settings.json',
    '/uploads/..%2fsettings.json',
    '/uploads/deep/%2e%2e/%2e%2e/settings.json',
    '/uploads//etc/passwd',
    '/uploads/%00icon.svg',
    '/uploads/%ff',
  ])('does not leave its folder: %s', async path => {
    const { status, body } = await raw(path);
    expect(status).toBe(404);
    expect(body).not.toContain('siteName');
  });
});

describe('e-mail', () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/email/send`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  const kept = () => readdir(mailDir).catch(() => []);

  it('keeps an object, and a JSON string of one, as a file each', async () => {
    const message = { to: 'a@example.com', text: 'Grüße' };
    for (const body of [JSON.stringify(message), JSON.stringify(JSON.stringify(message))]) {
      const response = await send(body);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({});
    }
    const files = await kept();
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(JSON.parse(await readFile(join(mailDir, file), 'utf8'))).toEqual(message);
    }
  });

  it('keeps a message once under a repeated key, at the same time and after a restart', async () => {
    const headers = { 'Idempotency-Key': '../../a key' };
    const answers = await Promise.all([1, 2, 3].map(() => send('{"text":"once"}', headers)));
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200]);
    await running.pop()?.close();
    url = await start();
    expect((await send('{"text":"once"}', headers)).status).toBe(200);
    expect(await kept()).toHaveLength(1);
    await send('{"text":"other"}', { 'Idempotency-Key': 'another' });
    expect(await kept()).toHaveLength(2);
  });

  it.each([
    ['an array', '[]', 400],
    ['a text', '"text"', 400],
    ['null', 'null', 400],
    ['broken JSON', '{', 400],
    ['nothing', '', 400],
    ['more than 64 KiB', JSON.stringify({ text: 'x'.repeat(64 * 1024) }), 413],
  ])('refuses %s', async (_, body, status) => {
    const response = await send(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ data: null, error: { status } });
    expect(await kept()).toEqual([]);
  });
});

describe('changes of the content', () => {
  const titles = async () => (await get('/api/articles?sort=title')).data.map(row => row.title);

  it('sees new, changed and removed files, and keeps the ids', async () => {
    const [before] = (await get('/api/articles?filters[slug]=first')).data;
    await write('articles/first.md', article('title: First, again\ncategory: guides'));
    await write('articles/zero.md', article('title: Zero'));
    await rm(join(contentDir, 'articles/bare.md'));
    await eventually(titles).toEqual(['First, again', 'Outside', 'Second', 'Third', 'Zero']);
    const [after] = (await get('/api/articles?filters[slug]=first')).data;
    expect([after?.id, after?.documentId]).toEqual([before?.id, before?.documentId]);
    expect(after?.documentId).toMatch(/^[a-z][a-z0-9]{23}$/);
  });

  it.each([
    ['articles/first.md', '---\ntitle: [broken\n---\n'],
    ['articles/first.md', 'no front matter'],
    ['articles/first.md', article('title: First\ndate: soon')],
    ['articles/first.json', '{"title":'],
    ['redirects.json', '{}'],
    ['redirects.json', '[1]'],
  ])('reports a broken %s once and keeps its last good version', async (file, content) => {
    const all = async () => [await titles(), (await get('/api/redirects')).data.length];
    const before = await all();
    await write(file, content);
    await eventually(async () => [await titles(), warnings.length]).toEqual([before[0], 1]);
    expect(warnings).toEqual([['A content file could not be read', { file, reason: expect.any(String) }]]);
    await write('articles/zero.md', article('title: Zero'));
    await eventually(titles).toContain('Zero');
    expect(await all()).toEqual([[...(before[0] as unknown[]), 'Zero'], before[1]]);
    expect(warnings).toHaveLength(1);
  });

  it('leaves out a file that is broken from the start', async () => {
    await write('articles/broken.md', '---\ntitle: [\n---\n');
    url = await start();
    expect(await titles()).toEqual(['Bare', 'First', 'Outside', 'Second', 'Third']);
    expect(warnings.map(([, details]) => details.file)).toEqual(['articles/broken.md']);
  });

  it('reports names that are not there, and keys that nobody knows', async () => {
    await write('articles/zero.md', article('title: Zero\ncategory: nope\ncover: nope.svg\ntitel: Zero'));
    await eventually(titles).toContain('Zero');
    expect(warnings.map(([, { file, key }]) => [file, key])).toEqual([
      ['articles/zero.md', 'titel'],
      ['articles/zero.md', 'cover'],
      ['articles/zero.md', 'category'],
    ]);
    const [row] = (await get('/api/articles?filters[slug]=zero&populate=*')).data;
    expect(row).toMatchObject({ category: null, cover: null });
  });

  it('takes dates from the front matter, else from the file', async () => {
    await write(
      'pages/dated.md',
      article('title: A\ncreatedAt: 2026-01-02\nupdatedAt: 2026-01-03T04:05:06Z'),
    );
    await write('pages/undated.md', article('title: B'));
    await utimes(join(contentDir, 'pages/undated.md'), 0, 86_400);
    const dates = async (slug: string) => {
      const [row] = (await get(`/api/pages?filters[slug]=${slug}`)).data;
      return [row?.createdAt, row?.updatedAt, row?.publishedAt];
    };
    const created = '2026-01-02T00:00:00.000Z';
    await eventually(() => dates('dated')).toEqual([created, '2026-01-03T04:05:06.000Z', created]);
    await eventually(() => dates('undated')).toEqual(Array(3).fill('1970-01-02T00:00:00.000Z'));
  });
});

describe('the sample content', () => {
  const LISTS = [
    'categories',
    'socials',
    'authors',
    'articles',
    'business-solutions',
    'commerces',
    'pages',
    'redirects',
  ];

  const NOT_EMPTY: unknown = expect.stringMatching(/./);

  beforeEach(async () => {
    await cp(SAMPLE, join(root, 'sample'), { recursive: true });
    url = await start(join(root, 'sample'));
  });

  const all = async (type: string) => (await get(`/api/${type}?populate=*&pagination[pageSize]=100`)).data;

  it('is without a fault', async () => {
    for (const type of [...LISTS, 'settings', 'landing', 'main-page']) await all(type);
    expect(warnings).toEqual([]);
  });

  it('has the entries that the site needs to show itself', async () => {
    const inCategory = async (slug: string) =>
      (await get(`/api/articles?filters[category][slug][$eq]=${slug}&pagination[pageSize]=12`)).meta
        .pagination;
    expect(await inCategory('guides')).toMatchObject({ total: 14, pageCount: 2 });
    expect(await inCategory('engineering')).toMatchObject({ total: 4 });
    for (const slug of ['news', 'cases', 'compliance', 'markets'])
      expect(await inCategory(slug), slug).toMatchObject({ total: 3 });
    expect(await all('categories')).toHaveLength(6);
    const articles = await all('articles');
    expect(articles.filter(row => row.category === null)).toHaveLength(1);
    expect(articles).toHaveLength(31);
    expect(await all('authors')).toHaveLength(5);
    const path =
      '/api/landing?populate[countries_list][populate]=image&populate[paymentBlockImages][populate]=image';
    const landing = (await get(path)).data as unknown as Record<string, unknown>;
    expect((landing.countries_list as Row[]).every(country => country.image !== null)).toBe(true);
    expect(landing.paymentBlockImages).toHaveLength(8);
    expect(Object.entries(landing).filter(([, value]) => value === null)).toEqual([]);
  });

  it('has articles that are worth opening and can be finished: 300 to 1,000 words, under a name and a picture', async () => {
    for (const row of await all('articles')) {
      if (row.category === null) continue;
      const body = String(row.body);
      const prose = body.replace(/```.*?```/gs, '').replace(/^\|.*$/gm, '');
      expect(prose.split(/\s+/).length, String(row.slug)).toBeGreaterThanOrEqual(300);
      expect(body.split(/\s+/).length, String(row.slug)).toBeLessThanOrEqual(1000);
      expect(row, String(row.slug)).toMatchObject({ author: { name: NOT_EMPTY }, cover: { url: NOT_EMPTY } });
      for (const [, alt = ''] of body.matchAll(/!\[([^\]]*)\]/g)) expect(alt, String(row.slug)).not.toBe('');
    }
    for (const author of await all('authors')) expect(author.image, String(author.name)).toHaveLength(1);
  });

  it('gives every picture a size and every cover a text', async () => {
    for (const type of ['articles', 'business-solutions', 'commerces']) {
      for (const row of await all(type)) {
        if (row.cover === null) continue;
        expect(row.cover, String(row.slug)).toMatchObject({
          width: 1200,
          height: 675,
          alternativeText: NOT_EMPTY,
        });
      }
    }
  });

  it('has no link that leads nowhere', async () => {
    const [categories, articles, redirects] = [
      await all('categories'),
      await all('articles'),
      await all('redirects'),
    ];
    const known = new Set(['/', '/blog', ...categories.map(row => `/blog/${row.slug}`)]);
    for (const row of await all('pages')) known.add(`/${row.slug}`);
    for (const row of await all('business-solutions')) known.add(`/business-solutions/${row.slug}`);
    for (const row of await all('commerces')) known.add(`/commerce/${row.slug}`);
    for (const row of articles) known.add(`/blog/${(row.category as Row | null)?.slug}/${row.slug}`);
    for (const row of redirects) known.add(String(row.from));

    const links = new Set(redirects.map(row => String(row.to).replace(/\/\*\*$/, '')));
    const collect = (value: unknown): void => {
      if (typeof value === 'string') {
        if (/^(?:\/|https?:)\S*$/.test(value)) links.add(value);
        for (const [, target = ''] of value.matchAll(/\]\(\s*([^)\s]+)/g)) links.add(target);
        for (const [, target = ''] of value.matchAll(/(?:href|src)="([^"]*)"/g)) links.add(target);
      } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
    };
    const lists = LISTS.filter(type => type !== 'redirects');
    for (const type of [...lists, 'settings', 'landing', 'main-page']) collect(await all(type));

    expect(links.size).toBeGreaterThan(60);
    for (const link of links) {
      if (link.startsWith('/uploads/')) expect((await fetch(url + link)).status, link).toBe(200);
      else if (/^https?:/.test(link)) {
        // JSON-LD names its vocabulary; all else is an address that belongs to nobody.
        expect(link).toMatch(/^https:\/\/(?:(?:[a-z]+\.)?example\.com\/|schema\.org$)/);
      } else if (!link.startsWith('#')) expect(known, link).toContain(link.replace(/[?#].*$/, ''));
    }
  });
});
