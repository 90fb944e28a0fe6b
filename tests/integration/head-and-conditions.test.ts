import { describe, expect } from 'vitest';
import { payloadAddress } from '../../shared/routing/payload-address.ts';
import { SAMPLE_PATHS } from '../support/sample-paths.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { siteTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

type Headers = Record<string, string>;

const PICTURE = '/uploads/cover-andes.svg';

/** Each kind of address, with the request headers on which its response depends. */
function addressesOf({ site }: RunningSite): readonly [address: string, headers: Headers][] {
  const pages = Object.values(SAMPLE_PATHS);
  const browser = [
    ...pages,
    '/about?sent=contact',
    '/no-such-page',
    '/no/such/page',
    '/%zz',
    '/old-about',
    '/About',
    '/assets/none.js',
    '/uploads/none.svg',
    '/images/640.avif?src=none',
    PICTURE,
    site.manifest.entry,
    site.manifest.stylesheet,
    ...['/favicon.svg', '/favicon.ico', '/robots.txt', '/sitemap.xml', '/sitemap-1.xml', '/blog/feed.xml'],
    ...['/builds/latest.json', `/builds/meta/${site.manifest.id}.json`],
    // These addresses accept only POST requests.
    ...['/api/email/send', '/webhooks/content', '/client-errors'],
  ].map((address): [string, Headers] => [address, { ...AS_BROWSER }]);
  const programs = [
    ...pages.map(page => payloadAddress(page, '', site.manifest.id)),
    ...['/no-such-page/_payload.json', '/api/none', '/no-such-page'],
  ].map((address): [string, Headers] => [address, { accept: 'application/json' }]);
  return [...browser, ...programs];
}

/** Headers that differ from response to response. */
const OF_ONE_ANSWER = ['date', 'connection', 'keep-alive', 'x-request-id', 'age'];

function lasting(headers: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_ANSWER.includes(name)));
}

describe.each(['br', 'gzip', 'identity'])('for a client that accepts %s', encoding => {
  it('HEAD has the status and all headers of GET, and no body', async ({ sample }) => {
    for (const [address, accept] of addressesOf(sample)) {
      const ask = (method: string) =>
        sendRequest(sample.url, address, { method, headers: { ...accept, 'accept-encoding': encoding } });
      // The first response stores the page, and says so in `Cache-Status`.
      await ask('GET');
      const get = await ask('GET');
      const head = await ask('HEAD');
      // `Cache-Status` contains the remaining TTL in seconds.
      const withoutTtl = ({ headers }: typeof get) => ({
        ...lasting(headers),
        'cache-status': String(headers['cache-status']).replace(/ttl=-?\d+/, 'ttl'),
      });
      expect([address, head.status, withoutTtl(head)]).toEqual([address, get.status, withoutTtl(get)]);
      expect([address, head.body.byteLength]).toEqual([address, 0]);
      expect([address, get.headers['transfer-encoding']]).toEqual([address, undefined]);
    }
  });

  it('a 304 has the Vary, ETag and caching headers of the 200', async ({ sample }) => {
    let revalidated = 0;
    for (const [address, accept] of addressesOf(sample)) {
      const headers = { ...accept, 'accept-encoding': encoding };
      const full = await sendRequest(sample.url, address, { headers });
      const { etag } = full.headers;
      if (full.status !== 200 || etag === undefined) continue;
      const answer = await sendRequest(sample.url, address, {
        headers: { ...headers, 'if-none-match': etag },
      });
      const named = ({ headers: of }: typeof full) => [of.vary, of.etag, of['cache-control']];
      expect([address, answer.status, ...named(answer)]).toEqual([address, 304, ...named(full)]);
      revalidated += 1;
    }
    expect(revalidated).toBeGreaterThan(15);
  });
});

it.for(['/favicon.svg', '/favicon.ico', '/apple-touch-icon.png', '/robots.txt', '/builds/latest.json'])(
  'the response of %s has an ETag',
  async (address, { sample }) => {
    const { headers } = await sendRequest(sample.url, address);
    expect(headers.etag).toMatch(/^W\/"/);
    const conditional = { headers: { 'if-none-match': String(headers.etag) } };
    expect((await sendRequest(sample.url, address, conditional)).status).toBe(304);
  },
);

it.for(['POST', 'PUT', 'DELETE', 'TRACE'])(
  'the method %s gets a 405 for files and pages',
  async (method, { sample }) => {
    const { entry } = sample.site.manifest;
    const files = [entry, '/assets/none.js', '/favicon.svg', PICTURE, '/images/640.avif?src=x'];
    for (const address of [...files, '/about', '/no-such-page', '/about/_payload.json', '/sitemap.xml']) {
      const answer = await sendRequest(sample.url, address, { method });
      expect([address, answer.status, answer.headers.allow]).toEqual([address, 405, 'GET, HEAD']);
    }
  },
);
