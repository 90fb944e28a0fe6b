import { describe, expect } from 'vitest';
import { cacheStatusOf, FRESH_HIT, HIT, STORED_MISS } from '../support/cache-status.ts';
import { eventually } from '../support/eventually.ts';
import { decompressed, pageCacheTest as it, storableHeaders } from '../support/page-cache-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { SAMPLE_PATHS } from '../support/sample-site.ts';
import { AS_BROWSER, postForm, sendRequest } from '../support/send-request.ts';
import type { LogLine } from '../support/start-site.ts';

const ABOUT = SAMPLE_PATHS.page;

describe.each(Object.entries(SAMPLE_PATHS))('a page of the route %s', (_, path) => {
  it('a page is a miss once, and then a hit with equal headers and bytes', async ({ get }) => {
    const miss = await get(path);
    expect([miss.status, cacheStatusOf(miss)]).toEqual([200, STORED_MISS]);
    expect(miss.headers.age).toBeUndefined();
    for (let index = 0; index < 3; index++) {
      const hit = await get(path);
      expect([hit.status, cacheStatusOf(hit)]).toEqual([200, expect.stringMatching(FRESH_HIT)]);
      expect(hit.headers.age).toMatch(/^\d+$/);
      expect(storableHeaders(hit)).toEqual(storableHeaders(miss));
      expect(hit.body.equals(miss.body)).toBe(true);
      expect(hit.headers['x-request-id']).toMatch(/^[\w-]{12}-\d+$/);
      expect(hit.headers['x-request-id']).not.toBe(miss.headers['x-request-id']);
    }
  });

  it('a payload is a miss once, and then a hit', async ({ get, sample }) => {
    const address = `${path === '/' ? '' : path}/_payload.json?_b=${sample.site.manifest.id}`;
    const miss = await get(address);
    expect(cacheStatusOf(miss)).toBe(STORED_MISS);
    const hit = await get(`${address}&else=1`);
    expect(cacheStatusOf(hit)).toMatch(FRESH_HIT);
    expect(hit.body.equals(miss.body)).toBe(true);
    expect(storableHeaders(hit)).toEqual(storableHeaders(miss));
    expect(hit.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(decompressed(hit))).toEqual(parsePage(decompressed(await get(path))).data?.payload);
    expect((await get(address, { 'if-none-match': hit.headers.etag ?? '' })).status).toBe(304);
  });
});

describe('a response to HEAD', () => {
  it.for(['br', 'gzip', 'identity'])(
    'HEAD has the headers of GET and no body, stored or not: %s',
    async (encoding, { get, head }) => {
      const path = `${ABOUT}?head=${encoding}`;
      const answer = await head(path, { 'accept-encoding': encoding });
      const full = await get(path, { 'accept-encoding': encoding });
      expect(storableHeaders(answer)).toEqual(storableHeaders(full));
      expect(answer.body.byteLength).toBe(0);
    },
  );

  it('HEAD stores the page as GET does', async ({ get, head }) => {
    const path = '/business-solutions/payment-links';
    expect(cacheStatusOf(await head(path))).toBe(STORED_MISS);
    const full = await get(path);
    expect(cacheStatusOf(full)).toMatch(HIT);
    expect(full.body.byteLength).toBe(Number((await head(path)).headers['content-length']));
  });
});

describe('the body of a page', () => {
  it('the body of a page is equal in every encoding, stored or not', async ({ get, sample }) => {
    const path = '/commerce/online-shops';
    const texts = new Set<string>();
    for (const encoding of ['identity', 'br', 'gzip', 'deflate;q=0.5', ''])
      texts.add(decompressed(await get(path, { 'accept-encoding': encoding })));
    texts.add((await sendRequest(sample.url, path, { headers: AS_BROWSER })).text);
    expect(texts.size).toBe(1);
    expect([...texts][0]).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/i);
  });

  it('Content-Length is the length of the body', async ({ get }) => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await get(ABOUT, { 'accept-encoding': encoding });
      expect(Number(answer.headers['content-length'])).toBe(answer.body.byteLength);
      expect(answer.headers['transfer-encoding']).toBeUndefined();
    }
  });
});

describe('a hit and a miss', () => {
  it('a hit and a miss have equal security headers', async ({ get, sample }) => {
    const miss = await get('/business-solutions');
    const hit = await get('/business-solutions');
    expect([cacheStatusOf(miss), cacheStatusOf(hit)]).toEqual([STORED_MISS, expect.stringMatching(HIT)]);
    for (const [name] of sample.site.securityHeaders) {
      if (name === 'Content-Security-Policy') continue;
      expect([name, hit.headers[name.toLowerCase()]]).toEqual([name, miss.headers[name.toLowerCase()]]);
      expect(hit.headers[name.toLowerCase()]).toBeTruthy();
    }
    expect(hit.headers['content-security-policy']).toContain('default-src');
    expect(hit.headers['content-security-policy']).toBe(miss.headers['content-security-policy']);
    expect(hit.headers['x-powered-by']).toBeUndefined();
  });

  it('hits and misses are logged with the same fields, including the outcome', async ({ get, sample }) => {
    const path = '/blog/news/kazakhstan-corridor-opens';
    await get(`${path}?utm_source=a`);
    await get(`${path}?utm_source=b`);
    const { headers } = await get(path);
    await get(path, { 'if-none-match': String(headers.etag) });
    await sendRequest(sample.url, path, { method: 'HEAD' });
    const lines = await eventually(() => {
      const found = sample.requests(path);
      expect(found).toHaveLength(5);
      return found;
    });
    expect(lines.map(({ page, status, route }) => [page, status, route])).toEqual([
      ['miss', 200, 'blog-article'],
      ['hit', 200, 'blog-article'],
      ['hit', 200, 'blog-article'],
      ['hit', 304, 'blog-article'],
      ['hit', 200, 'blog-article'],
    ]);
    const fields = (line: LogLine | undefined) => Object.keys(line ?? {}).toSorted();
    expect(fields(lines[1])).toEqual(fields(lines[0]));
    for (const line of lines) {
      expect(line).toMatchObject({ path, client: 'program', level: 'info' });
      expect(typeof line.ms).toBe('number');
      expect(JSON.stringify(line)).not.toContain('utm_source');
    }
    expect(lines[2]?.id).toBe(headers['x-request-id']);
    expect(lines.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET', 'HEAD']);
    const length = Number(headers['content-length']);
    expect(length).toBeGreaterThan(1_000);
    expect(lines.map(({ bytes }) => bytes)).toEqual([length, length, length, 0, 0]);
  });

  it('hits, misses and bypasses are counted', async ({ get, head, sample }) => {
    const { registry } = sample.site.metrics;
    const count = async (outcome: string) => {
      const metrics = await registry.getSingleMetricAsString('site_page_answers_total');
      return Number(new RegExp(`outcome="${outcome}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0);
    };
    const path = '/blog/cases';
    const outcomes = ['hit', 'miss', 'bypass'];
    const before = await Promise.all(outcomes.map(count));
    await get(path);
    await get(path);
    await head(path);
    await postForm(sample.url, '/api/email/send', { form: 'contact', page: path });
    await eventually(async () => {
      const after = await Promise.all(outcomes.map(count));
      expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([2, 1, 1]);
    });
    const contentReads = await registry.getSingleMetricAsString('site_content_reads_total');
    const hits = Number(/outcome="hit"\} (\d+)/.exec(contentReads)?.[1] ?? 0);
    expect(hits, 'reads of cached content by rendered pages').toBeGreaterThan(10);
  });
});
