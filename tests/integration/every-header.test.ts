import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer } from '../../server/http/http-server.ts';
import { close, listen } from '../support/listen.ts';
import { openRaw, sendRaw } from '../support/raw-connection.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const HSTS = 'strict-transport-security: max-age=31536000; includesubdomains; preload';

let site: SampleSite;
beforeAll(async () => {
  site = await startSampleSite({
    env: { PUBLIC_URL: 'https://www.example.com', HSTS: 'preload' },
    limits: { receiveMs: 200, stalledMs: 60_000 },
  });
});
afterAll(() => site.close());

const LINE = 'GET / HTTP/1.1\r\nHost: www.example.com\r\n';

function expectHeaders(head: string): void {
  const lines = head.toLowerCase();
  expect(lines).toContain(HSTS);
  expect(lines).toContain('x-content-type-options: nosniff');
  expect(lines).toMatch(/content-security-policy: [^\r]*frame-ancestors 'none'/);
}

function textOf(headers: Record<string, unknown>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n');
}

describe('HSTS, nosniff and frame-ancestors', () => {
  it.each([
    [400, 'GET / HTTP/9.9\r\n\r\n'],
    [400, 'no request at all\r\n\r\n'],
    [431, `${LINE}X: ${'a'.repeat(17_000)}\r\n\r\n`],
    [
      413,
      `POST / HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(17_000)}\r\n`,
    ],
    [408, LINE],
    [400, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])(
    'HSTS, nosniff and frame-ancestors are in the %i for an unreadable request: %j',
    async (status, text) => {
      const raw = await sendRaw(site.url, text);
      expect(raw.statuses()).toEqual([status]);
      expectHeaders(raw.received());
      expect(raw.received()).toMatch(/\r\nConnection: close\r\n/);
    },
  );

  it('HSTS, nosniff and frame-ancestors are in the response to an unknown Expect header', async () => {
    const raw = await sendRaw(site.url, `${LINE}Expect: a-miracle\r\nConnection: close\r\n\r\n`);
    expect(raw.statuses()).toEqual([200]);
    expectHeaders(raw.received());
  });

  it.each([
    [200, '/'],
    [200, '/about/_payload.json'],
    [404, '/no-such-page'],
    [400, '/%zz'],
    [414, `/${'a'.repeat(2_048)}`],
    [301, '/old-about'],
    [200, '/favicon.svg'],
    [404, '/assets/none.js'],
    [200, '/uploads/cover-andes.svg'],
    [403, '/images/640.avif?src=x'],
    [200, '/robots.txt'],
    [200, '/sitemap.xml'],
    [200, '/builds/latest.json'],
  ])(
    'HSTS, nosniff and frame-ancestors are in the %i of %s, also for HEAD and POST',
    async (expected, path) => {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const { status, headers } = await sendRequest(site.url, path, { method, headers: AS_BROWSER });
        if (method !== 'POST') expect(status).toBe(expected);
        expectHeaders(textOf(headers));
      }
    },
  );

  it('HSTS, nosniff and frame-ancestors are in a 421, a 304 and a 206', async () => {
    const ask = async (expected: number, path: string, headers: Record<string, string>) => {
      const { status, headers: answered } = await sendRequest(site.url, path, { headers });
      expect([path, status]).toEqual([path, expected]);
      expectHeaders(textOf(answered));
      return answered;
    };
    await ask(421, '/about', { ...AS_BROWSER, host: 'evil.example' });
    for (const path of [
      '/about',
      '/favicon.svg',
      '/robots.txt',
      '/sitemap.xml',
      '/uploads/cover-andes.svg',
    ]) {
      const { etag = '' } = await ask(200, path, AS_BROWSER);
      await ask(304, path, { ...AS_BROWSER, 'if-none-match': etag });
    }
    await ask(206, '/uploads/cover-andes.svg', { range: 'bytes=0-3' });
  });

  it('nosniff and frame-ancestors are in the responses of the ops port', async () => {
    for (const path of ['/healthz', '/metrics', '/none']) {
      const { headers } = await sendRequest(site.opsUrl, path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      });
    }
  });
});

it('an unreadable request after a response has begun adds no error to that response', async () => {
  const server = createHttpServer((_req, res) => {
    res.writeHead(200);
    res.write('begun');
  });
  const raw = await openRaw(
    await listen(server),
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  await raw.answers(1);
  const failed = once(server, 'clientError');
  raw.socket.write('no chunk\r\n');
  await failed;
  await raw.closed();
  expect(raw.statuses()).toEqual([200]);
  expect(raw.received()).not.toContain('400');
  await close(server);
});
