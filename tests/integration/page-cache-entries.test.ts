import { describe, expect } from 'vitest';
import { linesOfFull } from '../../server/page-cache/page-head.ts';
import { BYPASS, cacheStatusOf, HIT, STORED_MISS } from '../support/cache-status.ts';
import { DEVICES } from '../support/devices.ts';
import { decompressed, pageCacheTest, storableHeaders } from '../support/page-cache-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { ROUTES_READING_DEVICE } from '../support/reading-device.ts';
import { SAMPLE_PATHS, startSampleSite } from '../support/sample-site.ts';
import { AS_BROWSER, postForm, sendRequest } from '../support/send-request.ts';

const ABOUT = SAMPLE_PATHS.page;
const MISSING = '/no-such-page';

/** Gives each test the number of stored responses, negative entries included. */
const it = pageCacheTest.extend('entries', async ({ sample }) => () => {
  const { positive, negative } = sample.site.pages.size;
  return positive.entries + negative.entries;
});

describe('a stored page', () => {
  it('a stored page has no trace of the request that caused it', async ({ get, siteEnv }) => {
    const path = '/blog/guides/getting-paid-in-brazil';
    const odd: Record<string, string> = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      'x-original-url': '/admin',
      'x-rewrite-url': '/admin',
      'x-http-method-override': 'POST',
      forwarded: 'host=evil.example',
      cookie: 'session=poison; theme=<script>',
      'accept-language': 'tlh',
      authorization: 'Bearer poison',
      'save-data': 'on',
      origin: 'https://evil.example',
      referer: 'https://evil.example/',
    };
    for (let index = 0; index < 50; index++) odd[`x-random-${index}`] = `poison-${Math.random()}`;
    const first = await get(`${path}?poison=1`, odd);
    expect(cacheStatusOf(first)).toBe(STORED_MISS);
    const clean = await get(path);
    expect(cacheStatusOf(clean)).toMatch(HIT);
    expect(decompressed(clean)).not.toMatch(/evil|poison/);

    const fresh = await startSampleSite({ env: siteEnv });
    const reference = await get(path, {}, fresh.url);
    await fresh.close();
    expect(decompressed(clean)).toBe(decompressed(reference));
    expect(storableHeaders(clean)).toEqual(storableHeaders(reference));
  });

  it('no response has Set-Cookie, stored or not', async ({ get, sample }) => {
    for (const path of [...Object.values(SAMPLE_PATHS), MISSING])
      expect((await get(path, { cookie: 'a=b' })).headers['set-cookie']).toBeUndefined();
    for (const { entry } of sample.site.pages.entries())
      expect(linesOfFull(entry.value).toLowerCase()).not.toContain('set-cookie');
  });

  it('all undeclared queries of a page share one stored page', async ({ get, getStored, sample }) => {
    const { entries } = sample.site.pages.size.positive;
    await getStored(ABOUT);
    for (let index = 0; index < 30; index++) {
      const answer = await get(`${ABOUT}?utm_source=${index}&q=${Math.random()}`);
      expect(cacheStatusOf(answer)).toMatch(HIT);
    }
    expect(sample.site.pages.size.positive.entries).toBeLessThanOrEqual(entries + 1);
  });

  it('a page that reads the device is stored once for each device class', async () => {
    const reading = await startSampleSite({ overrides: { routes: ROUTES_READING_DEVICE } });
    const path = '/blog/guides/refunds-across-borders';
    const visit = (userAgent?: string) =>
      sendRequest(reading.url, path, {
        headers: { ...AS_BROWSER, ...(userAgent && { 'user-agent': userAgent }) },
      });
    expect(cacheStatusOf(await visit())).toBe(STORED_MISS);
    const phone = await visit(DEVICES.mobile.userAgent);
    expect(cacheStatusOf(phone)).toBe(STORED_MISS);
    expect(parsePage(phone.text).data?.deviceClass).toBe('mobile');
    expect(cacheStatusOf(await visit('Something (iPhone)'))).toMatch(HIT);
    await reading.close();
  });

  it('without PUBLIC_URL a page is stored once for each host of this machine', async () => {
    const open = await startSampleSite();
    const canonicalOf = async (host: string) =>
      parsePage((await sendRequest(open.url, '/about', { headers: { host, ...AS_BROWSER } })).text).canonical;
    for (let round = 0; round < 2; round++) {
      expect(await canonicalOf('one.localhost')).toBe('http://one.localhost/about');
      expect(await canonicalOf('two.localhost:8080')).toBe('http://two.localhost:8080/about');
    }
    expect(open.site.pages.size.positive.entries).toBe(2);
    await open.close();
  });
});

