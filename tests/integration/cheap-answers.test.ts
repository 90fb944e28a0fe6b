import { describe, expect } from 'vitest';
import type { CreatedSite } from '../../server/create-site.ts';
import { createHttpServer } from '../../server/http/http-server.ts';
import { createRequestListener } from '../../server/request-listener.ts';
import { cacheStatusOf, FRESH_HIT, STORED_MISS } from '../support/cache-status.ts';
import type { Row } from '../support/editable-backend.ts';
import { capture, failing } from '../support/fake-backend.ts';
import { close, listen } from '../support/listen.ts';
import { pageCacheTest } from '../support/page-cache-test.ts';
import { parsePage } from '../support/parse-page.ts';
import { readsOf } from '../support/reads-of.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';

/** Content stays fresh, so a page is stale only when a test invalidates it. */
const it = pageCacheTest.extend('siteEnv', { scope: 'file' }, async () => ({
  PUBLIC_URL: 'https://www.example.com',
  CONTENT_TTL_MS: '3600000',
}));

/** Serves a listener that records the requests that it passes on to Express. */
async function startListener(site: CreatedSite) {
  const handedOn: string[] = [];
  const server = createHttpServer(
    createRequestListener(site, (req, res) => {
      handedOn.push(req.url ?? '');
      res.end();
    }),
  );
  return { url: await listen(server), handedOn, stop: () => close(server) };
}

describe('the thank-you page of a form', () => {
  it('the thank-you page of a form is stored in addition to the plain page', async ({ get }) => {
    const plain = await get('/contacts', { 'accept-encoding': 'identity' });
    for (const form of ['contact', 'subscribe']) {
      const path = `/contacts?sent=${form}`;
      expect(cacheStatusOf(await get(path))).toBe(STORED_MISS);
      const thanks = await get(path, { 'accept-encoding': 'identity' });
      expect(cacheStatusOf(thanks)).toMatch(FRESH_HIT);
      expect(thanks.text).toContain('Thank you.');
      expect(parsePage(thanks.text).data?.formState).toMatchObject({ form, status: 'sent' });
      expect(thanks.headers['cache-control']).toBe(plain.headers['cache-control']);
    }
    expect((await get('/contacts', { 'accept-encoding': 'identity' })).text).toBe(plain.text);
    // The thank-you page of a list keeps its page number.
    await get('/blog/guides?page=1&sent=subscribe');
    expect(cacheStatusOf(await get('/blog/guides?sent=subscribe&page=1'))).toMatch(FRESH_HIT);
  });

  it('a thank-you address without a known form shows the plain page', async ({ get, getStored, sample }) => {
    await getStored('/contacts');
    await getStored('/contacts/_payload.json');
    const before = sample.site.pages.size.positive.entries;
    for (const path of [
      '/contacts?sent=',
      '/contacts?sent=x',
      '/contacts?sent=contact1&sent=contact',
      '/contacts/_payload.json?sent=contact',
    ])
      expect([path, cacheStatusOf(await get(path))]).toEqual([path, expect.stringMatching(FRESH_HIT)]);
    expect(sample.site.pages.size.positive.entries).toBe(before);
  });
});

describe('a refused request', () => {
  const refusals: readonly (readonly [status: number, what: string, path: string, options: object])[] = [
    [421, 'This server does not serve that host.', '/', { headers: { ...AS_BROWSER, host: 'x.example' } }],
    [405, 'This address can only be read.', '/', { method: 'DELETE', headers: AS_BROWSER }],
    [400, 'The address cannot be read.', '/%zz', { headers: AS_BROWSER }],
  ];
  it.for(refusals)(
    'a refused request gets only the sentence of the error page: %i',
    async ([status, words, path, options], { sample }) => {
      await sendRequest(sample.url, '/', { headers: AS_BROWSER });
      let answer: Answer | undefined;
      const reads = await readsOf(sample, async () => {
        answer = await sendRequest(sample.url, path, options);
      });
      expect(answer?.status).toBe(status);
      expect(answer?.body.length).toBeLessThan(1_500);
      const { main, headings } = parsePage(answer?.text ?? '');
      expect(headings).toEqual(['Internal Server Error']);
      for (const text of [String(status), words, 'Try again']) expect(main).toContain(text);
      // The only content that the site reads is the language of the settings.
      expect(reads).toEqual({ peeked: 1 });
    },
  );
});

describe('a refused host or address', () => {
  it('a refused host or address is answered and logged without Express', async ({ sample }) => {
    await sendRequest(sample.url, '/', { headers: AS_BROWSER });
    const { url, handedOn, stop } = await startListener(sample.site);
    const ask = (path: string, headers: object, method = 'GET') =>
      sendRequest(url, path, { method, headers: { ...AS_BROWSER, host: 'www.example.com', ...headers } });
    try {
      const misdirected = await ask('/', { host: 'x.example' });
      expect([misdirected.status, misdirected.headers['cache-control']]).toEqual([421, 'no-store']);
      expect(sample.log.filter(({ id }) => id === misdirected.headers['x-request-id'])).toEqual([
        expect.objectContaining({ status: 421, host: 'x.example', bytes: misdirected.body.length }),
      ]);
      const json = await ask('/api/%zz', {}, 'POST');
      expect([json.status, JSON.parse(json.text)]).toEqual([
        400,
        expect.objectContaining({ error: true, url: '/api/%zz', message: 'The address cannot be read.' }),
      ]);
      const head = await ask('/%zz', {}, 'HEAD');
      expect([head.status, head.text, Number(head.headers['content-length'])]).toEqual([
        400,
        '',
        (await ask('/%zz', {})).body.length,
      ]);
      expect(handedOn).toEqual([]);
      await ask('/no/such/page', {});
      expect(handedOn).toEqual(['/no/such/page']);
    } finally {
      await stop();
    }
  });
});

