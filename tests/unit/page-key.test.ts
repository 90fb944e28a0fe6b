import { describe, expect, it } from 'vitest';
import { lookupOf, plainKeyOf } from '../../server/page/find-page.ts';
import { pageRequestOf } from '../../server/page/page-request.ts';
import { documentKey, pageKey, partsOfKey } from '../../server/page-cache/page-key.ts';
import { type RouteDefinition, routeById } from '../../shared/routing/routes.ts';
import { DEVICES } from '../support/devices.ts';
import { ROUTES_READING_DEVICE } from '../support/reading-device.ts';

const ORIGIN = 'https://www.example.com';
const userAgent = (device: keyof typeof DEVICES) => ({ 'user-agent': DEVICES[device].userAgent ?? '' });
const keyOf = (url: string, headers = userAgent('desktop'), origin = ORIGIN) =>
  lookupOf(ROUTES_READING_DEVICE, pageRequestOf(url), origin, headers).key;

describe('the query', () => {
  it('the page key omits the query where the route declares none', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) =>
      keyOf(`/about?utm_source=${index}&x${index}=${Math.random()}&page=${index}`),
    );
    expect(new Set([...keys, keyOf('/about'), keyOf('/about?')]).size).toBe(1);
  });

  it('the page key has the declared parameters of the query', () => {
    expect(
      new Set(['/blog/news', '/blog/news?page=2', '/blog/news?page=3'].map(url => keyOf(url))).size,
    ).toBe(3);
    expect(keyOf('/blog/news?utm_source=a&page=2&fbclid=b')).toBe(keyOf('/blog/news?page=2'));
    expect(keyOf('/blog/news?page=2&page=3'), 'the first value counts, as it does for the page').toBe(
      keyOf('/blog/news?page=2'),
    );
  });

  it('the page key orders the query as the route table does', () => {
    const route: RouteDefinition = { ...routeById('page'), query: ['b', 'a'] };
    const key = (search: string) =>
      pageKey({
        ...{ form: 'page', path: '/x', origin: ORIGIN, route, from: null, deviceClass: null, sent: null },
        query: new URLSearchParams(search),
      });
    expect(key('a=1&b=2')).toBe(key('b=2&c=3&a=1'));
    expect(key('a=1&b=2')).toBe(`page ${ORIGIN}/x?b=2&a=1`);
    expect(key('b=2%26a%3D1'), 'an encoded & is part of a value').not.toBe(key('b=2&a=1'));
  });

  it('different declared queries have different page keys', () => {
    const urls = [
      '/blog/news?page=',
      '/blog/news?page=1%26page%3D2',
      '/blog/news?page=1&page=2',
      '/blog/news?page=1%20desktop',
      '/blog/news?page=1%3F',
      '/blog/news%3Fpage=1',
      '/blog/news',
    ];
    expect(new Set(urls.map(url => keyOf(url))).size).toBe(urls.length);
  });

  it('the page key of an address without a route omits the query', () => {
    expect(keyOf('/no/such/route/at/all?page=1')).toBe(keyOf('/no/such/route/at/all?page=2'));
  });
});

