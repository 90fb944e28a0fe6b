import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOpsApp } from '../../server/ops-app.ts';
import { DEVICES } from '../support/devices.ts';
import {
  type EditableBackend,
  entryEvent,
  type Model,
  type Row,
  sendWebhook,
  startEditableBackend,
} from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { heldAnswer } from '../support/held-answer.ts';
import { close, listen } from '../support/listen.ts';
import { parsePage } from '../support/parse-page.ts';
import { type Answer, AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const SECRET = 'a-secret-of-the-backend';
const TOKEN = 'a-token-of-the-operators';
const SPAIN = '/blog/guides/accepting-cards-in-spain';

let backend: EditableBackend;
let site: RunningSite;

beforeAll(async () => {
  backend = await startEditableBackend();
  // Nothing gets old within a test: what changes has been purged.
  site = await startSite({
    contentBaseUrl: backend.url,
    env: { WEBHOOK_SECRET: SECRET, OPS_TOKEN: TOKEN, CONTENT_TTL_MS: '3600000' },
  });
});
afterEach(async () => {
  backend.reset();
  await ops('DELETE', '/cache?tag=*', TOKEN);
  await eventually(async () => {
    expect(await shows('/about', 'About us')).toBe(true);
    expect((await get(SPAIN)).status).toBe(200);
  });
});
afterAll(async () => {
  await site.close();
  await backend.close();
});

const get = (path: string, headers: Record<string, string> = {}, base = site.url) =>
  sendRequest(base, path, { headers: { ...AS_BROWSER, ...headers } });
const ops = (method: string, path: string, token?: string, base = site.opsUrl) =>
  sendRequest(base, path, { method, headers: token ? { authorization: `Bearer ${token}` } : {} });
const h1 = (answer: Answer) => parsePage(answer.text).headings[0];
const statusOf = (answer: Answer) => String(answer.headers['cache-status']);

/** Whether a page has a text: a failure then does not print the page. */
const shows = async (path: string, text: string) => (await get(path)).text.includes(text);

/** Visits a page until it is a fresh hit. */
async function seen(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  await get(path, headers);
  const answer = await get(path, headers);
  expect(statusOf(answer)).toMatch(/^site; hit; ttl=\d/);
  return answer;
}

/** What an editor does: the change, then the event. */
async function tell(event: string, model: Model | 'settings', row: Row): Promise<void> {
  const answer = await sendWebhook(site.url, SECRET, entryEvent(event, model, row));
  expect(answer.status).toBe(200);
}

describe('POST /webhooks/content', () => {
  const event = entryEvent('entry.publish', 'page', { id: 1, documentId: 'x', attributes: {} });

  it('does not exist without a secret', async () => {
    const bare = await startSite({ contentBaseUrl: backend.url });
    for (const secret of [null, SECRET, '']) {
      const answer = await sendWebhook(bare.url, secret, event);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([405, undefined]);
    }
    expect((await get('/webhooks/content', {}, bare.url)).status).toBe(404);
    await bare.close();
  });

  it.each([null, '', 'wrong', `${SECRET}x`, SECRET.slice(1)])(
    'is refused with the secret %j',
    async secret => {
      await seen('/about');
      const answer = await sendWebhook(site.url, secret, event);
      expect(answer.status).toBe(401);
      expect(answer.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store' });
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(statusOf(await get('/about'))).toMatch(/^site; hit; ttl=\d/);
    },
  );

  it.each([
    ['no JSON', '{"event": "entry.pub'],
    ['no object', '"entry.publish"'],
    ['a list', '[]'],
    ['no event', '{}'],
    ['an event that is no text', '{"event": 1}'],
    ['an entry that is no object', '{"event": "entry.publish", "model": "page", "entry": 1}'],
    ['a key that is an object', '{"event": "entry.publish", "model": "page", "entry": {"id": {}}}'],
  ])('refuses %s', async (_, body) => {
    await seen('/about');
    expect((await sendWebhook(site.url, SECRET, body)).status).toBe(400);
    expect(statusOf(await get('/about'))).toMatch(/^site; hit; ttl=\d/);
  });

  it('says what it purged, and writes it in the log', async () => {
    const row = backend.row('page', 'about');
    const answer = await sendWebhook(site.url, SECRET, entryEvent('entry.publish', 'page', row));
    expect(answer.json()).toEqual({ purged: ['pages', `pages:${row.documentId}`, `pages:${row.id}`] });
    expect(site.log.find(({ msg }) => msg === 'content webhook')).toMatchObject({ event: 'entry.publish' });
    expect(JSON.stringify(site.log)).not.toContain(SECRET);
  });

  it('of a long entry reads the beginning alone, and purges by it', async () => {
    const row = backend.row('article', 'accepting-cards-in-spain');
    const long = { ...row, attributes: { ...row.attributes, body: 'x'.repeat(300_000) } };
    const { entry, ...event } = entryEvent('entry.publish', 'article', long) as { entry: object };
    const { id, documentId } = row;
    await Promise.all([seen(SPAIN), seen('/about')]);
    row.attributes.h1 = 'Changed at length';
    // As Strapi writes it: the keys first.
    const answer = await sendWebhook(site.url, SECRET, { ...event, entry: { id, documentId, ...entry } });
    expect([answer.status, answer.json()]).toEqual([
      200,
      { purged: ['articles', `articles:${documentId}`, `articles:${id}`] },
    ]);
    expect(h1(await get(SPAIN))).toBe('Changed at length');
    expect(statusOf(await get('/about'))).toMatch(/^site; hit; ttl=\d/);
  });

  it('of a long entry that begins otherwise purges everything', async () => {
    await seen('/about');
    backend.row('page', 'about').attributes.h1 = 'Changed at length';
    const answer = await sendWebhook(site.url, SECRET, { text: 'x'.repeat(70_000), event: 'entry.publish' });
    expect([answer.status, answer.json()]).toEqual([200, { purged: ['*'] }]);
    expect(h1(await get('/about'))).toBe('Changed at length');
    expect((await sendWebhook(site.url, 'wrong', { text: 'x'.repeat(70_000) })).status).toBe(401);
  });

  it('thanks for an event that says nothing of the site', async () => {
    await seen('/about');
    const answer = await sendWebhook(site.url, SECRET, { event: 'trigger-test' });
    expect([answer.status, answer.json()]).toEqual([200, { purged: [] }]);
    expect(statusOf(await get('/about'))).toMatch(/^site; hit; ttl=\d/);
  });
});

describe('what an editor does', () => {
  it('publish: the next request shows it, within a second, in every form and on every list', async () => {
    const row = backend.row('article', 'accepting-cards-in-spain');
    const asPhone = { 'user-agent': DEVICES.mobile.userAgent ?? '' };
    await Promise.all([
      seen(SPAIN),
      seen(SPAIN, asPhone),
      seen(`${SPAIN}/_payload.json`),
      seen('/blog'),
      seen('/blog/guides'),
      seen('/about'),
    ]);
    row.attributes.h1 = 'Changed by an editor';
    row.attributes.title = 'Changed title';
    const publishedAt = performance.now();
    await tell('entry.publish', 'article', row);
    expect(h1(await get(SPAIN))).toBe('Changed by an editor');
    expect(performance.now() - publishedAt).toBeLessThan(1_000);
    expect(h1(await get(SPAIN, asPhone))).toBe('Changed by an editor');
    expect(await shows(`${SPAIN}/_payload.json`, 'Changed by an editor')).toBe(true);
    for (const list of ['/blog', '/blog/guides'])
      expect([list, await shows(list, 'Changed title')]).toEqual([list, true]);
    expect(statusOf(await get('/about')), 'what has nothing to do with it').toMatch(/^site; hit; ttl=\d/);
    expect(statusOf(await get(SPAIN))).toMatch(/^site; hit; ttl=\d/);
  });

  it('save a draft: nothing is asked of the backend', async () => {
    await seen(SPAIN);
    const row = backend.row('article', 'accepting-cards-in-spain');
    const draft = { ...row, id: 99, attributes: { ...row.attributes, publishedAt: null } };
    backend.calls.length = 0;
    await tell('entry.update', 'article', draft);
    expect(statusOf(await get(SPAIN))).toMatch(/^site; hit; ttl=\d/);
    expect(backend.calls).toEqual([]);
  });

  it.each(['entry.unpublish', 'entry.delete'])(
    '%s: the page is gone at once, and from the lists',
    async event => {
      const title = 'Ten questions about chargebacks';
      const path = '/blog/guides/ten-questions-about-chargebacks';
      await Promise.all([seen(path), seen(`${path}/_payload.json`), seen('/blog/guides')]);
      const row = backend.row('article', 'ten-questions-about-chargebacks');
      backend.rows('article').splice(backend.rows('article').indexOf(row), 1);
      await tell(event, 'article', row);
      expect((await get(path)).status).toBe(404);
      expect((await get(`${path}/_payload.json`)).json()).toMatchObject({ error: { statusCode: 404 } });
      expect(await shows('/blog/guides', title)).toBe(false);
    },
  );

  it('unpublish while the backend fails: the page is not shown all the same', async () => {
    await seen('/terms');
    backend.on('/api/pages', failing(500));
    await tell('entry.unpublish', 'page', backend.row('page', 'terms'));
    expect((await get('/terms')).status).toBe(503);
    expect((await get('/terms/_payload.json')).status).toBe(503);
  });

  it('publish while the backend fails: the old page is shown, stale, and the new one when it is well', async () => {
    await seen('/terms');
    backend.on('/api/pages', failing(500));
    const row = backend.row('page', 'terms');
    row.attributes.h1 = 'New terms';
    await tell('entry.publish', 'page', row);
    const stale = await get('/terms');
    expect([stale.status, h1(stale)]).toEqual([200, 'Terms of use']);
    expect(statusOf(stale)).toMatch(/^site; hit; ttl=-/);
    backend.on('/api/pages', (_req, res) =>
      res
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify(backend.answerNow('page', 'filters[slug][$eq]=terms'))),
    );
    await eventually(async () => expect(h1(await get('/terms'))).toBe('New terms'));
    expect(statusOf(await get('/terms'))).toMatch(/^site; hit; ttl=\d/);
  });

  it('publish something new: its address was a 404, and is a page at once', async () => {
    expect((await get('/brand-new')).status).toBe(404);
    const about = backend.row('page', 'about');
    const row: Row = {
      ...{ id: 77, documentId: 'brandnew' },
      attributes: { ...about.attributes, slug: 'brand-new', h1: 'Brand new' },
    };
    backend.rows('page').push(row);
    await tell('entry.publish', 'page', row);
    const answer = await get('/brand-new');
    expect([answer.status, h1(answer)]).toEqual([200, 'Brand new']);
  });

  it('change a slug: the new address is the page, the old one none', async () => {
    await seen('/about');
    expect((await get('/about-us')).status).toBe(404);
    const row = backend.row('page', 'about');
    row.attributes.slug = 'about-us';
    row.id += 1;
    await tell('entry.publish', 'page', row);
    expect((await get('/about-us')).status).toBe(200);
    expect((await get('/about')).status).toBe(404);
  });

  it('change a category: its name is on its articles, its old address leads to the new one', async () => {
    await Promise.all([seen(SPAIN), seen('/blog/guides'), seen('/blog')]);
    const row = backend.row('category', 'guides');
    row.attributes.name = 'Handbooks';
    await tell('entry.update', 'category', row);
    for (const path of [SPAIN, '/blog']) expect([path, await shows(path, 'Handbooks')]).toEqual([path, true]);

    row.attributes.slug = 'handbooks';
    await tell('entry.update', 'category', row);
    const moved = await get(SPAIN);
    expect([moved.status, moved.headers.location]).toEqual([308, SPAIN.replace('guides', 'handbooks')]);
    expect((await get(String(moved.headers.location))).status).toBe(200);
  });

  it('change the settings: every page shows it', async () => {
    const paths = ['/', '/about', '/blog', '/blog/guides', SPAIN];
    const known = await Promise.all(paths.map(path => seen(path).then(({ status }) => status)));
    expect(new Set(known)).toEqual(new Set([200]));
    const row: Row = {
      ...{ id: 1, documentId: 'settings' },
      attributes: {
        headerLinks: [{ title: 'A new link', href: '/about' }],
        footerLinks: [],
        socials: [],
        customCss: [],
        scripts: [],
      },
    };
    backend.on('/api/settings', { data: row, meta: {} });
    await tell('entry.update', 'settings', row);
    for (const path of paths) expect([path, await shows(path, 'A new link')]).toEqual([path, true]);
  });

  it('add a redirect: a page that is stored gives way to it, and comes back when it goes', async () => {
    await seen('/terms');
    const row: Row = {
      ...{ id: 50, documentId: 'newredirect' },
      attributes: { from: '/terms', to: '/about', statusCode: 302 },
    };
    backend.rows('redirect').push(row);
    await tell('entry.create', 'redirect', row);
    const moved = await get('/terms');
    expect([moved.status, moved.headers.location]).toEqual([302, '/about']);
    backend.rows('redirect').pop();
    await tell('entry.delete', 'redirect', row);
    expect((await get('/terms')).status).toBe(200);
  });

  it('publish while the page is being made: the one who asks afterwards gets the new one', async () => {
    const row = backend.row('page', 'cookies');
    const held = heldAnswer(backend.answerNow('page', 'filters[slug][$eq]=cookies'));
    backend.on('/api/pages', held.behaviour);
    const early = get('/cookies');
    await eventually(() => expect(held.waiting()).toBe(1));
    row.attributes.title = 'New cookies';
    const current = backend.answerNow('page', 'filters[slug][$eq]=cookies');
    await tell('entry.publish', 'page', row);
    const late = get('/cookies');
    await eventually(() => expect(site.requests('/cookies')).toHaveLength(0));
    backend.on('/api/pages', current);
    held.release();
    expect((await early).text.includes('New cookies')).toBe(false);
    expect((await late).text.includes('New cookies')).toBe(true);
    expect(await shows('/cookies', 'New cookies')).toBe(true);
  });
});

describe('a webhook that is lost', () => {
  it('costs at most the time to live and one more request', async () => {
    const ttlMs = 400;
    const forgetful = await startSite({
      contentBaseUrl: backend.url,
      env: { CONTENT_TTL_MS: String(ttlMs) },
    });
    for (const path of ['/terms', '/not-yet']) await get(path, {}, forgetful.url);
    const row = backend.row('page', 'terms');
    row.attributes.h1 = 'Changed in silence';
    backend.rows('page').push({
      ...{ id: 78, documentId: 'notyet' },
      attributes: { ...row.attributes, slug: 'not-yet', h1: 'Here now' },
    });
    const changedAt = Date.now();
    expect(h1(await get('/terms', {}, forgetful.url))).toBe('Terms of use');
    await eventually(() => expect(Date.now() - changedAt).toBeGreaterThan(ttlMs));
    expect(h1(await get('/not-yet', {}, forgetful.url)), 'there is no stale 404').toBe('Here now');
    await get('/terms', {}, forgetful.url);
    await eventually(() => expect(forgetful.site.pages.inFlight).toBe(0));
    expect(h1(await get('/terms', {}, forgetful.url))).toBe('Changed in silence');
    await forgetful.close();
  });
});

describe('a backend that was down', () => {
  it('is asked at once when it speaks', async () => {
    await seen('/about');
    const row = backend.row('page', 'about');
    backend.on('/api/pages', (req, _res) => void req.socket.destroy());
    await get('/terms');
    expect((await ops('GET', '/readyz')).json()).toMatchObject({ status: 'ready', backend: 'down' });
    row.attributes.h1 = 'Back again';
    backend.on('/api/pages', backend.answerNow('page', 'filters[slug][$eq]=about'));
    await tell('entry.publish', 'page', row);
    await eventually(async () => expect(h1(await get('/about'))).toBe('Back again'), 900);
    expect((await ops('GET', '/readyz')).json()).toMatchObject({ backend: 'up' });
  });
});

describe('for those who run it', () => {
  it('/cache wants the token, and does not exist without one', async () => {
    for (const method of ['GET', 'DELETE']) {
      for (const token of [undefined, 'wrong', SECRET]) {
        const answer = await ops(method, '/cache?tag=*', token);
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      }
    }
    const bare = await startSite({ contentBaseUrl: backend.url });
    for (const method of ['GET', 'DELETE'])
      expect((await ops(method, '/cache?tag=*', TOKEN, bare.opsUrl)).status).toBe(404);
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await ops('GET', path, undefined, bare.opsUrl)).status).toBe(200);
    await bare.close();
  });

  it('is not to be found where visitors are', async () => {
    for (const path of ['/metrics', '/cache', '/readyz', '/healthz'])
      expect((await get(path, { authorization: `Bearer ${TOKEN}` })).status).toBe(404);
  });

  interface Listing {
    pages: { bytes: number; entries: number };
    entries: { key: string; status: number; ageMs: number; fresh: boolean; bytes: number; tags: string[] }[];
  }

  it('GET /cache lists what is stored, the most recently used first', async () => {
    await seen('/terms');
    await seen('/about');
    // In both encodings: a page is weighed again when it has the second one, and for a moment that counts as a use.
    for (const path of ['/terms', '/about'])
      for (const encoding of ['gzip', 'br']) await get(path, { 'accept-encoding': encoding });
    const listing = (await ops('GET', '/cache', TOKEN)).json() as unknown as Listing;
    expect(listing.pages.entries).toBe(listing.entries.length);
    const [first, second] = listing.entries;
    expect([first?.key, second?.key]).toEqual([
      expect.stringMatching(/\/about$/),
      expect.stringMatching(/\/terms$/),
    ]);
    expect(first).toMatchObject({ status: 200, fresh: true });
    expect(first?.tags).toEqual(expect.arrayContaining(['settings', 'redirects']));
    expect(first?.bytes).toBeGreaterThan(1_000);
    const short = (await ops('GET', '/cache?limit=1', TOKEN)).json() as unknown as Listing;
    expect(short.entries.map(({ key }) => key)).toEqual([first?.key]);
  });

  it('DELETE /cache purges a tag, and wants to be told which', async () => {
    await seen('/terms');
    await seen(SPAIN);
    for (const path of ['/cache', '/cache?tag=', '/cache?tag=a&tag=b'])
      expect((await ops('DELETE', path, TOKEN)).status).toBe(400);
    const row = backend.row('page', 'terms');
    row.attributes.h1 = 'Seen by ops';
    const answer = await ops('DELETE', `/cache?tag=pages:${row.documentId}`, TOKEN);
    expect([answer.status, answer.json()]).toEqual([200, { purged: [`pages:${row.documentId}`] }]);
    const { entries } = (await ops('GET', '/cache', TOKEN)).json() as unknown as Listing;
    expect(entries.find(({ key }) => key.endsWith('/terms'))).toMatchObject({ fresh: false });
    expect(h1(await get('/terms'))).toBe('Seen by ops');
    expect(statusOf(await get(SPAIN))).toMatch(/^site; hit; ttl=\d/);
  });

  it('DELETE /cache?tag=* makes everything stale, and nothing is lost', async () => {
    await seen('/terms');
    await ops('DELETE', '/cache?tag=*', TOKEN);
    const { entries } = (await ops('GET', '/cache', TOKEN)).json() as unknown as Listing;
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ fresh }) => fresh)).toEqual([]);
    expect((await get('/terms')).status).toBe(200);
  });

  it('/readyz says what there is, and is 503 while the process drains', async () => {
    const answer = await ops('GET', '/readyz');
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({
      status: 'ready',
      build: site.site.manifest.id,
      backend: 'up',
      pages: { entries: expect.any(Number), bytes: expect.any(Number) },
    });
    const draining = createServer(createOpsApp(site.site, () => true));
    const url = await listen(draining);
    const drained = await ops('GET', '/readyz', undefined, url);
    expect([drained.status, drained.json()]).toMatchObject([503, { status: 'draining' }]);
    expect((await ops('GET', '/healthz', undefined, url)).status).toBe(200);
    await close(draining);
  });

  it('/metrics can be read by Prometheus, and has what was promised', async () => {
    await seen('/about');
    const answer = await ops('GET', '/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const samples = new Map<string, number>();
    for (const line of answer.text.split('\n')) {
      if (line === '' || line.startsWith('# HELP ') || line.startsWith('# TYPE ')) continue;
      const sample = /^([a-zA-Z_:][\w:]*(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})?) (\S+)$/.exec(line);
      expect(sample, line).not.toBeNull();
      expect(sample?.[2], line).toMatch(/^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/i);
      samples.set(sample?.[1] ?? '', Number(sample?.[2]));
    }
    for (const layer of ['pages', 'negative-pages', 'content']) {
      expect(samples.get(`site_cache_entries{layer="${layer}"}`)).toBeGreaterThanOrEqual(0);
      expect(samples.get(`site_cache_bytes{layer="${layer}"}`)).toBeGreaterThanOrEqual(0);
    }
    const { positive } = site.site.pages.size;
    expect(samples.get('site_cache_bytes{layer="pages"}')).toBe(positive.bytes);
    expect(samples.get('site_page_answers_total{outcome="hit"}')).toBeGreaterThan(0);
    expect(samples.get('site_page_answers_total{outcome="miss"}')).toBeGreaterThan(0);
    expect(samples.get('site_page_cache_events_total{event="stored"}')).toBeGreaterThan(0);
    for (const timed of ['render', 'compress', 'fetch', 'request'])
      expect([...samples.keys()].some(key => key.startsWith(`site_${timed}_duration_seconds_count`))).toBe(
        true,
      );
    expect(samples.get('site_pages_in_the_making')).toBe(0);
    expect(samples.get('site_content_being_loaded')).toBe(0);
    expect(samples.get('site_backend_up')).toBe(1);
    expect(samples.has('nodejs_eventloop_lag_seconds')).toBe(true);
    const wholeRunway = (3_600_000 + 864_000_000) / 1_000;
    expect(samples.get('site_runway_seconds')).toBeGreaterThan(wholeRunway - 120);
    expect(samples.get('site_runway_seconds')).toBeLessThanOrEqual(wholeRunway);
  });
});
