import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { failing } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { type Answer, AS_BROWSER, postForm, postJson, sendRequest } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

describe('the files of the build', () => {
  it('files of the build are immutable under hashed names, and compressed as the client accepts', async ({
    sample,
  }) => {
    const { preload, stylesheet } = sample.site.manifest;
    for (const file of [...preload, stylesheet]) {
      const plain = await sendRequest(sample.url, file, { headers: { 'accept-encoding': 'identity' } });
      const br = await sendRequest(sample.url, file, {
        headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
      });
      const gzip = await sendRequest(sample.url, file, { headers: { 'accept-encoding': 'gzip' } });
      const none = await sendRequest(sample.url, file);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(none.body).toEqual(plain.body);
      expect(br.headers['content-encoding']).toBe('br');
      expect(gzip.headers['content-encoding']).toBe('gzip');
      expect(brotliDecompressSync(br.body)).toEqual(plain.body);
      expect(gunzipSync(gzip.body)).toEqual(plain.body);
      expect(br.body.byteLength).toBeLessThan(gzip.body.byteLength);
      expect(gzip.body.byteLength).toBeLessThan(plain.body.byteLength);
      for (const answer of [plain, br, gzip]) {
        expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
        expect(answer.headers.vary).toMatch(/accept-encoding/i);
        expect(answer.headers['content-length']).toBe(String(answer.body.byteLength));
        expect(answer.headers['content-type']).toBe(
          file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
        );
      }
      const head = await sendRequest(sample.url, file, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'br' },
      });
      expect(head.headers['content-length']).toBe(br.headers['content-length']);
      expect(head.body.byteLength).toBe(0);
    }
  });

  it('fonts of the build are not compressed', async ({ sample }) => {
    const [font = ''] = sample.site.manifest.fonts;
    const answer = await sendRequest(sample.url, font, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('font/woff2');
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.body.subarray(0, 4).toString()).toBe('wOF2');
  });

  it.for([
    ['/favicon.svg', 'image/svg+xml', '<svg'],
    ['/favicon.ico', 'image/x-icon', '\0\0\u0001\0'],
    ['/apple-touch-icon.png', 'image/png', '\u0089PNG'],
  ] as const)('the icon %s is cached for a day', async ([path, type, start], { getPage }) => {
    const answer = await getPage(path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['cache-control']).toBe('public, max-age=86400');
    expect(answer.body.toString('latin1').trimStart().startsWith(start)).toBe(true);
  });

  it.for(['/assets/none.js', '/assets/', '/assets', '/assets/__proto__', '/assets/manifest.json'])(
    'the missing build file %s is a 404 that is not cached',
    async (path, { getPage }) => {
      const answer = await getPage(path);
      expect(answer.status).toBe(404);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it.for([
    ...['/.git/config', '/.env', '/.npmrc', '/package.json', '/dist/server/main.js'],
    ...['/server/main.js', '/content/landing.json', '/data/totals.json', '/assets/%2e%2e/server/main.js'],
  ])('the path %s does not lead to a file outside the build', async (path, { getPage }) => {
    const { status, text } = await getPage(path);
    expect([400, 404]).toContain(status);
    expect(text).not.toMatch(/"dependencies"|import |"h1"/);
  });

  it('source maps of the build are not served', async ({ sample, getPage }) => {
    for (const file of [sample.site.manifest.entry, sample.site.manifest.stylesheet])
      expect((await getPage(`${file}.map`)).status).toBe(404);
  });
});

/** Security headers that browsers read only for documents. */
const OF_DOCUMENTS = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
};