describe('the device class', () => {
  const article = '/blog/guides/reading-a-fee-statement';

  it('the key of a page that reads the device has the device class, not the user agent', () => {
    const agents = ['mobile', 'tablet', 'desktop'] as const;
    expect(new Set(agents.map(device => keyOf(article, userAgent(device)))).size).toBe(3);
    expect(keyOf(article, { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/1' })).toBe(
      keyOf(article, userAgent('mobile')),
    );
    expect(keyOf(article, { 'user-agent': `${Math.random()}` })).toBe(keyOf(article));
  });

  it('the key of other pages and of payloads has no device class', () => {
    for (const url of ['/', '/about', '/blog', '/blog/news', `${article}/_payload.json`])
      expect(keyOf(url, userAgent('mobile'))).toBe(keyOf(url));
  });
});

describe('plainKeyOf', () => {
  it.each([
    '/',
    '/about',
    '/blog/news',
    '/blog/guides/x',
    '/no/such/route/at/all',
    '/_payload.json',
    '/blog/guides/x/_payload.json',
  ])('without route matching, plainKeyOf returns the page key of %s up to its device class', url => {
    for (const device of ['mobile', 'tablet', 'desktop'] as const) {
      const plain = plainKeyOf(url, ORIGIN) ?? '';
      expect([plain, `${plain} ${device}`]).toContain(keyOf(url, userAgent(device)));
    }
  });

  it('plainKeyOf returns null for an address with a query', () => {
    expect(plainKeyOf('/blog/news?page=2', ORIGIN)).toBeNull();
    expect(plainKeyOf('/about?', ORIGIN)).toBeNull();
  });
});

describe('the key of a page', () => {
  it('page keys differ by form (page or payload) and by origin', () => {
    expect(keyOf('/about')).not.toBe(keyOf('/about/_payload.json'));
    expect(keyOf('/')).not.toBe(keyOf('/_payload.json'));
    expect(keyOf('/about', userAgent('desktop'), 'http://localhost:3000')).not.toBe(keyOf('/about'));
  });

  it('the page key of a payload omits the build id of its address', () => {
    expect(keyOf('/about/_payload.json?_b=1')).toBe(keyOf('/about/_payload.json?_b=2'));
    expect(keyOf('/blog/news/_payload.json?_b=1&page=2')).toBe(keyOf('/blog/news/_payload.json?page=2'));
  });

  it('the page key ignores other headers', () => {
    const headers = { ...userAgent('desktop'), cookie: 'a=b', 'accept-language': 'de', accept: 'x/y' };
    expect(keyOf('/about', headers)).toBe(keyOf('/about'));
  });
});

describe('pageRequestOf', () => {
  it.each([
    ['/about', { form: 'page', path: '/about', search: '' }],
    ['/about?', { form: 'page', path: '/about', search: '' }],
    ['/about?a=%20b&c', { form: 'page', path: '/about', search: '?a=%20b&c' }],
    ['/_payload.json?_b=1', { form: 'payload', path: '/', search: '' }],
    ['/blog/news/_payload.json?page=2&_b=1', { form: 'payload', path: '/blog/news', search: '?page=2' }],
    ['/about?_b=1', { form: 'page', path: '/about', search: '?_b=1' }],
  ])('pageRequestOf parses form, path and query of %s', (url, expected) => {
    expect(pageRequestOf(url)).toEqual(expect.objectContaining({ ...expected, formState: null }));
  });
});

describe('the parts of a page key', () => {
  const partsFor = (url: string, origin: string | null = ORIGIN) =>
    partsOfKey(lookupOf(ROUTES_READING_DEVICE, pageRequestOf(url), origin, userAgent('tablet')).key);

  it.each([
    ['/blog/news?page=2&utm_source=a', { form: 'page', address: '/blog/news?page=2', deviceClass: null }],
    ['/about/_payload.json?_b=1', { form: 'payload', address: '/about', deviceClass: null }],
    ['/blog/news/a', { form: 'page', address: '/blog/news/a', deviceClass: 'tablet' }],
  ])('partsOfKey returns form, origin, address and device class from the key of %s', (url, values) => {
    expect(partsFor(url)).toEqual({ origin: ORIGIN, ...values });
    expect(partsFor(url, null)).toEqual({ origin: null, ...values });
  });

  it('the address in a page key has the same page key', () => {
    const key = keyOf('/blog/news?utm_source=a&page=2', userAgent('mobile'));
    const parts = partsOfKey(key) ?? expect.fail('no parts');
    expect(keyOf(parts.address)).toBe(key);
  });

  it('partsOfKey returns null for the key of a document and of a form’s thank-you page', () => {
    expect(partsFor('/?sent=subscribe')).toBeNull();
    expect(partsOfKey(documentKey(ORIGIN, '/sitemap.xml'))).toBeNull();
  });
});