describe('a stored sitemap or feed', () => {
  it.for(['/sitemap.xml', '/blog/feed.xml'])(
    'a stored %s is served without Express, also as a 304 and with a query',
    async (path, { get, sample }) => {
      const first = await get(path);
      const { url, handedOn, stop } = await startListener(sample.site);
      try {
        const ask = (address: string, headers = {}) =>
          sendRequest(url, address, {
            headers: { 'accept-encoding': 'gzip, deflate, br', host: 'www.example.com', ...headers },
          });
        expect((await ask(path)).body.equals(first.body)).toBe(true);
        expect((await ask(`${path}?n=1`)).body.equals(first.body)).toBe(true);
        const condition = { 'if-none-match': first.headers.etag ?? '' };
        expect((await ask(path, condition)).status).toBe(304);
        expect(handedOn).toEqual([]);
      } finally {
        await stop();
      }
    },
  );
});

describe('page suggestions', () => {
  it('page suggestions are prepared once, and again after the content changed', async ({ startOwnSite }) => {
    const site = await startOwnSite({ env: { CONTENT_TTL_MS: '3600000' } });
    const ask = (path: string) => sendRequest(site.url, path, { headers: AS_BROWSER });
    const peeked = async (path: string) =>
      (await readsOf(site, async () => expect((await ask(path)).status).toBe(404))).peeked ?? 0;
    const preparing = await peeked('/no/such/page/1');
    const prepared = await peeked('/no/such/page/2');
    expect(prepared).toBeLessThan(preparing);
    expect(await peeked('/no/such/page/3')).toBe(prepared);

    const misspelt = '/x/commerce/online-shop';
    expect((await ask(misspelt)).text).not.toContain('/commerce/online-shops');
    // The sitemap loads the lists of all entries.
    expect((await ask('/sitemap.xml')).status).toBe(200);
    expect(await peeked('/no/such/page/4')).toBeGreaterThan(prepared);
    expect((await ask(`${misspelt}/`)).text).toContain('/commerce/online-shops');
  });
});

/** @returns the number of pages that a site has rendered. */
async function rendersOf({ opsUrl }: { opsUrl: string }): Promise<number> {
  const { text } = await sendRequest(opsUrl, '/metrics');
  return Number(/^site_render_duration_seconds_count (\d+)$/m.exec(text)?.[1]);
}

describe('pages that cannot be loaded', () => {
  it('failing pages are rendered once for many paths, and each response has its path', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    const ask = (path: string) =>
      sendRequest(site.url, path, { headers: { ...AS_BROWSER, 'accept-encoding': 'identity' } });
    expect((await ask('/about')).status).toBe(200);
    backend.on('/api/pages', failing(500, 'InternalServerError'));
    const first = await ask('/page-1?a=1');
    const before = await rendersOf(site);
    const second = await ask('/page-2?a=2');
    expect([first.status, second.status]).toEqual([503, 503]);
    expect(await rendersOf(site)).toBe(before);
    expect(second.text).toBe(first.text.replaceAll('/page-1', '/page-2').replaceAll('a=1', 'a=2'));
    expect(second.text).toContain('name="page" value="/page-2"');
    expect(second.text).not.toContain('blank-');
  });
});

describe('pages that do not exist', () => {
  it('missing pages are rendered once for many paths, and each response has its path', async ({
    sample,
    get,
  }) => {
    const renders = () => rendersOf(sample);
    const identity = { 'accept-encoding': 'identity' };
    const answers = [await get('/zzzz/1/2/3/4', identity)];
    const before = await renders();
    for (const number of [5, 6, 7]) answers.push(await get(`/zzzz/1/2/3/${number}`, identity));
    expect(await renders()).toBe(before);
    for (const [index, answer] of answers.entries()) {
      const path = `/zzzz/1/2/3/${index + 4}`;
      expect(answer.status).toBe(404);
      const { main, data } = parsePage(answer.text);
      expect(main).toContain(`Page not found: ${path}`);
      expect(data?.payload.error).toMatchObject({ statusCode: 404, message: `Page not found: ${path}` });
      expect(answer.text).toContain(`name="page" value="${path}"`);
    }
  });

  it('missing pages are rendered again after the content around them changed', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    const ask = (number: number) => sendRequest(site.url, `/zzzz/1/2/3/${number}`, { headers: AS_BROWSER });
    expect((await ask(1)).text).not.toContain('/a-new-link');
    const settings = structuredClone(capture('v5-as-v4', 'settings.json')) as { data: Row };
    Object.assign(settings.data.attributes, { footerLinks: [{ title: 'New', href: '/a-new-link' }] });
    backend.on('/api/settings', settings);
    site.site.invalidation.invalidate(['settings']);
    await sendRequest(site.url, '/about', { headers: AS_BROWSER });
    expect((await ask(2)).text).toContain('/a-new-link');
  });
});
