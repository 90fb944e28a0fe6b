import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parseSitemap } from 'sitemap';
import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { type Answer, AS_BROWSER, postForm, postJson, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

let sample: SampleSite;
let backend: FakeBackend;
let site: RunningSite;

beforeAll(async () => {
  sample = await startSampleSite();
  backend = await startFakeBackend();
  site = await startSite({ contentBaseUrl: backend.url });
});
beforeEach(() => backend.reset());
afterAll(async () => {
  await Promise.all([sample.close(), site.close()]);
  await backend.close();
});

const getPage = (path: string, base = sample.url) => sendRequest(base, path, { headers: AS_BROWSER });

describe('the build', () => {
  it('says its id and when it was made, never cached', async () => {
    const { manifest } = sample.site;
    const answer = await supertest(sample.url).get(`/builds/latest.json?${manifest.timestamp}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toEqual({ id: manifest.id, timestamp: manifest.timestamp });
    const page = parsePage((await getPage('/')).text);
    expect(page.data?.payload.buildId).toBe(manifest.id);
  });

  it('says which chunks a route needs, under an address that never changes', async () => {
    const { manifest } = sample.site;
    const answer = await supertest(sample.url).get(`/builds/meta/${manifest.id}.json`);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.body).toEqual({ id: manifest.id, timestamp: manifest.timestamp, routes: manifest.routes });
    const chunks = Object.values(manifest.routes).flat();
    expect(chunks.length).toBeGreaterThan(6);
    for (const chunk of new Set(chunks)) expect([chunk, (await getPage(chunk)).status]).toEqual([chunk, 200]);
  });

  it('says nothing of other builds', async () => {
    const answer = await supertest(sample.url).get('/builds/meta/0000000000000000.json');
    expect(answer.status).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toMatchObject({ error: true, statusCode: 404 });
  });
});

describe('/robots.txt', () => {
  it('opens the site and names the sitemap', async () => {
    const answer = await supertest(sample.url).get('/robots.txt');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toContain(`Sitemap: ${sample.url}/sitemap.xml`);
    expect(answer.text).not.toMatch(/^Disallow: \/$/m);
    expect((await getPage('/')).headers['x-robots-tag']).toBeUndefined();
  });

  it('closes it with SITE_INDEXING=off, and every answer says so', async () => {
    const hidden = await startSampleSite({ env: { SITE_INDEXING: 'off' } });
    try {
      expect((await getPage('/robots.txt', hidden.url)).text).toBe('User-agent: *\nDisallow: /\n');
      for (const path of [
        '/',
        '/about',
        '/no-such',
        '/_payload.json',
        '/favicon.svg',
        '/sitemap.xml',
        '/%zz',
      ])
        expect([path, (await getPage(path, hidden.url)).headers['x-robots-tag']]).toEqual([path, 'noindex']);
    } finally {
      await hidden.close();
    }
  });
});

describe('/sitemap.xml', () => {
  async function locations(running: RunningSite, headers: Record<string, string> = {}): Promise<string[]> {
    const answer = await sendRequest(running.url, '/sitemap.xml', { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/xml/);
    const items = await parseSitemap(Readable.from([answer.body]));
    return items.map(item => item.url);
  }

  it('lists every page, each once, and each answers 200 as its own canonical address', async () => {
    const urls = await locations(sample);
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls).toEqual(
      expect.arrayContaining(Object.values(SAMPLE_PATHS).map(path => new URL(path, sample.url).href)),
    );
    expect(urls.join()).not.toMatch(/draft-planning|a-note-without-a-category/);
    for (const url of urls) {
      const answer = await getPage(url.slice(sample.url.length) || '/');
      expect([url, answer.status]).toEqual([url, 200]);
      const page = parsePage(answer.text);
      expect(new URL(page.canonical ?? 'missing:').href).toBe(new URL(url).href);
      expect([url, page.headings.length]).toEqual([url, 1]);
      expect([url, page.inline]).toEqual([url, []]);
      expect([url, page.robots]).toEqual([url, null]);
    }
  });

  it('has the addresses of PUBLIC_URL, whatever allowed host was asked', async () => {
    const configured = await startSampleSite({
      env: { PUBLIC_URL: 'https://www.example.com', ALLOWED_HOSTS: 'other.example' },
    });
    try {
      const urls = await locations(configured, { host: 'other.example' });
      expect(urls.every(url => url.startsWith('https://www.example.com/'))).toBe(true);
      const page = await sendRequest(configured.url, '/about', { headers: { host: 'other.example' } });
      expect(parsePage(page.text).canonical).toBe('https://www.example.com/about');
      expect(page.text).not.toContain('other.example');
      expect(page.headers['strict-transport-security']).toMatch(/^max-age=\d{7,}/);
    } finally {
      await configured.close();
    }
  });

  it('is a 503 when the lists cannot be had, never an empty sitemap', async () => {
    backend.on('/api/articles', failing(500));
    const answer = await getPage('/sitemap.xml', site.url);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBeTruthy();
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
  });
});

describe('/blog/feed.xml', () => {
  it('is RSS whose links answer 200', async () => {
    const answer = await getPage('/blog/feed.xml');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/rss\+xml/);
    expect(answer.text).toMatch(/^<\?xml version="1\.0" encoding="utf-8"\?>\s*<rss version="2\.0"/);
    const bare = answer.text.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '');
    expect(bare.match(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/gi)).toBeNull();
    const items = [...answer.text.matchAll(/<item>([\s\S]*?)<\/item>/g)].map(([, item = '']) => item);
    expect(items.length).toBeGreaterThan(10);
    const dates: number[] = [];
    for (const item of items) {
      expect(item).toMatch(/<title>.+<\/title>/);
      const link = /<link>(.+)<\/link>/.exec(item)?.[1] ?? '';
      dates.push(Date.parse(/<pubDate>(.+)<\/pubDate>/.exec(item)?.[1] ?? ''));
      expect([link, (await getPage(link.slice(sample.url.length))).status]).toEqual([link, 200]);
    }
    expect(dates).toEqual(dates.toSorted((a, b) => b - a));
    expect(dates.every(Number.isFinite)).toBe(true);
    expect(
      parsePage((await getPage('/')).text)
        .all('link')
        .map(({ properties }) => properties.href),
    ).toContain('/blog/feed.xml');
  });

  it('writes hostile titles as text', async () => {
    const answer = await getPage('/blog/feed.xml', site.url);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('<script>');
  });
});

describe('the files of the build', () => {
  it('are immutable under names with a hash, compressed as the client likes it', async () => {
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

  it('have a font that comes as it is', async () => {
    const [font = ''] = sample.site.manifest.fonts;
    const answer = await sendRequest(sample.url, font, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('font/woff2');
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.body.subarray(0, 4).toString()).toBe('wOF2');
  });

  it.each([
    ['/favicon.svg', 'image/svg+xml', '<svg'],
    ['/favicon.ico', 'image/x-icon', '\0\0\u0001\0'],
    ['/apple-touch-icon.png', 'image/png', '\u0089PNG'],
  ])('have the icon %s, for a day', async (path, type, start) => {
    const answer = await getPage(path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['cache-control']).toBe('public, max-age=86400');
    expect(answer.body.toString('latin1').trimStart().startsWith(start)).toBe(true);
  });

  it.each(['/assets/none.js', '/assets/', '/assets', '/assets/__proto__', '/assets/manifest.json'])(
    '%s is not there, and that is not remembered',
    async path => {
      const answer = await getPage(path);
      expect(answer.status).toBe(404);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it('do not include the source maps', async () => {
    for (const file of [sample.site.manifest.entry, sample.site.manifest.stylesheet])
      expect((await getPage(`${file}.map`)).status).toBe(404);
  });
});

describe('/uploads', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0123456789abcdef', 'hex');
  const serve = (path: string, type: string, body: Buffer | string = PNG) =>
    backend.on(path, (_req, res) => void res.writeHead(200, { 'Content-Type': type, ETag: '"1"' }).end(body));

  it('fetches a file once, and has it when the backend is gone', async () => {
    serve('/uploads/once.png', 'image/png');
    const [first, second] = await Promise.all([1, 2].map(() => getPage('/uploads/once.png', site.url)));
    for (const answer of [first, second]) {
      expect(answer?.status).toBe(200);
      expect(answer?.body).toEqual(PNG);
      expect(answer?.headers['content-type']).toBe('image/png');
      expect(answer?.headers['x-content-type-options']).toBe('nosniff');
      expect(answer?.headers['cache-control']).toBe('public, max-age=3600, stale-while-revalidate=86400');
    }
    backend.on('/uploads/once.png', (_req, res) => void res.destroy());
    expect((await getPage('/uploads/once.png', site.url)).body).toEqual(PNG);
    expect(backend.callsTo('/uploads/once.png')).toHaveLength(1);
  });

  it('has the sample’s pictures', async () => {
    const page = parsePage((await getPage('/')).text);
    const pictures = page.all('img').map(({ properties }) => String(properties.src));
    expect(pictures.length).toBeGreaterThan(5);
    for (const picture of new Set(pictures)) {
      expect(picture).toMatch(/^\/uploads\//);
      expect([picture, (await getPage(picture)).status]).toEqual([picture, 200]);
    }
  });

  it.each([
    'text/html',
    'text/html; charset=utf-8',
    'text/javascript',
    'application/javascript; charset=utf-8',
    'text/css',
    'text/plain',
    'text/xml',
    'application/xml',
    'application/xhtml+xml',
    'application/json',
    'application/octet-stream',
    'application/pdfx',
    'imagehtml',
    '',
  ])('refuses the type %o', async type => {
    const path = `/uploads/refused-${Buffer.from(type).toString('hex')}.png`;
    serve(path, type, '<script>alert(1)</script>');
    const answer = await getPage(path, site.url);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe('Not found');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it.each([
    ['/uploads/widget_30290f8c6a.js', 'text/javascript; charset=utf-8'],
    ['/uploads/custom_25a38560a1.css', 'text/css; charset=utf-8'],
  ])('serves %s, which the settings list', async (path, type) => {
    serve(path, type, 'x');
    const answer = await getPage(path, site.url);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    expect((await getPage('/about', site.url)).text).toContain(`"${path}"`);
  });

  it.each(['image/svg+xml', 'image/png', 'font/woff2', 'video/mp4', 'application/pdf'])(
    'puts %s in a sandbox',
    async type => {
      const path = `/uploads/sandbox-${Buffer.from(type).toString('hex')}`;
      serve(path, type, '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
      const answer = await getPage(path, site.url);
      expect(answer.status).toBe(200);
      const policy = answer.headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toMatch(/;\s*sandbox\s*$/);
      expect(policy).not.toMatch(/script-src|allow-scripts/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('answers ranges, conditions and HEAD', async () => {
    serve('/uploads/range.png', 'image/png');
    const whole = await getPage('/uploads/range.png', site.url);
    const part = await sendRequest(site.url, '/uploads/range.png', { headers: { range: 'bytes=4-7' } });
    expect(part.status).toBe(206);
    expect(part.headers['content-range']).toBe(`bytes 4-7/${PNG.byteLength}`);
    expect(part.body).toEqual(PNG.subarray(4, 8));
    const beyond = await sendRequest(site.url, '/uploads/range.png', { headers: { range: 'bytes=99-' } });
    expect(beyond.status).toBe(416);
    expect(beyond.headers['cache-control']).toBe('no-store');
    const same = await sendRequest(site.url, '/uploads/range.png', {
      headers: { 'if-none-match': whole.headers.etag ?? '' },
    });
    expect(same.status).toBe(304);
    const head = await sendRequest(site.url, '/uploads/range.png', { method: 'HEAD' });
    expect([head.status, head.headers['content-length']]).toEqual([200, String(PNG.byteLength)]);
  });

  it('has no file the backend has not, and does not remember that', async () => {
    expect((await getPage('/uploads/late.png', site.url)).status).toBe(404);
    serve('/uploads/late.png', 'image/png');
    expect((await getPage('/uploads/late.png', site.url)).status).toBe(200);
  });

  it('is a 503 for a file that cannot be fetched', async () => {
    backend.on('/uploads/failing.png', failing(500));
    const answer = await getPage('/uploads/failing.png', site.url);
    expect([answer.status, answer.headers['cache-control']]).toEqual([503, 'no-store']);
  });

  it.each(['POST', 'PUT', 'DELETE'])('refuses %s', async method => {
    const answer = await sendRequest(site.url, '/uploads/once.png', { method });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.each([
    '/uploads/../api/settings',
    '/uploads/%2e%2e/api/settings',
    '/uploads/..%2fapi%2fsettings',
    '/uploads/a%2f..%2f..%2fapi/settings',
    '/uploads/..%5capi',
    '/uploads/%00.png',
    '/uploads/./once.png',
  ])('%s leads nowhere', async path => {
    const answer = await getPage(path, site.url);
    expect(answer.status).toBe(400);
    expect(backend.calls).toEqual([]);
  });

  it('asks the backend for what was asked for, whatever its characters', async () => {
    const path = '/uploads/%C3%A4%20b%3Fc%23d.png';
    serve(path, 'image/png');
    expect((await getPage(`${path}?width=3`, site.url)).status).toBe(200);
    expect(backend.calls.map(call => call.url)).toEqual(['/uploads/ä b?c#d.png']);
  });
});

describe('every kind of answer', () => {
  beforeEach(() => {
    backend.on(
      '/uploads/kind.svg',
      (_req, res) => void res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg/>'),
    );
    backend.on('/api/commerces', failing(500));
  });

  const get =
    (path: string, headers: Record<string, string> = AS_BROWSER) =>
    () =>
      sendRequest(site.url, path, { headers });
  it.each<[what: string, ask: () => Promise<Answer>, status: number]>([
    ['a page', get('/about'), 200],
    ['a payload', get(payloadAddress('/about', '', 'x')), 200],
    ['a 404 page', get('/no/such/page'), 404],
    ['a 404 in JSON', get('/api/no-such'), 404],
    ['a malformed address', get('/%zz'), 400],
    ['a bad Host', get('/', { host: 'a b' }), 400],
    ['a method that is not allowed', () => sendRequest(site.url, '/about', { method: 'DELETE' }), 405],
    ['content out of reach', get('/commerce/online-shops'), 503],
    ['a redirect', get('/old-about'), 301],
    ['a canonical redirect', get('/About'), 308],
    ['a file of the build', get('/favicon.svg'), 200],
    ['a file that is not there', get('/assets/none.js'), 404],
    ['a medium', get('/uploads/kind.svg'), 200],
    ['a medium that is not there', get('/uploads/none.svg'), 404],
    ['the build', get('/builds/latest.json'), 200],
    ['robots.txt', get('/robots.txt'), 200],
    ['the feed', get('/blog/feed.xml'), 200],
    [
      'a message',
      () => postJson(site.url, '/api/email/send', { form: 'subscribe', email: 'a@example.com' }),
      202,
    ],
    ['an invalid message', () => postJson(site.url, '/api/email/send', {}), 422],
    [
      'a form post',
      () => postForm(site.url, '/api/email/send', { form: 'subscribe', email: 'a@example.com' }),
      303,
    ],
  ])('%s has the security headers and its request id', async (_what, ask, status) => {
    const { status: got, headers } = await ask();
    expect(got).toBe(status);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'x-request-id': expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/),
    });
    expect(headers['x-powered-by']).toBeUndefined();
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    if (!policy?.includes('sandbox')) {
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toMatch(/unsafe|\*|http:/);
    }
  });

  it('has a request id of its own, which its line of the log has, too', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => String((await get('/about')()).headers['x-request-id'])),
    );
    expect(new Set(ids).size).toBe(5);
    expect(site.requests('/about').map(line => line.id)).toEqual(expect.arrayContaining(ids));
  });
});

describe('pages and payloads', () => {
  it.each(['/', '/_payload.json', '/sitemap.xml', '/blog/feed.xml'])(
    '%s is compressed for clients that ask for it',
    async path => {
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

  it('carry no script and no style of their own, on any page of the fake backend’s either', async () => {
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

describe('/client-errors', () => {
  let reporting: RunningSite | null = null;
  afterEach(async () => {
    await reporting?.close();
    reporting = null;
  });
  const report = {
    where: 'render',
    name: 'TypeError',
    message: 'x is\nnot a function',
    stack: 'at y',
    path: '/about',
  };

  it('writes what a browser reports to the log, on one line', async () => {
    reporting = await startSite({ contentBaseUrl: backend.url });
    expect((await postJson(reporting.url, '/client-errors', report)).status).toBe(204);
    expect(reporting.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: 'client error',
        clientError: expect.objectContaining({ message: 'x is not a function', path: '/about' }),
      }),
    );
    expect((await postJson(reporting.url, '/client-errors', { where: 'elsewhere' })).status).toBe(400);
    expect(
      (await postJson(reporting.url, '/client-errors', { ...report, stack: 'x'.repeat(9_000) })).status,
    ).toBe(413);
  });

  it('takes so many a minute and no more', async () => {
    reporting = await startSite({ contentBaseUrl: backend.url });
    const { url } = reporting;
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => postJson(url, '/client-errors', report)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 204)).toHaveLength(20);
    expect(statuses.filter(status => status === 429)).toHaveLength(20);
  });
});
