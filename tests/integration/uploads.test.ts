import { describe, expect } from 'vitest';
import { type FakeBackend, failing } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { sendRequest } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';

describe('/uploads', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0123456789abcdef', 'hex');
  const serve = (backend: FakeBackend, path: string, type: string, body: Buffer | string = PNG) =>
    backend.on(path, (_req, res) => void res.writeHead(200, { 'Content-Type': type, ETag: '"1"' }).end(body));

  it('fetches a file once and serves it without the backend', async ({ backend, site, getPage }) => {
    serve(backend, '/uploads/once.png', 'image/png');
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

  it('serves the pictures of the sample content', async ({ getPage }) => {
    const page = parsePage((await getPage('/')).text);
    const pictures = page.all('img').map(({ properties }) => String(properties.src));
    expect(pictures.length).toBeGreaterThan(5);
    for (const picture of new Set(pictures)) {
      expect(picture).toMatch(/^\/uploads\//);
      expect([picture, (await getPage(picture)).status]).toEqual([picture, 200]);
    }
  });

  it.for([
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
  ])('refuses the type %o', async (type, { backend, site, getPage }) => {
    const path = `/uploads/refused-${Buffer.from(type).toString('hex')}.png`;
    serve(backend, path, type, '<script>alert(1)</script>');
    const answer = await getPage(path, site.url);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe('Not found');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it.for([
    ['/uploads/widget_30290f8c6a.js', 'text/javascript; charset=utf-8'],
    ['/uploads/custom_25a38560a1.css', 'text/css; charset=utf-8'],
  ] as const)('serves %s, which the settings list', async ([path, type], { backend, site, getPage }) => {
    serve(backend, path, type, 'x');
    const answer = await getPage(path, site.url);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    expect((await getPage('/about', site.url)).text).toContain(`"${path}"`);
  });

  it.for(['image/svg+xml', 'image/png', 'font/woff2', 'video/mp4', 'application/pdf'])(
    'puts %s in a sandbox',
    async (type, { backend, site, getPage }) => {
      const path = `/uploads/sandbox-${Buffer.from(type).toString('hex')}`;
      serve(backend, path, type, '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
      const answer = await getPage(path, site.url);
      expect(answer.status).toBe(200);
      const policy = answer.headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toMatch(/;\s*sandbox\s*$/);
      expect(policy).not.toMatch(/script-src|allow-scripts/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('answers ranges, conditions and HEAD', async ({ backend, site, getPage }) => {
    serve(backend, '/uploads/range.png', 'image/png');
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

  it('is a 404 for a missing file, which is not cached', async ({ backend, site, getPage }) => {
    expect((await getPage('/uploads/late.png', site.url)).status).toBe(404);
    serve(backend, '/uploads/late.png', 'image/png');
    expect((await getPage('/uploads/late.png', site.url)).status).toBe(200);
  });

  it('is a 503 for a file that cannot be fetched', async ({ backend, site, getPage }) => {
    backend.on('/uploads/failing.png', failing(500));
    const answer = await getPage('/uploads/failing.png', site.url);
    expect([answer.status, answer.headers['cache-control']]).toEqual([503, 'no-store']);
  });

  it.for(['POST', 'PUT', 'DELETE'])('refuses %s', async (method, { site }) => {
    const answer = await sendRequest(site.url, '/uploads/once.png', { method });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.for([
    '/uploads/../api/settings',
    '/uploads/%2e%2e/api/settings',
    '/uploads/..%2fapi%2fsettings',
    '/uploads/a%2f..%2f..%2fapi/settings',
    '/uploads/..%5capi',
    '/uploads/%00.png',
    '/uploads/./once.png',
  ])('is a 404 for %s', async (path, { backend, site, getPage }) => {
    const answer = await getPage(path, site.url);
    expect(answer.status).toBe(400);
    expect(backend.calls).toEqual([]);
  });

  it('requests the same file name from the backend, whatever its characters', async ({
    backend,
    site,
    getPage,
  }) => {
    const path = '/uploads/%C3%A4%20b%3Fc%23d.png';
    serve(backend, path, 'image/png');
    expect((await getPage(`${path}?width=3`, site.url)).status).toBe(200);
    expect(backend.calls.map(call => call.url)).toEqual(['/uploads/ä b?c#d.png']);
  });
});
