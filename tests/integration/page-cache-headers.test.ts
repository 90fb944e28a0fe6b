import { describe, expect } from 'vitest';
import { EVERYTHING } from '../../server/cache/tags/invalidation-log.ts';
import { purgedKeys } from '../../server/cache/tags/surrogate-keys.ts';
import { OF_DOCUMENTS } from '../../server/http/security/security-headers.ts';
import { cacheStatusOf, FRESH_HIT, HIT, STORED_MISS } from '../support/cache-status.ts';
import type { Row } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { capture } from '../support/fake-backend.ts';
import { pageCacheTest as it, storableHeaders } from '../support/page-cache-test.ts';
import { rendersOf, storedPageOf } from '../support/page-facts-of-site.ts';
import { SAMPLE_PATHS } from '../support/sample-site.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';

const ABOUT = SAMPLE_PATHS.page;
const ARTICLE = SAMPLE_PATHS['blog-article'];

describe('the headers for browsers and CDNs', () => {
  it('browsers revalidate a page each time, and CDNs get a TTL and tags', async ({ getStored }) => {
    const { headers } = await getStored(ARTICLE);
    expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=60');
    const lifetime = 'max-age=60, stale-while-revalidate=60, stale-if-error=864000';
    expect(headers['surrogate-control']).toBe(lifetime);
    expect(headers['cdn-cache-control']).toBe(`public, ${lifetime}`);
    const tags = String(headers['cache-tag']).split(',');
    expect(tags).toEqual(expect.arrayContaining(['settings', 'redirects', 'landing.subscribe']));
    expect(tags[0]).toMatch(/^articles-\w+$/);
    for (const name of [
      /^articles-\w+\.card$/,
      /^categories-\w+\.link$/,
      /^authors-\w+$/,
      // A type's tag may replace the tags of its entries.
      /^file(?:-|$)/,
      /^site$/,
    ])
      expect(tags).toContainEqual(expect.stringMatching(name));
    expect(tags, 'words that all caches accept').toEqual(tags.map(tag => tag.replace(/[^\w.%-]/g, '')));
    expect(String(headers['surrogate-key']).split(' ')).toEqual(tags);
    expect(String(headers['edge-cache-tag']).split(',')).toEqual(tags);
    expect(headers['last-modified']).toBeUndefined();
  });

  it('an entry whose id has characters forbidden in headers still gets a tag', async ({
    backend,
    startOwnSite,
  }) => {
    const secret = 'a-secret-of-the-webhook';
    const { data } = structuredClone(capture('v5-as-v4', 'pages.json')) as { data: Row[] };
    const documentId = '例.a, b\r\nX-Evil: 1\ud800';
    const name = 'pages:%E4%BE%8B%2Ea%2C%20b%0D%0AX-Evil%3A%201%EF%BF%BD';
    const about = data.find(row => row.attributes.slug === 'about');
    backend.on('/api/pages', { data: [{ ...about, documentId }], meta: {} });
    const env = { PUBLIC_URL: 'https://www.example.com', WEBHOOK_SECRET: secret };
    const { url } = await startOwnSite({ env });
    const { status, headers } = await sendRequest(url, '/about', { headers: AS_BROWSER });
    expect([status, headers['x-evil'], headers['cache-tag']?.toString().split(',')[0]]).toEqual([
      ...[200, undefined, name.replace(':', '-')],
    ]);
    const event = { event: 'entry.delete', model: 'page', entry: { documentId, slug: 'about' } };
    const answer = await sendRequest(url, '/webhooks/content', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify(event),
    });
    expect(answer.json<{ purged: string[] }>().purged).toContain(name);
  });

  it('the tags of a response take at most 1,024 bytes, and the tags of types replace longer lists', async ({
    sample,
    getStored,
  }) => {
    for (const path of ['/', '/blog', '/blog/guides', ARTICLE]) {
      const tags = String((await getStored(path)).headers['surrogate-key']);
      expect([path, tags.length <= 1_024]).toEqual([path, true]);
      const stored = storedPageOf(sample, path);
      const names = (stored?.tags ?? []).map(tag => tag.replace(/#.*/, ''));
      // Each tag or one of its parent tags is in the header.
      const named = new Set(tags.split(' '));
      const lost = names.filter(name => ![...purgedKeys([name])].some(word => named.has(word)));
      expect([path, lost]).toEqual([path, []]);
    }
  });

  it('Vary lists only the encoding', async ({ getStored }) => {
    for (const path of [ABOUT, ARTICLE, '/', '/blog'])
      expect([path, (await getStored(path)).headers.vary]).toEqual([path, 'Accept-Encoding']);
    const payload = await getStored(`${ARTICLE}/_payload.json`);
    expect(payload.headers.vary).toBe('Accept-Encoding');
  });

  it('Link lists the files of the first paint, and no later script', async ({ getStored, sample }) => {
    const { manifest } = sample.site;
    const { headers } = await getStored('/');
    expect(headers.link).toContain(`<${manifest.stylesheet}>; rel=preload; as=style`);
    for (const font of manifest.fonts)
      expect(headers.link).toContain(`<${font}>; rel=preload; as=font; crossorigin`);
    expect(headers.link).toContain(`<${manifest.early}>; rel=preload; as=script`);
    for (const script of [manifest.entry, ...manifest.preload, ...manifest.routes.home])
      expect(headers.link).not.toContain(script);
    for (const [, file = ''] of String(headers.link).matchAll(/<([^>]+)>/g))
      expect([file, (await sendRequest(sample.url, file)).status]).toEqual([file, 200]);
  });

  it('Age is the time since the content was loaded', async ({ get }) => {
    const seen = await eventually(async () => {
      const answer = await get(ABOUT);
      expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(1);
      return answer;
    });
    const ttl = Number(/ttl=(-?\d+)/.exec(cacheStatusOf(seen))?.[1]);
    expect(ttl + Number(seen.headers.age)).toBeGreaterThanOrEqual(59);
    expect(ttl + Number(seen.headers.age)).toBeLessThanOrEqual(60);
  });
});

describe('If-None-Match (RFC 9110, section 13)', () => {
  it.for<[name: string, condition: (etag: string) => string, status: number]>([
    ['the ETag', etag => etag, 304],
    ['the strong form of the ETag', etag => etag.slice(2), 304],
    ['a list that has the ETag', etag => `"a", W/"b", ${etag}`, 304],
    ['an asterisk', () => '*', 304],
    ['another ETag', () => 'W/"another"', 200],
    ['text that is no ETag', etag => etag.slice(1, -1), 200],
  ])(
    'If-None-Match with %s selects a 200 or a 304',
    async ([, condition, status], { get, head, getStored }) => {
      const { headers } = await getStored(ABOUT);
      const conditional = { 'if-none-match': condition(headers.etag ?? '') };
      expect((await get(ABOUT, conditional)).status).toBe(status);
      expect((await head(ABOUT, conditional)).status).toBe(status);
    },
  );

  it('a 304 has the headers of the 200 except those of the body and of documents', async ({
    get,
    getStored,
  }) => {
    const stored = await getStored(ABOUT);
    const answer = await get(ABOUT, { 'if-none-match': stored.headers.etag ?? '' });
    const {
      'content-type': type,
      'content-length': length,
      'content-encoding': encoding,
      link,
      ...others
    } = storableHeaders(stored);
    const ofDocuments = new Set([...OF_DOCUMENTS].map(name => name.toLowerCase()));
    const kept = Object.entries(others).filter(([name]) => !ofDocuments.has(name));
    expect(storableHeaders(answer)).toEqual(Object.fromEntries(kept));
    expect(cacheStatusOf(answer)).toMatch(FRESH_HIT);
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(answer.body.byteLength).toBe(0);
  });

  it('a conditional request that misses the cache gets a 304, too', async ({ get }) => {
    const path = '/blog/news/a-status-page-for-every-corridor';
    const miss = await get(path, { 'if-none-match': '*' });
    expect([miss.status, cacheStatusOf(miss)]).toEqual([304, STORED_MISS]);
    const hit = await get(path, { 'if-none-match': '*' });
    expect([hit.status, storableHeaders(hit)]).toEqual([304, storableHeaders(miss)]);
  });
});

describe('the ETag of a page', () => {
  it('the ETag of a page is weak, and equal in all encodings', async ({ get }) => {
    const etags = new Set<unknown>();
    for (const encoding of ['br', 'gzip', 'identity', 'deflate'])
      etags.add((await get(ABOUT, { 'accept-encoding': encoding })).headers.etag);
    expect([...etags]).toEqual([expect.stringMatching(/^W\/"[\w-]+"$/)]);
  });

  it('a revalidation without a change keeps the ETag, and renders nothing', async ({
    get,
    getStored,
    sample,
  }) => {
    const before = await getStored('/contacts');
    const renders = await rendersOf(sample);
    const generatedAt = () => storedPageOf(sample, '/contacts')?.generatedAt;
    const first = generatedAt() ?? 0;
    sample.site.invalidation.invalidate([EVERYTHING]);
    await eventually(async () => {
      await get('/contacts');
      expect(generatedAt()).toBeGreaterThan(first);
    });
    const after = await getStored('/contacts');
    expect(after.headers.etag).toBe(before.headers.etag);
    expect(after.body.equals(before.body)).toBe(true);
    expect(await rendersOf(sample)).toBe(renders);
  });
});

describe('a stored page', () => {
  it.for(['bytes=0-9', 'bytes=-1', 'rubbish'])(
    'the whole stored page is sent for the range %s',
    async (range, { get, getStored }) => {
      const stored = await getStored(ABOUT);
      for (const headers of [{ range }, { range, 'if-range': String(stored.headers.etag) }]) {
        const answer = await get(ABOUT, headers);
        expect([answer.status, answer.body.equals(stored.body)]).toEqual([200, true]);
      }
    },
  );

  it.for<[name: string, value: string]>([
    ['cache-control', 'no-cache'],
    ['cache-control', 'max-age=0'],
    ['cache-control', 'no-store'],
    ['pragma', 'no-cache'],
  ])('the header %s: %s does not prevent a hit', async ([name, value], { get, getStored }) => {
    await getStored(ABOUT);
    expect(cacheStatusOf(await get(ABOUT, { [name]: value }))).toMatch(HIT);
  });
});
