import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { payloadPath } from '../support/payload-path.ts';
import {
  DRAFT_ARTICLE,
  type DraftCms,
  editor,
  NO_CATEGORY,
  PREVIEW_ENV,
  SECRET,
  startDraftCms,
} from '../support/preview-test.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const ADMIN = 'https://cms.example.com';

let cms: DraftCms;
let site: RunningSite;
beforeAll(async () => {
  cms = await startDraftCms();
  site = await startSite({
    contentBaseUrl: cms.url,
    env: { ...PREVIEW_ENV, PREVIEW_FRAME_ORIGINS: ADMIN, PUBLIC_URL: 'https://www.example.com' },
  });
});
afterAll(async () => {
  await site.close();
  await cms.close();
});
beforeEach(() => {
  cms.mark = 'Zebra';
  cms.refusal = null;
});

const get = (address: string, headers: Record<string, string> = {}, base = site.url) =>
  sendRequest(base, address, { headers: { ...AS_BROWSER, ...headers } });
const begin = (query: Record<string, string>, headers?: Record<string, string>) =>
  get(`/api/preview?${new URLSearchParams({ secret: SECRET, status: 'draft', ...query })}`, headers);
const setCookie = ({ headers }: Answer) => headers['set-cookie']?.join() ?? '';
/** @returns the request header that a browser sends after a response. */
const cookieOf = (answer: Answer) => ({ cookie: setCookie(answer).split(';', 1)[0] ?? '' });

