import { describe, expect } from 'vitest';
import { sendRequest } from '../support/send-request.ts';
import { siteTest } from '../support/site-test.ts';

const PUBLIC_URL = 'https://www.example.com';

const it = siteTest
  .extend(
    'siteEnv',
    { scope: 'file' },
    async (): Promise<Record<string, string>> => ({
      PUBLIC_URL,
      TRUST_PROXY: 'loopback',
    }),
  )
  /**
   * Requests like a proxy that reports the client's protocol. By default each call has a different client.
   */
  .extend('ask', async ({ sample }) => {
    let clients = 0;
    return (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      clients += 1;
      return sendRequest(sample.url, path, {
        method,
        headers: {
          host: 'www.example.com',
          'x-forwarded-for': `203.0.113.${clients}`,
          'x-forwarded-proto': 'http',
          ...headers,
        },
      });
    };
  });

const WARNING = 'http-proxy-reports-http';

describe('a page requested over plain HTTP', () => {
  it.for(['/about', '/?a=b', '/no-such-page', '/old-about', '//evil.example/x', '/blog?sent=contact'])(
    'a page requested over plain HTTP redirects to the same address over HTTPS, stored or not: %s',
    async (path, { ask }) => {
      await ask(path, { 'x-forwarded-proto': 'https' });
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(path, {}, method);
        expect([status, headers.location]).toEqual([308, PUBLIC_URL + path]);
        // A stored redirect could also answer an HTTPS request.
        expect(headers['cache-control']).toBe('no-store');
        expect(headers['strict-transport-security']).toContain('max-age=');
      }
    },
  );

  it('the redirect to HTTPS uses the public host, whatever host was requested', async ({ ask }) => {
    const { headers } = await ask('/about', { host: '127.0.0.1:80' });
    expect(headers.location).toBe(`${PUBLIC_URL}/about`);
  });

  it.for(['https', 'HTTPS', 'https, http', '', 'ftp'])(
    'a page is answered without a redirect where the proxy reports “%s”',
    async (protocol, { ask }) => {
      expect((await ask('/about', { 'x-forwarded-proto': protocol })).status).toBe(200);
    },
  );

  it('an HTTPS request that the proxy reports as HTTP gets the page, and one warning is logged', async ({
    ask,
    sample,
  }) => {
    for (const path of ['/about', '/about', '/careers']) {
      const answer = await ask(path, { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' });
      expect(answer.status).toBe(200);
    }
    expect(sample.log.filter(({ code }) => code === WARNING)).toEqual([
      expect.objectContaining({ level: 'warn', remedy: expect.stringContaining('X-Forwarded-Proto') }),
    ]);
  });

  it('a client that returns from the redirect to HTTPS gets the page, which prevents a loop', async ({
    ask,
  }) => {
    const crawler = { 'x-forwarded-for': '198.51.100.7' };
    expect((await ask('/about', crawler)).status).toBe(308);
    expect((await ask('/about', crawler)).status).toBe(200);
    expect((await ask('/careers', crawler)).status).toBe(308);
  });
});

describe('addresses that do not redirect to HTTPS', () => {
  it.for([
    ['/about/_payload.json', 200],
    ['/robots.txt', 200],
    ['/sitemap.xml', 200],
    ['/blog/feed.xml', 200],
    ['/builds/latest.json', 200],
    ['/favicon.svg', 200],
    ['/uploads/none.svg', 404],
  ] as const)('%s is answered over plain HTTP without a redirect', async ([path, status], { ask }) => {
    expect((await ask(path)).status).toBe(status);
  });

  it('a form submission is accepted over plain HTTP, because its text was already sent in the clear', async ({
    ask,
  }) => {
    expect((await ask('/api/email/send', { 'content-type': 'application/json' }, 'POST')).status).toBe(422);
  });
});

describe('plain HTTP without a redirect', () => {
  it.for([
    [{ PUBLIC_URL: 'http://www.example.com', TRUST_PROXY: 'loopback' }, 'where PUBLIC_URL is http'],
    [{ PUBLIC_URL }, 'where no proxy is trusted'],
  ] as const)('%o never redirects to HTTPS: %s', async ([env], { startOwnSite }) => {
    const site = await startOwnSite({ env });
    const headers = { host: 'www.example.com', 'x-forwarded-proto': 'http' };
    expect((await sendRequest(site.url, '/about', { headers })).status).toBe(200);
  });
});
