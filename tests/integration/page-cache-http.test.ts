import type { ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../server/cache/invalidation-log.ts';
import { DEVICES } from '../support/devices.ts';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { parsePage } from '../support/parse-page.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { SAMPLE_PATHS, type SampleSite, startSampleSite } from '../support/sample-site.ts';
import { type Answer, AS_BROWSER, postForm, sendRequest } from '../support/send-request.ts';
import { type LogLine, type RunningSite, startSite } from '../support/start-site.ts';

const ABOUT = SAMPLE_PATHS.page;
const ARTICLE = SAMPLE_PATHS['blog-article'];
const BROWSER = { ...AS_BROWSER, 'accept-encoding': 'gzip, deflate, br' };
const MISSING = '/no-such-page';

let site: SampleSite;
beforeAll(async () => {
  site = await startSampleSite({ env: { PUBLIC_URL: 'https://www.example.com' } });
});
afterAll(() => site.close());

const get = (path: string, headers: Record<string, string> = {}, base = site.url) =>
  sendRequest(base, path, { headers: { ...BROWSER, ...headers } });
const head = (path: string, headers: Record<string, string> = {}) =>
  sendRequest(site.url, path, { method: 'HEAD', headers: { ...BROWSER, ...headers } });
const statusOf = (answer: Answer) => answer.headers['cache-status'];

/** An answer's page, unpacked. */
function unpacked({ headers, body }: Answer): string {
  const encoding = headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}

/** What a cache may keep of an answer: without what is of this moment or of this request. */
function lasting({ headers }: Answer): Record<string, unknown> {
  const { date, age, 'cache-status': status, 'x-request-id': id, ...rest } = headers;
  return rest;
}

async function storedAnswer(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  await get(path, headers);
  const answer = await get(path, headers);
  expect(statusOf(answer)).toMatch(/^site; hit; ttl=\d+$/);
  return answer;
}

describe.each(Object.entries(SAMPLE_PATHS))('the route %s', (_, path) => {
  it('is a miss once and a hit from then on, with the same fields and the same bytes', async () => {
    const miss = await get(path);
    expect([miss.status, statusOf(miss)]).toEqual([200, 'site; fwd=miss; stored']);
    expect(miss.headers.age).toBeUndefined();
    for (let index = 0; index < 3; index++) {
      const hit = await get(path);
      expect([hit.status, statusOf(hit)]).toEqual([200, expect.stringMatching(/^site; hit; ttl=\d+$/)]);
      expect(hit.headers.age).toMatch(/^\d+$/);
      expect(lasting(hit)).toEqual(lasting(miss));
      expect(hit.body.equals(miss.body)).toBe(true);
      expect(hit.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
      expect(hit.headers['x-request-id']).not.toBe(miss.headers['x-request-id']);
    }
  });

  it('is a hit as a payload, too', async () => {
    const address = `${path === '/' ? '' : path}/_payload.json?_b=${site.site.manifest.id}`;
    const miss = await get(address);
    expect(statusOf(miss)).toBe('site; fwd=miss; stored');
    const hit = await get(`${address}0`);
    expect(statusOf(hit)).toMatch(/^site; hit; ttl=\d+$/);
    expect(hit.body.equals(miss.body)).toBe(true);
    expect(lasting(hit)).toEqual(lasting(miss));
    expect(hit.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(unpacked(hit))).toEqual(parsePage(unpacked(await get(path))).data?.payload);
    expect((await get(address, { 'if-none-match': hit.headers.etag ?? '' })).status).toBe(304);
  });
});

describe('validators (RFC 9110, 13)', () => {
  it.each([
    ['the tag', (etag: string) => etag, 304],
    ['the strong form of it', (etag: string) => etag.slice(2), 304],
    ['a list', (etag: string) => `"a", W/"b", ${etag}`, 304],
    ['any', () => '*', 304],
    ['another', () => 'W/"another"', 200],
    ['rubbish', (etag: string) => etag.slice(1, -1), 200],
  ])('If-None-Match with %s', async (_, condition, status) => {
    const { headers } = await storedAnswer(ABOUT);
    const conditional = { 'if-none-match': condition(headers.etag ?? '') };
    expect((await get(ABOUT, conditional)).status).toBe(status);
    expect((await head(ABOUT, conditional)).status).toBe(status);
  });

  it('a 304 has all the fields that a 200 has, but those of the content', async () => {
    const stored = await storedAnswer(ABOUT);
    const answer = await get(ABOUT, { 'if-none-match': stored.headers.etag ?? '' });
    const {
      'content-type': type,
      'content-length': length,
      'content-encoding': encoding,
      link,
      ...kept
    } = lasting(stored);
    expect(lasting(answer)).toEqual(kept);
    expect(statusOf(answer)).toMatch(/^site; hit; ttl=\d+$/);
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(answer.body.byteLength).toBe(0);
  });

  it('a miss is answered with 304 as well', async () => {
    const path = '/blog/news/a-status-page-for-every-corridor';
    const miss = await get(path, { 'if-none-match': '*' });
    expect([miss.status, statusOf(miss)]).toEqual([304, 'site; fwd=miss; stored']);
    const hit = await get(path, { 'if-none-match': '*' });
    expect([hit.status, lasting(hit)]).toEqual([304, lasting(miss)]);
  });

  it('the ETag is one for all encodings, and weak', async () => {
    const etags = new Set<unknown>();
    for (const encoding of ['br', 'gzip', 'identity', 'deflate'])
      etags.add((await get(ABOUT, { 'accept-encoding': encoding })).headers.etag);
    expect([...etags]).toEqual([expect.stringMatching(/^W\/"[\w-]+"$/)]);
  });

  it('a renewal that changes nothing renders nothing, and the ETag is the same', async () => {
    const before = await storedAnswer('/contacts');
    const renders = async () =>
      Number(
        /site_render_duration_seconds_count (\d+)/.exec(await site.site.metrics.registry.metrics())?.[1],
      );
    const rendered = await renders();
    const madeAt = () =>
      [...site.site.pages.entries()].find(({ key }) => key.includes('/contacts'))?.entry.generatedAt;
    const first = madeAt() ?? 0;
    site.site.invalidation.invalidate([EVERYTHING]);
    await eventually(async () => {
      await get('/contacts');
      expect(madeAt()).toBeGreaterThan(first);
    });
    const after = await storedAnswer('/contacts');
    expect(after.headers.etag).toBe(before.headers.etag);
    expect(after.body.equals(before.body)).toBe(true);
    expect(await renders()).toBe(rendered);
  });

  it.each(['bytes=0-9', 'bytes=-1', 'rubbish'])('a range is ignored: %s', async range => {
    const stored = await storedAnswer(ABOUT);
    for (const headers of [{ range }, { range, 'if-range': String(stored.headers.etag) }]) {
      const answer = await get(ABOUT, headers);
      expect([answer.status, answer.body.equals(stored.body)]).toEqual([200, true]);
    }
  });

  it.each([
    { 'cache-control': 'no-cache' },
    { 'cache-control': 'max-age=0' },
    { 'cache-control': 'no-store' },
    { pragma: 'no-cache' },
  ])('a visitor cannot make a page be rendered: %j', async headers => {
    await storedAnswer(ABOUT);
    expect(statusOf(await get(ABOUT, headers))).toMatch(/^site; hit/);
  });
});

describe('HEAD', () => {
  it.each(['br', 'gzip', 'identity'])(
    'has the fields of GET and no body, stored or not: %s',
    async encoding => {
      const path = `${ABOUT}?head=${encoding}`;
      const fromCache = await head(path, { 'accept-encoding': encoding });
      const full = await get(path, { 'accept-encoding': encoding });
      expect(lasting(fromCache)).toEqual(lasting(full));
      expect(fromCache.body.byteLength).toBe(0);
    },
  );

  it('fills the cache as GET does', async () => {
    const path = '/business-solutions/payment-links';
    expect(statusOf(await head(path))).toBe('site; fwd=miss; stored');
    const full = await get(path);
    expect(statusOf(full)).toMatch(/^site; hit/);
    expect(full.body.byteLength).toBe(Number((await head(path)).headers['content-length']));
  });
});

describe('the bytes', () => {
  it('are the same for every client, packed or not, from the cache or not', async () => {
    const path = '/commerce/online-shops';
    const texts = new Set<string>();
    for (const encoding of ['identity', 'br', 'gzip', 'deflate;q=0.5', ''])
      texts.add(unpacked(await get(path, { 'accept-encoding': encoding })));
    texts.add((await sendRequest(site.url, path, { headers: AS_BROWSER })).text);
    expect(texts.size).toBe(1);
    expect([...texts][0]).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/i);
  });

  it('are announced by their length', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await get(ABOUT, { 'accept-encoding': encoding });
      expect(Number(answer.headers['content-length'])).toBe(answer.body.byteLength);
      expect(answer.headers['transfer-encoding']).toBeUndefined();
    }
  });
});