describe('responses that are not stored', () => {
  it('the cache does not store a response with typed text', async ({ entries, get, getStored, sample }) => {
    await getStored('/contacts');
    const before = entries();
    const invalid = await postForm(sample.url, '/api/email/send', {
      form: 'contact',
      page: '/contacts',
      email: 'typed-by-somebody',
    });
    expect([invalid.status, cacheStatusOf(invalid), invalid.headers['cache-control']]).toEqual([
      422,
      BYPASS,
      'no-store',
    ]);
    expect(entries()).toBe(before);
    expect(decompressed(await get('/contacts'))).not.toContain('typed-by-somebody');
  });

  it('the cache does not store a response to POST at the address of a page', async ({
    get,
    getStored,
    sample,
  }) => {
    await getStored(ABOUT);
    const answer = await postForm(sample.url, ABOUT, { a: 'b' });
    expect(answer.status).toBe(405);
    expect((await get(ABOUT)).status).toBe(200);
  });

  it('the cache does not store a redirect, and Cache-Status says so', async ({ entries, get }) => {
    const before = entries();
    const answer = await get('/About/');
    expect([answer.status, answer.headers.location]).toEqual([308, '/about']);
    expect(cacheStatusOf(answer)).toBe(BYPASS);
    expect(cacheStatusOf(await get('/About/'))).toBe(BYPASS);
    expect(entries()).toBe(before);
  });
});

describe('the 404 of a page that does not exist', () => {
  it('the site stores a 404 for a short time, and no other cache stores it', async ({ get }) => {
    const miss = await get('/another-missing-page');
    expect([miss.status, cacheStatusOf(miss)]).toEqual([404, STORED_MISS]);
    const hit = await get('/another-missing-page');
    expect([hit.status, hit.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(Number(/^site; hit; ttl=(\d+)$/.exec(cacheStatusOf(hit))?.[1])).toBeLessThanOrEqual(10);
    expect(decompressed(hit)).toBe(decompressed(miss));
    expect(storableHeaders(hit)).toEqual(storableHeaders(miss));
    expect(hit.headers['cdn-cache-control']).toBeUndefined();
    expect(String(hit.headers.vary)).toContain('Accept');
  });

  it('a 404 is JSON for clients that accept no HTML, stored or not', async ({ get }) => {
    await get(MISSING);
    for (const accept of ['application/json', 'text/plain']) {
      const answer = await get(MISSING, { accept });
      expect(answer.status).toBe(404);
      expect(JSON.parse(decompressed(answer))).toMatchObject({ error: true, statusCode: 404, url: MISSING });
      expect(cacheStatusOf(answer)).toMatch(/^site; /);
    }
    expect(decompressed(await get(MISSING))).toMatch(/^<!doctype html>/i);
  });

  it('the payload request for a missing page gets a 200 with the error in its body', async ({ get }) => {
    const address = `${MISSING}/_payload.json`;
    await get(address);
    const hit = await get(address);
    expect([hit.status, hit.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(cacheStatusOf(hit)).toMatch(HIT);
    expect(JSON.parse(decompressed(hit))).toMatchObject({ error: { statusCode: 404 } });
  });
});