describe('a preview', () => {
  it('a preview sets a cookie for this host and one hour, which frames on other sites may send', async () => {
    const answer = await begin({ url: `${DRAFT_ARTICLE}?a=b` });
    expect(answer.status).toBe(307);
    expect(answer.headers.location).toBe(`${DRAFT_ARTICLE}?a=b`);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(setCookie(answer)).toMatch(
      /^__Host-preview=draft\.\d+\.[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
    expect((await get(DRAFT_ARTICLE, cookieOf(answer))).status).toBe(200);
  });

  it('a preview shows drafts only to its browser, and others get the public page', async () => {
    const path = SAMPLE_PATHS['blog-article'];
    for (const address of [path, payloadPath(path)]) {
      // The stored page is served before and after the preview.
      const [before, preview, after] = [await get(address), await get(address, editor()), await get(address)];
      expect(preview.status).toBe(200);
      expect(preview.text).toContain('Zebra Reading a fee statement');
      // A preview has no card, because a card would show unpublished content to others.
      expect(preview.text).not.toMatch(/og:image|card\.jpg/);
      expect(before.text).toContain('Reading a fee statement');
      expect(before.text).not.toContain('Zebra');
      expect(after.text).toBe(before.text);
    }
    expect((await get(DRAFT_ARTICLE)).status).toBe(404);
    expect((await get(DRAFT_ARTICLE, editor())).text).toContain(
      'Draft · <a href="/api/preview/exit?url=%2Fblog',
    );
  });

  it('a preview is hidden from caches, search engines and all frames except those of the CMS', async () => {
    for (const path of [SAMPLE_PATHS.home, '/no-such-page', payloadPath('/about'), '/BLOG']) {
      const { headers } = await get(path, editor());
      expect(headers, path).toMatchObject({
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      });
      expect(headers['content-security-policy'], path).toContain(`frame-ancestors ${ADMIN};`);
      for (const name of [
        'etag',
        'x-frame-options',
        'cdn-cache-control',
        'surrogate-control',
        'cache-tag',
        'surrogate-key',
        'edge-cache-tag',
      ])
        expect(headers, path).not.toHaveProperty(name);
    }
    expect((await get('/about', editor())).text).toContain('<meta name="robots" content="noindex">');
    const { headers, text } = await get('/about');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none';");
    expect(headers['x-frame-options']).toBe('DENY');
    expect(text).not.toMatch(/preview/);
  });

  it('payloads of a preview have another build id, so no browser mixes them with public pages', async () => {
    const idOf = async (headers = {}) => (await get(payloadPath('/about'), headers)).json().buildId;
    const id = site.site.manifest.id;
    expect([await idOf(), await idOf(editor()), await idOf(editor('published'))]).toEqual([
      id,
      `${id}.draft`,
      `${id}.published`,
    ]);
  });

  it('a preview ends by its exit link, or by the status `published`', async () => {
    for (const answer of [
      await get('/api/preview/exit?url=/about', editor()),
      await begin({ url: '/about', status: 'published' }, editor()),
    ]) {
      expect([answer.status, answer.headers.location]).toEqual([307, '/about']);
      expect(setCookie(answer)).toMatch(/^__Host-preview=; Max-Age=0; Path=\/; /);
      expect((await get('/about', cookieOf(answer))).text).not.toContain('Zebra');
    }
    expect((await get('/api/preview/exit')).headers.location).toBe('/');
  });

  it('the frame of the CMS shows published content, although public pages forbid frames', async () => {
    const inFrame = { 'sec-fetch-dest': 'iframe' };
    const published = await begin({ url: '/about', status: 'published' }, inFrame);
    const page = await get('/about', cookieOf(published));
    expect(page.text).not.toContain('Zebra');
    expect(page.text).toContain('>Published · <a href="/api/preview/exit?');
    expect(page.headers['content-security-policy']).toContain(`frame-ancestors ${ADMIN};`);
    expect((await get(DRAFT_ARTICLE, cookieOf(published))).status).toBe(404);
    // Only previews may be shown in such a frame.
    expect(setCookie(await get('/api/preview/exit', inFrame))).toContain('=; Max-Age=0;');
  });

  it('a preview is a 503 while the CMS refuses drafts, and public pages still work', async () => {
    cms.refusal = 401;
    const before = await get('/commerce/platforms');
    expect((await get('/commerce/platforms', editor())).status).toBe(503);
    expect((await get('/commerce/platforms')).text).toBe(before.text);
    expect(site.site.backendState()).toBe('up');
  });

  it('a preview that the CMS refuses is logged once, with token and remedy', async () => {
    cms.refusal = 403;
    const lineAbout = async (ask: () => Promise<Answer>) => {
      const before = site.log.length;
      expect((await ask()).status).toBe(503);
      return site.log.slice(before).filter(({ level, code }) => code !== 'http-request' && level !== 'debug');
    };
    // A page makes several calls, each of which is refused.
    for (const ask of [() => begin({ type: 'page', documentId: 'any' }), () => get('/', editor())])
      expect(await lineAbout(ask)).toEqual([
        expect.objectContaining({
          level: 'warn',
          code: 'preview-refused',
          reason: expect.stringContaining('answered 403'),
          remedy: expect.stringMatching(/Settings → API Tokens → .*PREVIEW_TOKEN.*find of every type/),
        }),
      ]);
  });
});

describe('the page of an entry', () => {
  const documentIdOf = async (type: string, slug: string) => {
    const found = await sendRequest(cms.url, `/api/${type}?filters[slug][$eq]=${slug}`);
    return found.json<{ data: { documentId: string }[] }>().data[0]?.documentId ?? '';
  };

  it('a preview finds the page of an entry by type and documentId', async () => {
    for (const [type, path, slug, target] of [
      ['article', 'articles', 'reading-a-fee-statement', SAMPLE_PATHS['blog-article']],
      ['api::category.category', 'categories', 'guides', '/blog/guides'],
      ['page', 'pages', 'about', '/about'],
      ['commerce', 'commerces', 'marketplaces', '/commerce/marketplaces'],
      ['business-solution', 'business-solutions', 'payouts', '/business-solutions/payouts'],
      ['author', 'authors', 'marta-lindqvist', '/blog/authors/marta-lindqvist'],
    ] as const) {
      const answer = await begin({ type, documentId: await documentIdOf(path, slug) });
      expect([answer.status, answer.headers.location], type).toEqual([307, target]);
    }
    for (const [type, target] of [
      ['api::landing.landing', '/'],
      ['main-page', '/blog'],
      ['setting', '/'],
      ['redirect', '/'],
    ] as const)
      expect((await begin({ type, documentId: 'any' })).headers.location, type).toBe(target);
  });

  it('an article without a category has no preview, and the frame of the CMS says why', async () => {
    const documentId = await documentIdOf('articles', NO_CATEGORY);
    const answer = await begin({ type: 'article', documentId }, { 'sec-fetch-dest': 'iframe' });
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.text).toMatch(/<p>The article has no category, .* Choose one, and save the article\.<\/p>/);
    expect(answer.headers['content-security-policy']).toContain(`frame-ancestors ${ADMIN};`);
    expect(answer.headers).not.toHaveProperty('x-frame-options');
    expect(answer.text).not.toContain(SECRET);
    const asked = await begin({ type: 'article', documentId }, { accept: 'application/json' });
    expect(asked.json()).toMatchObject({ statusCode: 404, url: '/api/preview' });
  });

  it('an unknown type or entry has no preview', async () => {
    for (const type of ['nothing', 'page', 'article', '__proto__'])
      expect((await begin({ type, documentId: 'none&status=draft' })).status, type).toBe(404);
  });
});

describe('a preview is refused', () => {
  it('a preview is refused without the secret', async () => {
    for (const secret of ['', 'x', `${SECRET}x`, SECRET.slice(1)]) {
      const answer = await begin({ url: '/about', secret });
      expect(answer.status).toBe(401);
      expect(answer.headers).not.toHaveProperty('set-cookie');
      expect(answer.text).not.toContain('secret=');
      // The panel shows the refusal in its frame.
      expect(answer.headers).not.toHaveProperty('x-frame-options');
      expect(answer.headers['content-security-policy']).toContain(`frame-ancestors ${ADMIN};`);
    }
    const twice = await get(`/api/preview?url=/about&secret=${SECRET}&secret=${SECRET}`);
    expect(twice.status).toBe(401);
    const metrics = await sendRequest(site.opsUrl, '/metrics');
    expect(metrics.text).toContain('site_answers_total{way="refused"} 5\n');
    expect(site.rawLog.join('\n')).not.toContain(SECRET);
  });

  it('a preview of an address on another site is refused', async () => {
    for (const url of [
      ...['//evil.example', '/\\evil.example', '\\\\evil.example', 'https://evil.example', 'evil.example'],
      ...[
        '/%5cevil.example',
        '/%2f/evil.example',
        '/.//evil.example',
        '/a/..//evil.example',
        '/\t/evil.example',
      ],
      ...[
        'javascript:alert(1)',
        ' //evil.example',
        '/\r\nSet-Cookie: a=b',
        '',
        '?',
        '#',
        '%2F%2Fevil.example',
      ],
    ]) {
      const asked = await begin({ url });
      expect([asked.status, asked.headers.location, setCookie(asked)], url).toEqual([400, undefined, '']);
      const exit = await get(`/api/preview/exit?${new URLSearchParams({ url })}`, editor());
      expect([exit.status, exit.headers.location], url).toEqual([400, undefined]);
    }
    expect((await begin({})).status).toBe(400);
    expect((await begin({ url: '/about', status: 'any' })).status).toBe(400);
  });

  it('a forged, altered or expired preview cookie is ignored', async () => {
    const { cookie } = editor();
    const hourAgo = () => Date.now() - 3_600_000;
    const published = editor('published').cookie;
    for (const forged of [
      '__Host-preview=draft',
      '__Host-preview=draft.9999999999.',
      `${cookie}x`,
      cookie.replace(/\.\d/, '.9'),
      published.replace('published', 'draft'),
      cookie.replace('__Host-', ''),
      editor('draft', `${SECRET}x`).cookie,
      editor('draft', SECRET, hourAgo).cookie,
    ]) {
      const { status, text } = await get('/about', { cookie: forged });
      expect(status).toBe(200);
      expect(text, forged).not.toContain('Zebra');
    }
    expect((await get('/about', { cookie: `a=b; ${cookie}; c=d` })).text).toContain('Zebra');
  });

  it('only the first of several preview cookies counts', async () => {
    const { cookie } = editor();
    const forged = '__Host-preview=draft.9999999999.a';
    const shows = async (cookies: string) =>
      (await get('/about', { cookie: cookies })).text.includes('Zebra');
    expect(await shows(`${forged}; ${cookie}`)).toBe(false);
    expect(await shows(`__Host-preview=; ${cookie}`)).toBe(false);
    expect(await shows(`${cookie}; ${forged}`)).toBe(true);
    expect(await shows(`x__Host-preview=a;${cookie};${forged}`)).toBe(true);
  });

  it('a site without previews refuses them', async () => {
    const other = await startSite({ contentBaseUrl: cms.url });
    try {
      expect((await get(`/api/preview?url=/about&secret=${SECRET}`, {}, other.url)).status).toBe(404);
      expect((await get('/about', editor(), other.url)).text).not.toContain('Zebra');
    } finally {
      await other.close();
    }
  });
});