describe('every kind of response', () => {
  it.beforeEach(({ backend }) => {
    backend.on(
      '/uploads/kind.svg',
      (_req, res) => void res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg/>'),
    );
    backend.on('/api/commerces', failing(500));
  });

  const get =
    (path: string, headers: Record<string, string> = AS_BROWSER) =>
    ({ url }: RunningSite) =>
      sendRequest(url, path, { headers });
  it.for<[what: string, ask: (site: RunningSite) => Promise<Answer>, status: number]>([
    ['a page', get('/about'), 200],
    ['a payload', get(payloadAddress('/about', '', 'x')), 200],
    ['a 404 page', get('/no/such/page'), 404],
    ['a 404 in JSON', get('/api/no-such'), 404],
    ['a malformed address', get('/%zz'), 400],
    ['a bad Host', get('/', { host: 'a b' }), 400],
    ['a method that is not allowed', ({ url }) => sendRequest(url, '/about', { method: 'DELETE' }), 405],
    ['content that cannot be loaded', get('/commerce/online-shops'), 503],
    ['a redirect', get('/old-about'), 301],
    ['a canonical redirect', get('/About'), 308],
    ['a file of the build', get('/favicon.svg'), 200],
    ['a missing file', get('/assets/none.js'), 404],
    ['a medium', get('/uploads/kind.svg'), 200],
    ['a missing media file', get('/uploads/none.svg'), 404],
    ['the build', get('/builds/latest.json'), 200],
    ['robots.txt', get('/robots.txt'), 200],
    ['the feed', get('/blog/feed.xml'), 200],
    [
      'a message',
      ({ url }) => postJson(url, '/api/email/send', { form: 'subscribe', email: 'a@example.com' }),
      202,
    ],
    ['an invalid message', ({ url }) => postJson(url, '/api/email/send', {}), 422],
    [
      'a form post',
      ({ url }) => postForm(url, '/api/email/send', { form: 'subscribe', email: 'a@example.com' }),
      303,
    ],
  ])('%s has the security headers and its request id', async ([what, ask, status], { site }) => {
    const { status: got, headers } = await ask(site);
    expect(got).toBe(status);
    const isData = what === 'a payload';
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\w-]{12}-\d+$/),
      ...(isData ? {} : OF_DOCUMENTS),
    });
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    if (!policy?.includes('sandbox')) {
      if (!isData) expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toMatch(/unsafe|\*|http:/);
    }
  });

  it('security headers for documents are sent only with documents', async ({ site }) => {
    const { entry, stylesheet, fonts } = site.site.manifest;
    const names = async (address: string, more: Record<string, string> = {}) => {
      const { headers } = await get(address, { ...AS_BROWSER, 'accept-encoding': 'br', ...more })(site);
      return { etag: String(headers.etag), names: Object.keys(headers).sort() };
    };
    const ofData = [
      ...[
        'cache-control',
        'cache-status',
        'connection',
        'content-length',
        'content-security-policy',
        'content-type',
      ],
      ...['cross-origin-resource-policy', 'date', 'x-content-type-options', 'x-request-id'],
    ];
    const compressed = [...ofData, 'content-encoding', 'vary'].sort();
    expect((await names(entry)).names).toEqual(compressed);
    expect((await names(stylesheet)).names).toEqual(compressed);
    expect((await names(fonts[0] ?? '')).names).toEqual(ofData.sort());
    await names('/about/_payload.json');
    expect((await names('/about/_payload.json')).names).toEqual(
      [
        ...[...compressed, 'age', 'etag', 'cache-tag', 'cdn-cache-control', 'edge-cache-tag'],
        ...['surrogate-control', 'surrogate-key'],
      ].sort(),
    );
    expect((await names('/favicon.svg')).names).toEqual(expect.arrayContaining(Object.keys(OF_DOCUMENTS)));

    // A 304 replaces stored headers, and keeps those that it lacks (RFC 9111, 4.3.4).
    const page = await names('/about');
    const unchanged = await names('/about', { 'if-none-match': page.etag });
    const ofContent = ['content-encoding', 'content-length', 'content-type', 'link', 'origin-agent-cluster'];
    const left = new Set([...Object.keys(OF_DOCUMENTS), ...ofContent]);
    expect(unchanged.names).toEqual(
      [...new Set([...page.names, 'age'])].filter(name => !left.has(name)).sort(),
    );
  });

  it('each response has a unique request id, which is logged too', async ({ site }) => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => String((await get('/about')(site)).headers['x-request-id'])),
    );
    expect(new Set(ids).size).toBe(5);
    expect(site.requests('/about').map(line => line.id)).toEqual(expect.arrayContaining(ids));
  });
});

describe('pages and payloads', () => {
  it.for(['/', '/_payload.json', '/sitemap.xml', '/blog/feed.xml'])(
    '%s is compressed for clients that accept it',
    async (path, { sample }) => {
      const plain = await sendRequest(sample.url, path, { headers: { 'accept-encoding': 'identity' } });
      const br = await sendRequest(sample.url, path, { headers: { 'accept-encoding': 'gzip, deflate, br' } });
      const gzip = await sendRequest(sample.url, path, { headers: { 'accept-encoding': 'gzip' } });
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(br.headers['content-encoding']).toBe('br');
      expect(gzip.headers['content-encoding']).toBe('gzip');
      expect(brotliDecompressSync(br.body)).toEqual(plain.body);
      expect(gunzipSync(gzip.body)).toEqual(plain.body);
      for (const answer of [plain, br, gzip]) expect(answer.headers.vary).toMatch(/accept-encoding/i);
    },
  );

  it('pages contain no inline script and no inline style, even with the recorded content', async ({
    site,
    getPage,
  }) => {
    for (const path of [
      '/',
      '/about',
      '/terms',
      '/cookies',
      '/blog',
      '/blog/guides',
      '/blog/guides/embedding-the-payment-widget',
    ]) {
      const answer = await getPage(path, site.url);
      expect([path, answer.status, parsePage(answer.text).inline]).toEqual([path, 200, []]);
    }
  });
});