describe('what caches outside are told', () => {
  it('browsers ask each time, CDNs know how long, and by what to purge', async () => {
    const { headers } = await storedAnswer(ARTICLE);
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    expect(headers['cdn-cache-control']).toBe(
      'public, max-age=60, stale-while-revalidate=600, stale-if-error=864000',
    );
    const tags = String(headers['cache-tag']).split(',');
    expect(tags).toEqual(
      expect.arrayContaining(['articles', 'categories', 'authors', 'settings', 'redirects', 'landing']),
    );
    expect(tags[0]).toMatch(/^articles:\w+$/);
    expect(String(headers['surrogate-key']).split(' ')).toEqual(tags);
    expect(headers['last-modified']).toBeUndefined();
  });

  it('a page depends on the encoding, and on the device where it reads it', async () => {
    const plain = await storedAnswer(ABOUT);
    expect(plain.headers.vary).toBe('Accept-Encoding');
    const reading = await storedAnswer(ARTICLE);
    expect(String(reading.headers.vary).split(', ')).toEqual(
      expect.arrayContaining(['Accept-Encoding', 'User-Agent', 'CF-Device-Type']),
    );
    const payload = await storedAnswer(`${ARTICLE}/_payload.json`);
    expect(payload.headers.vary).toBe('Accept-Encoding');
  });

  it('the device has its own page where it is read, and no more than one', async () => {
    const path = '/blog/guides/refunds-across-borders';
    const asPhone = { 'user-agent': DEVICES.mobile.userAgent ?? '' };
    expect(statusOf(await get(path))).toMatch(/fwd=miss/);
    const phone = await get(path, asPhone);
    expect(statusOf(phone)).toMatch(/fwd=miss/);
    expect(parsePage(unpacked(phone)).data?.deviceClass).toBe('mobile');
    expect(statusOf(await get(path, { 'user-agent': 'Something (iPhone)' }))).toMatch(/hit/);
  });

  it('the files that the first paint waits for are named, to be loaded ahead', async () => {
    const { manifest } = site.site;
    const { headers } = await storedAnswer('/');
    expect(headers.link).toContain(`<${manifest.stylesheet}>; rel=preload; as=style`);
    for (const font of manifest.fonts)
      expect(headers.link).toContain(`<${font}>; rel=preload; as=font; crossorigin`);
    expect(headers.link).toContain(`<${manifest.early}>; rel=preload; as=script`);
    for (const script of [manifest.entry, ...manifest.preload, ...manifest.routes.home])
      expect(headers.link).not.toContain(script);
    for (const [, file = ''] of String(headers.link).matchAll(/<([^>]+)>/g))
      expect([file, (await sendRequest(site.url, file)).status]).toEqual([file, 200]);
  });

  it('Age is the time since the content was true', async () => {
    const seen = await eventually(async () => {
      const answer = await get(ABOUT);
      expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(1);
      return answer;
    });
    const ttl = Number(/ttl=(-?\d+)/.exec(String(statusOf(seen)))?.[1]);
    expect(ttl + Number(seen.headers.age)).toBeGreaterThanOrEqual(59);
    expect(ttl + Number(seen.headers.age)).toBeLessThanOrEqual(60);
  });
});

