import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRaw } from '../support/raw-connection.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, postJson, sendRequest } from '../support/send-request.ts';

const PUBLIC_URL = 'https://www.example.com';

let open: SampleSite;
let closed: SampleSite;
let proxied: SampleSite;
beforeAll(async () => {
  [open, closed, proxied] = await Promise.all([
    startSampleSite(),
    startSampleSite({ env: { PUBLIC_URL, ALLOWED_HOSTS: 'example.com:8080,internal.example' } }),
    startSampleSite({ env: { PUBLIC_URL, ALLOWED_HOSTS: '', TRUST_PROXY: 'loopback' } }),
  ]);
});
afterAll(() => Promise.all([open, closed, proxied].map(site => site.close())));

function get(site: SampleSite, host: string, path = '/about', headers: Record<string, string> = {}) {
  return sendRequest(site.url, path, { headers: { ...AS_BROWSER, host, ...headers } });
}

describe('where PUBLIC_URL is set', () => {
  it.each([
    'www.example.com',
    'WWW.Example.COM',
    'www.example.com:443',
    'www.example.com:3000',
    'example.com:8080',
    'internal.example',
    'internal.example:3000',
  ])('PUBLIC_URL and ALLOWED_HOSTS are served: %s', async host => {
    // Each page is requested twice, because other code serves a stored page.
    for (const _ of ['made', 'stored']) expect((await get(closed, host)).status).toBe(200);
  });

  it.each([
    'evil.example',
    'example.com',
    'example.com:8081',
    'www.example.com.evil.example',
    'www.example.com.',
    'evil-www.example.com',
    'www.example.com@evil.example',
    'www.example.com:443:443',
    'www.example.com/evil',
    '127.0.0.1',
    'localhost',
    '[::1]',
  ])('another host gets a 421, even for a stored page: %s', async host => {
    await get(closed, 'www.example.com');
    for (const path of [
      '/about',
      '/',
      '/about/_payload.json',
      '/favicon.svg',
      '/no-such-page',
      '/robots.txt',
    ]) {
      const answer = await get(closed, host, path);
      expect([path, answer.status]).toEqual([path, 421]);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.text).not.toContain('evil');
    }
  });

  it('messages and webhooks for another host are refused', async () => {
    const { hostname, port } = new URL(closed.url);
    expect(hostname).toBe('127.0.0.1');
    expect(port).not.toBe('');
    expect(
      (await postJson(closed.url, '/api/email/send', { form: 'subscribe', email: 'a@example.com' })).status,
    ).toBe(421);
    expect((await postJson(closed.url, '/client-errors', {})).status).toBe(421);
  });

  it('the ops port accepts every host', async () => {
    const { status } = await sendRequest(closed.opsUrl, '/healthz', { headers: { host: 'evil.example' } });
    expect(status).toBe(200);
  });

  it('a forwarded host without a trusted proxy is ignored', async () => {
    const forged = { 'x-forwarded-host': 'www.example.com' };
    expect((await get(closed, 'evil.example', '/about', forged)).status).toBe(421);
    expect(
      (await get(closed, 'www.example.com', '/about', { 'x-forwarded-host': 'evil.example' })).status,
    ).toBe(200);
  });

  it('a forwarded host from a trusted proxy is used', async () => {
    expect((await get(proxied, 'site:3000')).status).toBe(421);
    for (const _ of ['made', 'stored'])
      expect(
        (await get(proxied, 'site:3000', '/about', { 'x-forwarded-host': 'www.example.com' })).status,
      ).toBe(200);
    expect(
      (await get(proxied, 'www.example.com', '/about', { 'x-forwarded-host': 'evil.example' })).status,
    ).toBe(421);
    expect(
      (await get(proxied, 'site:3000', '/about', { 'x-forwarded-host': 'evil.example, www.example.com' }))
        .status,
    ).toBe(421);
  });
});

describe('without PUBLIC_URL', () => {
  it.each(['127.0.0.1', 'localhost:3000', 'shop.localhost', '[::1]:3000'])(
    'a browser on this machine gets pages with addresses of its host: %s',
    async host => {
      for (const _ of ['made', 'stored']) {
        const answer = await get(open, host);
        expect(answer.status).toBe(200);
        expect(answer.text).toContain(`<link rel="canonical" href="http://${host}/about">`);
        expect(answer.headers['cache-control']).toBe('public, max-age=0, s-maxage=60');
      }
    },
  );

  it.each(['a b', 'a"b', 'a/b', 'a<b>', 'user@host', 'a:b', "a'b", 'a,b'])(
    'an unreadable host gets a 400: %j',
    async host => {
      const answer = await get(open, host);
      expect(answer.status).toBe(400);
    },
  );
});

describe('a request with two hosts or none', () => {
  it.each([
    'Host: 127.0.0.1\r\nHost: evil.example\r\n',
    'Host: evil.example\r\nHost: 127.0.0.1\r\n',
    'Host: 127.0.0.1\r\nhOST: 127.0.0.1\r\n',
    'Host:\r\n',
    '',
  ])('a request with two hosts or none gets a 400, even for a stored page: %j', async hosts => {
    await get(open, '127.0.0.1');
    const raw = await openRaw(open.url, `GET /about HTTP/1.1\r\n${hosts}\r\n`);
    expect(await raw.answers(1)).toEqual([400]);
    raw.socket.destroy();
  });
});
