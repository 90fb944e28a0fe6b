import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePage } from '../support/parse-page.ts';
import { type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, postForm, sendRequest } from '../support/send-request.ts';

const ARTICLE = '/blog/guides/reading-a-fee-statement';

/** Sites with PUBLIC_URL=any and without PUBLIC_URL. Both serve foreign hosts in the same way. */
const sites: Record<string, SampleSite> = {};
beforeAll(async () => {
  sites.any = await startSampleSite({
    env: { PUBLIC_URL: 'any', TRUST_PROXY: 'loopback' },
  });
  sites.unset = await startSampleSite();
});
afterAll(() => Promise.all(Object.values(sites).map(site => site.close())));

function siteOf(name: string): SampleSite {
  const site = sites[name];
  if (!site) throw new Error(`There is no site ${name}`);
  return site;
}

function get(name: string, host: string, path: string, headers: Record<string, string> = {}) {
  return sendRequest(siteOf(name).url, path, { headers: { ...AS_BROWSER, host, ...headers } });
}

describe.each(['any', 'unset'])('a host that a client may have invented, with PUBLIC_URL %s', name => {
  it.each(['/', '/about', '/blog', '/blog/guides', ARTICLE])(
    'all hosts share one stored page of %s, which contains no host',
    async path => {
      const first = await get(name, 'a.example', path);
      const stored = siteOf(name).site.pages.size.positive.entries;
      const others = await Promise.all(
        Array.from({ length: 20 }, (_, n) => get(name, `b${n}.example:${3000 + n}`, path)),
      );
      expect(siteOf(name).site.pages.size.positive.entries).toBe(stored);
      for (const { status, text, headers } of [first, ...others]) {
        expect(status).toBe(200);
        expect(text).toBe(first.text);
        expect(headers['cache-control']).toBe('private, max-age=0, must-revalidate');
        expect(headers.vary).toMatch(/accept-encoding/i);
        for (const header of [
          'cdn-cache-control',
          'surrogate-control',
          'cache-tag',
          'surrogate-key',
          'edge-cache-tag',
        ])
          expect(headers[header]).toBeUndefined();
      }
      expect(first.text).not.toMatch(
        /\.example[:/"]|rel="canonical"|"og:url"|BreadcrumbList|mainEntityOfPage/,
      );
      expect(first.text).toContain('<meta name="robots" content="noindex">');
      expect(first.text).not.toMatch(/application\/rss\+xml/);
      // A picture on a media host keeps its address. A picture on the site's own host has no absolute address
      // here.
      expect(first.text).not.toContain('"og:image"');
      expect(parsePage(first.text).inline).toEqual([]);
    },
  );

  it('payloads for a foreign host say noindex, and have no canonical path', async () => {
    const { text, headers } = await get(name, 'a.example', '/about/_payload.json');
    expect(JSON.parse(text).head).toMatchObject({ robots: 'noindex', canonical: null });
    expect(headers['cache-control']).toBe('private, max-age=0, must-revalidate');
  });

  it.each(['/sitemap.xml', '/sitemap-1.xml', '/blog/feed.xml'])(
    '%s is a 404 for a foreign host',
    async path => {
      expect((await get(name, 'a.example', path)).status).toBe(404);
    },
  );

  it('robots.txt lists no sitemap for a foreign host, and lets crawlers read noindex', async () => {
    const { text, headers } = await get(name, 'a.example', '/robots.txt');
    expect(text).not.toMatch(/Sitemap|example|^Disallow: \/$/m);
    expect(headers['cache-control']).toBe('private, max-age=3600');
  });

  it('no CDN stores a redirect that answers a request with a foreign Host header', async () => {
    for (const path of ['/old-about', '/About']) {
      const { headers } = await get(name, 'a.example', path);
      expect([path, headers['cache-control']]).toEqual([path, 'private, max-age=0, must-revalidate']);
      expect(headers.location).toMatch(/^\/[^/]/);
    }
  });

  it('forms from the requested host are accepted, and forms from another site refused', async () => {
    const post = (headers: Record<string, string>) =>
      postForm(
        siteOf(name).url,
        '/api/email/send',
        { form: 'subscribe', email: 'a@example.com' },
        {
          host: 'a.example',
          ...headers,
        },
      );
    expect((await post({ origin: 'https://a.example' })).status).toBe(303);
    expect((await post({ 'sec-fetch-site': 'same-origin', origin: 'https://a.example' })).status).toBe(303);
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ origin: 'null' })).status).toBe(403);
    expect((await post({ 'sec-fetch-site': 'cross-site', origin: 'https://a.example' })).status).toBe(403);
  });
});

describe('with PUBLIC_URL=any', () => {
  it('PUBLIC_URL=any treats a loopback host like any other, and every response says noindex', async () => {
    const { text } = await get('any', 'a.example', '/about');
    for (const host of ['localhost:3000', '127.0.0.1']) {
      const answer = await get('any', host, '/about');
      expect(answer.text).toBe(text);
    }
    for (const path of ['/about', '/favicon.svg', '/robots.txt', '/no-such-page', '/builds/latest.json'])
      expect((await get('any', 'a.example', path)).headers['x-robots-tag']).toBe('noindex');
  });

  it('PUBLIC_URL=any ignores the forwarded host of a trusted proxy', async () => {
    const { text } = await get('any', 'a.example', '/about');
    const forwarded = await get('any', 'a.example', '/about', { 'x-forwarded-host': 'evil.example' });
    expect(forwarded.text).toBe(text);
    expect((await get('any', 'a.example', '/about', { 'x-forwarded-host': 'a b' })).status).toBe(400);
  });
});

describe('without PUBLIC_URL', () => {
  it('300 foreign hosts share one stored page, which is not the page of this machine', async () => {
    const site = siteOf('unset');
    const before = site.site.pages.size.positive.entries;
    await get('unset', 'localhost', '/terms');
    for (let n = 0; n < 300; n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, at) => get('unset', `h${n + at}.example`, '/terms')));
    expect(site.site.pages.size.positive.entries - before).toBe(2);
  });

  it('without PUBLIC_URL only pages say noindex', async () => {
    expect((await get('unset', 'a.example', '/favicon.svg')).headers['x-robots-tag']).toBeUndefined();
  });
});

describe('a forwarded header while TRUST_PROXY is off', () => {
  const MESSAGE = 'http-forwarded-ignored';
  const warnings = (site: SampleSite) => site.log.filter(({ code }) => code === MESSAGE);

  it.each(['X-Forwarded-For', 'Forwarded', 'X-Forwarded-Host', 'X-Forwarded-Proto'])(
    'a forwarded header without TRUST_PROXY is logged once with the value to set: %s',
    async header => {
      const site = await startSampleSite();
      const ask = (headers: Record<string, string>) => sendRequest(site.url, '/no-such-page', { headers });
      await ask({});
      expect(warnings(site)).toEqual([]);
      for (const _ of ['first', 'second']) await ask({ [header]: '192.0.2.7', 'X-Forwarded-Port': '443' });
      expect(warnings(site)).toEqual([
        expect.objectContaining({
          level: 'warn',
          header: header.toLowerCase(),
          effect: expect.stringContaining('30 form posts in ten minutes close the forms for all'),
          remedy: expect.stringContaining('set TRUST_PROXY=1 PUBLIC_URL=https://www.example.com'),
        }),
      ]);
      await site.close();
    },
  );

  it('a forwarded header with TRUST_PROXY is not logged', async () => {
    await get('any', 'a.example', '/no-such-page', { 'x-forwarded-for': '192.0.2.7' });
    expect(warnings(siteOf('any'))).toEqual([]);
  });
});