describe('a hit and a miss', () => {
  it('are secured alike', async () => {
    const miss = await get('/business-solutions');
    const hit = await get('/business-solutions');
    expect([statusOf(miss), statusOf(hit)]).toEqual([
      'site; fwd=miss; stored',
      expect.stringMatching(/^site; hit/),
    ]);
    for (const [name] of site.site.securityHeaders) {
      if (name === 'Content-Security-Policy') continue;
      expect([name, hit.headers[name.toLowerCase()]]).toEqual([name, miss.headers[name.toLowerCase()]]);
      expect(hit.headers[name.toLowerCase()]).toBeTruthy();
    }
    expect(hit.headers['content-security-policy']).toContain('default-src');
    expect(hit.headers['content-security-policy']).toBe(miss.headers['content-security-policy']);
    expect(hit.headers['x-powered-by']).toBeUndefined();
  });

  it('are logged alike, with the outcome', async () => {
    const path = '/blog/news/kazakhstan-corridor-opens';
    await get(`${path}?utm_source=a`);
    await get(`${path}?utm_source=b`);
    const { headers } = await get(path);
    await get(path, { 'if-none-match': String(headers.etag) });
    await sendRequest(site.url, path, { method: 'HEAD' });
    const lines = await eventually(() => {
      const found = site.requests(path);
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
      expect(line).toMatchObject({ path, crawler: false, level: 'info' });
      expect(typeof line.ms).toBe('number');
      expect(JSON.stringify(line)).not.toContain('utm_source');
    }
    expect(lines[2]?.id).toBe(headers['x-request-id']);
    expect(lines.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET', 'HEAD']);
    const length = Number(headers['content-length']);
    expect(length).toBeGreaterThan(1_000);
    expect(lines.map(({ bytes }) => bytes)).toEqual([length, length, length, 0, 0]);
  });

  it('and a bypass are counted', async () => {
    const count = async (outcome: string) => {
      const metrics = await site.site.metrics.registry.getSingleMetricAsString('site_page_answers_total');
      return Number(new RegExp(`outcome="${outcome}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0);
    };
    const path = '/blog/cases';
    const outcomes = ['hit', 'miss', 'bypass'];
    const before = await Promise.all(outcomes.map(count));
    await get(path);
    await get(path);
    await head(path);
    await get(`${path}?sent=contact`);
    await eventually(async () => {
      const after = await Promise.all(outcomes.map(count));
      expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([2, 1, 1]);
    });
    const contentReads = await site.site.metrics.registry.getSingleMetricAsString('site_content_reads_total');
    const hits = Number(/outcome="hit"\} (\d+)/.exec(contentReads)?.[1] ?? 0);
    expect(hits, 'the reads of pages made for visitors').toBeGreaterThan(10);
  });
});

describe('what a request brings along', () => {
  it('changes nothing in what the next one gets', async () => {
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
    expect(statusOf(first)).toBe('site; fwd=miss; stored');
    const clean = await get(path);
    expect(statusOf(clean)).toMatch(/^site; hit/);
    expect(unpacked(clean)).not.toMatch(/evil|poison/);

    const fresh = await startSampleSite({ env: { PUBLIC_URL: 'https://www.example.com' } });
    const reference = await get(path, {}, fresh.url);
    await fresh.close();
    expect(unpacked(clean)).toBe(unpacked(reference));
    expect(lasting(clean)).toEqual(lasting(reference));
  });

  it('never gets a cookie, and a stored page never has one', async () => {
    for (const path of [...Object.values(SAMPLE_PATHS), MISSING])
      expect((await get(path, { cookie: 'a=b' })).headers['set-cookie']).toBeUndefined();
    for (const { entry } of site.site.pages.entries())
      expect(entry.value.head.fields.map(name => name.toLowerCase())).not.toContain('set-cookie');
  });

  it('shares a page with all other queries', async () => {
    const entries = site.site.pages.size.positive.entries;
    await storedAnswer(ABOUT);
    for (let index = 0; index < 30; index++)
      expect(statusOf(await get(`${ABOUT}?utm_source=${index}&q=${Math.random()}`))).toMatch(/hit/);
    expect(site.site.pages.size.positive.entries).toBeLessThanOrEqual(entries + 1);
  });
});

describe('what is not stored', () => {
  const entries = () => {
    const { positive, negative } = site.site.pages.size;
    return positive.entries + negative.entries;
  };

  it('is the answer to a form', async () => {
    await storedAnswer('/contacts');
    const before = entries();
    const thanks = await get('/contacts?sent=contact');
    expect(statusOf(thanks)).toBe('site; fwd=bypass');
    expect(unpacked(thanks)).not.toBe(unpacked(await get('/contacts')));
    const invalid = await postForm(site.url, '/api/email/send', {
      form: 'contact',
      page: '/contacts',
      email: 'typed-by-somebody',
    });
    expect([invalid.status, statusOf(invalid), invalid.headers['cache-control']]).toEqual([
      422,
      'site; fwd=bypass',
      'no-store',
    ]);
    expect(entries()).toBe(before);
    expect(unpacked(await get('/contacts'))).not.toContain('typed-by-somebody');
  });

  it('is what was posted to a page', async () => {
    await storedAnswer(ABOUT);
    const answer = await postForm(site.url, ABOUT, { a: 'b' });
    expect(answer.status).toBe(405);
    expect((await get(ABOUT)).status).toBe(200);
  });

  it('is a redirect: it says so, and is asked for again', async () => {
    const before = entries();
    const answer = await get('/About/');
    expect([answer.status, answer.headers.location]).toEqual([308, '/about']);
    expect(statusOf(answer)).toBe('site; fwd=bypass');
    expect(statusOf(await get('/About/'))).toBe('site; fwd=bypass');
    expect(entries()).toBe(before);
  });
});

describe('a page that does not exist', () => {
  it('is remembered briefly here and nowhere else', async () => {
    const miss = await get('/another-missing-page');
    expect([miss.status, statusOf(miss)]).toEqual([404, 'site; fwd=miss; stored']);
    const hit = await get('/another-missing-page');
    expect([hit.status, hit.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(Number(/^site; hit; ttl=(\d+)$/.exec(String(statusOf(hit)))?.[1])).toBeLessThanOrEqual(10);
    expect(unpacked(hit)).toBe(unpacked(miss));
    expect(lasting(hit)).toEqual(lasting(miss));
    expect(hit.headers['cdn-cache-control']).toBeUndefined();
    expect(String(hit.headers.vary)).toContain('Accept');
  });

  it('is JSON for who asks for JSON, stored or not', async () => {
    await get(MISSING);
    for (const accept of ['application/json', 'text/plain']) {
      const answer = await get(MISSING, { accept });
      expect(answer.status).toBe(404);
      expect(JSON.parse(unpacked(answer))).toMatchObject({ error: true, statusCode: 404, url: MISSING });
      expect(statusOf(answer)).toMatch(/^site; /);
    }
    expect(unpacked(await get(MISSING))).toMatch(/^<!doctype html>/i);
  });

  it('is a good answer as a payload', async () => {
    const address = `${MISSING}/_payload.json`;
    await get(address);
    const hit = await get(address);
    expect([hit.status, hit.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(statusOf(hit)).toMatch(/^site; hit/);
    expect(JSON.parse(unpacked(hit))).toMatchObject({ error: { statusCode: 404 } });
  });
});

describe('without PUBLIC_URL', () => {
  it('each host has its own page', async () => {
    const open = await startSampleSite();
    const canonicalOf = async (host: string) =>
      parsePage((await sendRequest(open.url, '/about', { headers: { host, ...AS_BROWSER } })).text).canonical;
    for (let round = 0; round < 2; round++) {
      expect(await canonicalOf('one.example')).toBe('http://one.example/about');
      expect(await canonicalOf('two.example:8080')).toBe('http://two.example:8080/about');
    }
    expect(open.site.pages.size.positive.entries).toBe(2);
    await open.close();
  });
});

describe('while the backend fails', () => {
  let relay: Relay;
  let failingSite: RunningSite;

  beforeAll(async () => {
    relay = await startRelay(site.backend.url);
    failingSite = await startSite({
      contentBaseUrl: relay.url,
      env: { PUBLIC_URL: 'https://www.example.com', CONTENT_TTL_MS: '1' },
    });
  });
  afterAll(async () => {
    await failingSite.close();
    await relay.close();
  });

  it('a page that was seen is a stale hit: at once, with a negative ttl, logged and counted', async () => {
    const seen = await get(ABOUT, {}, failingSite.url);
    relay.goDown();
    const stale = await eventually(async () => {
      const answer = await get(ABOUT, {}, failingSite.url);
      expect(statusOf(answer)).toMatch(/^site; hit; ttl=-\d+$/);
      return answer;
    });
    expect([stale.status, stale.headers.etag]).toEqual([200, seen.headers.etag]);
    expect(stale.body.equals(seen.body)).toBe(true);
    expect(lasting(stale)).toEqual(lasting(seen));
    expect(failingSite.requests(ABOUT).at(-1)).toMatchObject({ page: 'stale', status: 200 });
    expect(await failingSite.site.metrics.registry.metrics()).toMatch(
      /site_page_answers_total\{outcome="stale"\} [1-9]/,
    );
    const renewed = { 'if-none-match': String(stale.headers.etag) };
    expect((await get(ABOUT, renewed, failingSite.url)).status).toBe(304);
  });

  it('a page that was not is a 503 that nobody stores', async () => {
    relay.goDown();
    for (const path of ['/privacy', '/privacy/_payload.json']) {
      const answer = await get(path, {}, failingSite.url);
      expect([answer.status, answer.headers['cache-control']]).toEqual([503, 'no-store']);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.headers['cdn-cache-control']).toBeUndefined();
      expect(statusOf(answer)).toBe('site; fwd=bypass');
    }
    const keys = [...failingSite.site.pages.entries()].map(({ key }) => key);
    expect(keys.filter(key => key.includes('/privacy'))).toEqual([]);
    relay.reset();
    await eventually(async () => expect((await get('/privacy', {}, failingSite.url)).status).toBe(200));
  });
});

describe('answers that are no content', () => {
  let backend: FakeBackend;
  let picky: RunningSite;
  const path = '/terms';

  beforeAll(async () => {
    backend = await startFakeBackend();
    picky = await startSite({ contentBaseUrl: backend.url, env: { CONTENT_TTL_MS: '1' } });
  });
  afterAll(async () => {
    await picky.close();
    await backend.close();
  });

  it('never replace a good page', async () => {
    const slugs = capture('v5-as-v4', 'pages.json') as {
      data: { attributes: { slug: string } }[];
    };
    const known = `/${slugs.data[0]?.attributes.slug}`;
    const good = await get(known, {}, picky.url);
    expect(good.status).toBe(200);
    const behaviours = [
      failing(500),
      failing(403, 'ForbiddenError'),
      { data: null },
      { data: [{ id: 1 }], meta: { pagination: { page: 1, pageSize: 100, pageCount: 1, total: 1 } } },
      (_req: unknown, res: ServerResponse) => void res.end('<html>maintenance</html>'),
      (_req: unknown, res: ServerResponse) => void res.end('{"data": [{"id": 1, "attr'),
    ];
    for (const behaviour of behaviours) {
      backend.on('/api/pages', behaviour);
      const calls = backend.callsTo('/api/pages').length;
      await eventually(async () => {
        const answer = await get(known, {}, picky.url);
        expect([answer.status, answer.headers.etag]).toEqual([200, good.headers.etag]);
        expect(statusOf(answer)).toMatch(/hit; ttl=-/);
        expect(backend.callsTo('/api/pages').length).toBeGreaterThan(calls);
      }, 10_000);
    }
    backend.on('/api/pages', {
      data: [],
      meta: { pagination: { page: 1, pageSize: 100, pageCount: 0, total: 0 } },
    });
    await eventually(async () => expect((await get(known, {}, picky.url)).status).toBe(404), 10_000);
    backend.reset();
  });

  it('do not make a page be rendered again and again while one call of it fails', async () => {
    const known = '/about';
    await get(known, {}, picky.url);
    backend.on('/api/pages', failing(500));
    const renders = async () => {
      const metrics = await picky.site.metrics.registry.getSingleMetricAsString(
        'site_render_duration_seconds',
      );
      return Number(/_count (\d+)/.exec(metrics)?.[1]);
    };
    const [before, startedAt] = [await renders(), performance.now()];
    for (let index = 0; index < 60; index++) expect((await get(known, {}, picky.url)).status).toBe(200);
    await eventually(() => expect(picky.site.pages.inFlight).toBe(0));
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    expect((await renders()) - before).toBeLessThanOrEqual(seconds + 1);
    expect(picky.site.backendBreaker.isUp).toBe(true);
    backend.reset();
  });

  it('are asked for once by however many visitors', async () => {
    const hold = heldAnswer({
      data: [],
      meta: { pagination: { page: 1, pageSize: 1, pageCount: 0, total: 0 } },
    });
    backend.on('/api/pages', hold.behaviour);
    backend.calls.length = 0;
    const visitors = Array.from({ length: 200 }, () => get(path, {}, picky.url));
    await eventually(() => expect(hold.waiting()).toBe(1));
    await eventually(() => expect(picky.site.pages.inFlight).toBe(1));
    hold.release();
    const answers = await Promise.all(visitors);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(answers.map(unpacked)).size).toBe(1);
    backend.reset();
  });
});
