import { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { article, SVG } from '../support/cms-files.ts';
import { type Cms, cmsTest as it, polled } from '../support/cms-test.ts';

describe('uploads', () => {
  /**
   * Sends the path unchanged, unlike fetch, and adds no `Cache-Control: no-cache` to a conditional request.
   */
  const raw = (url: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      httpRequest(url, { path, headers }, async response => {
        const chunks = await response.toArray();
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      })
        .on('error', reject)
        .end();
    });

  it('uploads are served with their type, and answer conditional requests', async ({ cms }) => {
    const first = await fetch(`${cms.url}/uploads/icon.svg`);
    expect(await first.text()).toBe(SVG);
    expect(first.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    for (const headers of [{ 'If-None-Match': etag }, { 'If-Modified-Since': modified }]) {
      expect((await raw(cms.url, '/uploads/icon.svg', headers)).status).toBe(304);
    }
    expect((await fetch(`${cms.url}/uploads/custom.css`)).headers.get('content-type')).toMatch(/^text\/css/);
    expect((await fetch(`${cms.url}/uploads/deep/box.svg`)).status).toBe(200);
    expect((await fetch(`${cms.url}/uploads/none.svg`)).status).toBe(404);
  });

  it.for([
    '/uploads/../settings.json',
    '/uploads/%2e%2e/settings.json',
    '/uploads/..%2fsettings.json',
    '/uploads/deep/%2e%2e/%2e%2e/settings.json',
    '/uploads//etc/passwd',
    '/uploads/%00icon.svg',
    '/uploads/%ff',
  ])('a path outside the uploads folder is a 404: %s', async (path, { cms }) => {
    const { status, body } = await raw(cms.url, path);
    expect(status).toBe(404);
    expect(body).not.toContain('siteName');
  });
});

describe('e-mail', () => {
  const send = (url: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/email/send`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  const kept = (mailDir: string) => readdir(mailDir).catch(() => []);

  it('an e-mail sent as an object, or as a JSON string of an object, is stored as a file', async ({
    cms,
  }) => {
    const message = { to: 'a@example.com', text: 'Grüße' };
    for (const body of [JSON.stringify(message), JSON.stringify(JSON.stringify(message))]) {
      const response = await send(cms.url, body);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({});
    }
    const files = await kept(cms.mailDir);
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(JSON.parse(await readFile(join(cms.mailDir, file), 'utf8'))).toEqual(message);
    }
  });

  it('the embedded backend stores a message with a repeated key once, even after a restart', async ({
    cms,
  }) => {
    const headers = { 'Idempotency-Key': '../../a key' };
    const answers = await Promise.all([1, 2, 3].map(() => send(cms.url, '{"text":"once"}', headers)));
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200]);
    await cms.restart();
    expect((await send(cms.url, '{"text":"once"}', headers)).status).toBe(200);
    expect(await kept(cms.mailDir)).toHaveLength(1);
    await send(cms.url, '{"text":"other"}', { 'Idempotency-Key': 'another' });
    expect(await kept(cms.mailDir)).toHaveLength(2);
  });

  it.for([
    ['an array', '[]', 400],
    ['a text', '"text"', 400],
    ['null', 'null', 400],
    ['broken JSON', '{', 400],
    ['nothing', '', 400],
    ['more than 64 KiB', JSON.stringify({ text: 'x'.repeat(64 * 1024) }), 413],
  ] as const)('the embedded backend refuses an e-mail with %s', async ([_, body, status], { cms }) => {
    const response = await send(cms.url, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ data: null, error: { status } });
    expect(await kept(cms.mailDir)).toEqual([]);
  });
});

describe('changes of content files', () => {
  const titles = async (cms: Cms) => (await cms.get('/api/articles?sort=title')).data.map(row => row.title);

  it('new, changed and removed content files are served, and ids stay stable', async ({ cms }) => {
    const [before] = (await cms.get('/api/articles?filters[slug]=first')).data;
    await cms.write('articles/first.md', article('title: First, again\ncategory: guides'));
    await cms.write('articles/zero.md', article('title: Zero'));
    await rm(join(cms.contentDir, 'articles/bare.md'));
    await polled(() => titles(cms)).toEqual(['First, again', 'Outside', 'Second', 'Third', 'Zero']);
    const [after] = (await cms.get('/api/articles?filters[slug]=first')).data;
    expect([after?.id, after?.documentId]).toEqual([before?.id, before?.documentId]);
    expect(after?.documentId).toMatch(/^[a-z][a-z0-9]{23}$/);
  });

  it.for([
    ['articles/first.md', '---\ntitle: [broken\n---\n'],
    ['articles/first.md', 'no front matter'],
    ['articles/first.md', article('title: First\ndate: soon')],
    ['articles/first.json', '{"title":'],
    ['redirects.json', '{}'],
    ['redirects.json', '[1]'],
  ] as const)(
    'a broken content file %s is reported once, and its last good version stays',
    async ([file, content], { cms }) => {
      const all = async () => [await titles(cms), (await cms.get('/api/redirects')).data.length];
      const before = await all();
      await cms.write(file, content);
      await polled(async () => [await titles(cms), cms.warnings.length]).toEqual([before[0], 1]);
      expect(cms.warnings).toEqual([
        ['A content file could not be read', { file, reason: expect.any(String) }],
      ]);
      await cms.write('articles/zero.md', article('title: Zero'));
      await polled(() => titles(cms)).toContain('Zero');
      expect(await all()).toEqual([[...(before[0] as unknown[]), 'Zero'], before[1]]);
      expect(cms.warnings).toHaveLength(1);
    },
  );

  it('a content file that is broken at the start is left out', async ({ cms }) => {
    await cms.write('articles/broken.md', '---\ntitle: [\n---\n');
    await cms.restart();
    expect(await titles(cms)).toEqual(['Bare', 'First', 'Outside', 'Second', 'Third']);
    expect(cms.warnings.map(([, details]) => details.file)).toEqual(['articles/broken.md']);
  });

  it('missing names and unknown keys in content files are reported', async ({ cms }) => {
    await cms.write('articles/zero.md', article('title: Zero\ncategory: nope\ncover: nope.svg\ntitel: Zero'));
    await polled(() => titles(cms)).toContain('Zero');
    expect(cms.warnings.map(([, { file, key }]) => [file, key])).toEqual([
      ['articles/zero.md', 'titel'],
      ['articles/zero.md', 'cover'],
      ['articles/zero.md', 'category'],
    ]);
    const [row] = (await cms.get('/api/articles?filters[slug]=zero&populate=*')).data;
    expect(row).toMatchObject({ category: null, cover: null });
  });

  it('a reported problem of a content file has the value and the line', async ({ cms }) => {
    await cms.write(
      'articles/one.md',
      article(
        [
          'title: One',
          'category: nope',
          'tags: [1]',
          'cover: nope.svg',
          'sections:',
          '  - kind: galery',
          '  - kind: gallery',
          '    files: [{ file: icon.svg, alt: A, caption: A debit, day by day }]',
        ].join('\n'),
      ),
    );
    await cms.write('articles/two.md', article('title: Two\ntags: Local methods, Fees'));
    await cms.write('articles/broken.md', '---\ntitle: Three\ndate: [\n---\n');
    await polled(() => titles(cms)).toContain('Two');
    const lines = cms.warnings.map(([message, { file, ...details }]) => [file, message, details]);
    const form = "'tags' wants a list of names, such as [One name, Another]";
    const names = (what: string) => `A content file names ${what} that is not there`;
    expect(lines.filter(([file]) => file === 'articles/one.md')).toEqual([
      [
        'articles/one.md',
        names('a kind of section'),
        { key: 'sections', value: 'galery', reason: expect.stringMatching(/^kinds are .*gallery/) },
      ],
      [
        'articles/one.md',
        'Unknown key in a content file',
        { key: 'files: day by day', reason: 'a text with a comma needs quotation marks' },
      ],
      ['articles/one.md', names('an upload'), { key: 'cover', value: 'nope.svg' }],
      ['articles/one.md', names('an entry'), { key: 'category', value: 'nope' }],
      ['articles/one.md', names('an entry'), { key: 'tags', value: 1, reason: form }],
    ]);
    expect(lines).toContainEqual([
      'articles/two.md',
      names('an entry'),
      { key: 'tags', value: 'Local methods, Fees', reason: form },
    ]);
    expect(lines.find(([file]) => file === 'articles/broken.md')?.[2]).toEqual({
      reason: expect.stringContaining('at line 3'),
    });
  });

  it('tag names are compared without case and spaces, and tags.json takes precedence', async ({ cms }) => {
    await cms.write('tags.json', JSON.stringify([{ name: 'Zero' }, { name: 'Reliability' }]));
    await cms.write('articles/a.md', article('title: A\ntags: [reliability, C#, " ZERO "]'));
    await cms.write('articles/b.md', article('title: B\ntags: [Reliability, c, C++, c#]'));
    await polled(() => titles(cms)).toContain('B');
    const tags = async () => (await cms.get('/api/tags?sort=createdAt:asc')).data.map(row => row.name);
    await polled(tags).toEqual(['Zero', 'Reliability', 'C#', 'C++', 'c']);
    const [a] = (await cms.get('/api/articles?filters[slug]=a&populate=tags')).data;
    expect(a?.tags).toMatchObject([{ name: 'Reliability' }, { name: 'C#' }, { name: 'Zero' }]);
    expect(cms.warnings).toEqual([]);
  });

  it('the dates of an entry come from its front matter, or else from its file', async ({ cms }) => {
    await cms.write(
      'pages/dated.md',
      article('title: A\ncreatedAt: 2026-01-02\nupdatedAt: 2026-01-03T04:05:06Z'),
    );
    await cms.write('pages/undated.md', article('title: B'));
    await utimes(join(cms.contentDir, 'pages/undated.md'), 0, 86_400);
    const dates = async (slug: string) => {
      const [row] = (await cms.get(`/api/pages?filters[slug]=${slug}`)).data;
      return [row?.createdAt, row?.updatedAt, row?.publishedAt];
    };
    const created = '2026-01-02T00:00:00.000Z';
    await polled(() => dates('dated')).toEqual([created, '2026-01-03T04:05:06.000Z', created]);
    await polled(() => dates('undated')).toEqual(Array(3).fill('1970-01-02T00:00:00.000Z'));
  });
});
