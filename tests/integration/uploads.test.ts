import { parse } from 'content-disposition';
import { describe, expect } from 'vitest';
import { type FakeBackend, failing } from '../support/fake-backend.ts';
import { picture } from '../support/image-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { sendRequest } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';

describe('/uploads', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0123456789abcdef', 'hex');
  const serve = (backend: FakeBackend, path: string, type: string, body: Buffer | string = PNG) =>
    backend.on(path, (_req, res) => void res.writeHead(200, { 'Content-Type': type, ETag: '"1"' }).end(body));

  it('/uploads fetches a file once, and then serves it without the backend', async ({
    backend,
    site,
    getPage,
  }) => {
    serve(backend, '/uploads/once.png', 'image/png');
    const [first, second] = await Promise.all([1, 2].map(() => getPage('/uploads/once.png', site.url)));
    for (const answer of [first, second]) {
      expect(answer?.status).toBe(200);
      expect(answer?.body).toEqual(PNG);
      expect(answer?.headers['content-type']).toBe('image/png');
      expect(answer?.headers['x-content-type-options']).toBe('nosniff');
      expect(answer?.headers['cache-control']).toBe('public, max-age=3600, stale-while-revalidate=3600');
    }
    backend.on('/uploads/once.png', (_req, res) => void res.destroy());
    expect((await getPage('/uploads/once.png', site.url)).body).toEqual(PNG);
    expect(backend.callsTo('/uploads/once.png')).toHaveLength(1);
  });

  it('/uploads serves the pictures of the sample content', async ({ getPage }) => {
    const page = parsePage((await getPage('/')).text);
    const pictures = page.all('img').map(({ properties }) => String(properties.src));
    expect(pictures.length).toBeGreaterThan(5);
    for (const picture of new Set(pictures)) {
      expect(picture).toMatch(/^\/uploads\//);
      expect([picture, (await getPage(picture)).status]).toEqual([picture, 200]);
    }
  });

  it.for(['text/javascript', 'application/javascript; charset=utf-8', 'text/css'])(
    '/uploads is a 404 for a file of the type %o that the settings do not list',
    async (type, { backend, site, getPage }) => {
      const path = `/uploads/unlisted-${Buffer.from(type).toString('hex')}`;
      serve(backend, path, type, 'alert(1)');
      const answer = await getPage(path, site.url);
      expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([
        ...[404, 'Not found', 'no-store'],
      ]);
    },
  );

  it.for([
    'text/html',
    'text/html; charset=utf-8',
    'text/plain',
    'text/xml',
    'application/xml',
    'application/xhtml+xml',
    'application/json',
    'application/octet-stream',
    'application/pdfx',
    'imagehtml',
    '',
    // The bytes decide, not the name or the declared type.
    'image/png',
    'image/svg+xml',
  ])('/uploads refuses HTML of the type %o in a .png', async (type, { backend, site, getPage }) => {
    const path = `/uploads/refused-${Buffer.from(type).toString('hex')}.png`;
    serve(backend, path, type, '<script>alert(1)</script>');
    const answer = await getPage(path, site.url);
    expect(answer.status).toBe(415);
    expect(answer.text).toBe('Files of this type are not served');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it.for([
    ['/uploads/widget_30290f8c6a.js', 'text/javascript; charset=utf-8'],
    ['/uploads/custom_25a38560a1.css', 'text/css; charset=utf-8'],
  ] as const)(
    '/uploads serves %s, which the settings list',
    async ([path, type], { backend, site, getPage }) => {
      serve(backend, path, type, 'x');
      const answer = await getPage(path, site.url);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
      expect((await getPage('/about', site.url)).text).toContain(`"${path}"`);
    },
  );

  it.for([
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', true],
    ['font/woff2', 'wOF2\x00\x01\x00\x00', true],
    ['video/mp4', '\x00\x00\x00\x18ftypisom\x00\x00', false],
    ['application/pdf', '%PDF-1.7', false],
  ] as const)(
    '/uploads detects %s by its bytes, sandboxes it, and downloads it if no page shows it',
    async ([type, bytes, isInline], { backend, site, getPage }) => {
      const path = `/uploads/sandbox-${Buffer.from(type).toString('hex')}`;
      serve(backend, path, 'text/plain', bytes);
      const answer = await getPage(path, site.url);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
      expect(answer.headers['content-disposition']).toEqual(
        isInline ? undefined : expect.stringMatching(/^attachment; filename=/),
      );
      const policy = answer.headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toMatch(/;\s*sandbox\s*$/);
      expect(policy).not.toMatch(/script-src|allow-scripts/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('/uploads, a rendition and a card send raster images with nosniff as the only security header', async ({
    backend,
    site,
    getPage,
  }) => {
    serve(backend, '/uploads/light.png', 'image/png', await picture(64, 32));
    const range = { range: 'bytes=99999999-' };
    for (const address of [
      '/uploads/light.png',
      '/images/uploads/light.png/320.webp',
      '/images/card.jpg?page=/',
    ]) {
      const { status, headers } = await getPage(address, site.url);
      const security = Object.keys(headers).filter(name =>
        /^(?:x-c|x-f|content-sec|cross|perm|refer|orig)/.test(name),
      );
      expect([address, status, security]).toEqual([address, 200, ['x-content-type-options']]);
    }
    // An error response is a document, so it has a policy.
    const beyond = await sendRequest(site.url, '/uploads/light.png', { headers: range });
    expect(beyond.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it.for([
    ['price.pdf', 'price.pdf'],
    ['Preise%20f%C3%BCr%202026.PDF', 'Preise für 2026.PDF'],
    ['setup.exe', 'setup.exe.pdf'],
    ['no-extension', 'no-extension.pdf'],
    ['.htaccess', 'htaccess.pdf'],
    ['a%22%3B%20b%3D%3F.pdf', 'a-; b=-.pdf'],
    // A mark that reverses text direction makes this name look like `exe.pdf`.
    ['%E2%80%AEfdp.exe', 'fdp.exe.pdf'],
    [`${'x'.repeat(90)}.pdf`, `${'x'.repeat(60)}.pdf`],
  ] as const)(
    '/uploads/%s is downloaded under the safe name %s',
    async ([file, name], { backend, site, getPage }) => {
      serve(backend, `/uploads/${file}`, 'text/plain', '%PDF-1.7');
      const answer = await getPage(`/uploads/${file}`, site.url);
      const { type, parameters } = parse(answer.headers['content-disposition'] ?? '');
      expect([answer.status, type, parameters.filename]).toEqual([200, 'attachment', name]);
    },
  );

  it('/uploads supports range requests, conditional requests and HEAD', async ({
    backend,
    site,
    getPage,
  }) => {
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

  it.for([
    '/uploads/%252e%252e/admin/init',
    '/uploads/a/%252E%252E/b.png',
    '/uploads/a%253Bb.png',
    '/uploads/%25%32%65%25%32%65/a.png',
    '/uploads/a%2520b.png',
  ])(
    '/uploads refuses the address %s, which is encoded twice, without a call',
    async (path, { backend, site }) => {
      serve(backend, path, 'image/png');
      expect((await sendRequest(site.url, path)).status).toBe(400);
      const rendition = await sendRequest(site.url, `/images/320.webp?src=${encodeURIComponent(path)}`);
      expect(rendition.status).toBe(403);
      expect(backend.calls.filter(({ url }) => url.startsWith('/uploads/'))).toEqual([]);
    },
  );

  it('/uploads serves a file with a percent sign in its name', async ({ backend, site }) => {
    serve(backend, '/uploads/100%25.png', 'image/png');
    expect((await sendRequest(site.url, '/uploads/100%25.png')).body).toEqual(PNG);
  });

  it('/uploads is a 404 for a missing file, which no CDN stores', async ({ site, getPage }) => {
    const answer = await getPage('/uploads/late.png', site.url);
    expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
  });

  it('/uploads is a 503 for a file that cannot be fetched', async ({ backend, site, getPage }) => {
    backend.on('/uploads/failing.png', failing(500));
    const answer = await getPage('/uploads/failing.png', site.url);
    expect([answer.status, answer.headers['cache-control']]).toEqual([503, 'no-store']);
  });

  it.for(['POST', 'PUT', 'DELETE'])('/uploads refuses %s', async (method, { site }) => {
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
  ])('/uploads is a 404 for %s', async (path, { backend, site, getPage }) => {
    const answer = await getPage(path, site.url);
    expect(answer.status).toBe(400);
    expect(backend.calls).toEqual([]);
  });

  it('/uploads requests the same file name from the backend, whatever its characters', async ({
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
