import { describe, expect } from 'vitest';
import { cacheStatusOf, FRESH_HIT } from '../support/cache-status.ts';
import { entryEvent, sendWebhook } from '../support/editable-backend.ts';
import { eventually } from '../support/eventually.ts';
import { h1Of, invalidationTest as it, SECRET, SPAIN } from '../support/invalidation-test.ts';
import { startSite } from '../support/start-site.ts';

describe('POST /webhooks/content', () => {
  const event = entryEvent('entry.publish', 'page', { id: 1, documentId: 'x', attributes: {} });

  it('the webhook does not exist without a configured secret', async ({ backend, get }) => {
    const bare = await startSite({ contentBaseUrl: backend.url });
    for (const secret of [null, SECRET, '']) {
      const answer = await sendWebhook(bare.url, secret, event);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([405, undefined]);
    }
    expect((await get('/webhooks/content', {}, bare.url)).status).toBe(404);
    await bare.close();
  });

  it.for([null, '', 'wrong', `${SECRET}x`, SECRET.slice(1)])(
    'the webhook refuses the secret %j',
    async (secret, { get, getStored, site }) => {
      await getStored('/about');
      const answer = await sendWebhook(site.url, secret, event);
      expect(answer.status).toBe(401);
      expect(answer.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store' });
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(cacheStatusOf(await get('/about'))).toMatch(FRESH_HIT);
    },
  );

  it('ten wrong webhook secrets from one address are a 401, more are a 429, and the right secret always works', async ({
    backend,
  }) => {
    const own = await startSite({
      contentBaseUrl: backend.url,
      env: { WEBHOOK_SECRET: SECRET, TRUST_PROXY: 'loopback', PUBLIC_URL: 'any' },
    });
    const send = (address: string, secret: string | null) =>
      sendWebhook(own.url, secret, event, { 'x-forwarded-for': address });
    // A request without a secret is no guess.
    for (let n = 0; n < 15; n += 1) expect((await send('192.0.2.1', null)).status).toBe(401);
    for (let n = 0; n < 10; n += 1) expect((await send('192.0.2.1', `wrong-${n}`)).status).toBe(401);
    for (let n = 0; n < 30; n += 1) {
      const answer = await send('192.0.2.1', 'wrong');
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, '60']);
      expect((await send('192.0.2.1', null)).status).toBe(401);
    }
    expect((await send('192.0.2.2', 'wrong')).status).toBe(401);
    for (let n = 0; n < 30; n += 1) expect((await send('192.0.2.1', SECRET)).status).toBe(200);
    expect((await send('192.0.2.1', 'wrong')).status).toBe(429);
    expect(own.log.filter(({ reason }) => reason === 'too-many-guesses')).toHaveLength(2);
    await own.close();
  });

  it.for([
    ['text that is no JSON', '{"event": "entry.pub'],
    ['JSON that is no object', '"entry.publish"'],
    ['a list', '[]'],
    ['an object without an event', '{}'],
    ['an event that is no text', '{"event": 1}'],
    ['an entry that is no object', '{"event": "entry.publish", "model": "page", "entry": 1}'],
    ['a key that is an object', '{"event": "entry.publish", "model": "page", "entry": {"id": {}}}'],
  ] as const)('the webhook refuses %s', async ([, body], { get, getStored, site }) => {
    await getStored('/about');
    expect((await sendWebhook(site.url, SECRET, body)).status).toBe(400);
    expect(cacheStatusOf(await get('/about'))).toMatch(FRESH_HIT);
  });

  it('the webhook answers with the invalidated tags and logs them', async ({ backend, getStored, site }) => {
    await getStored('/about');
    const row = backend.row('page', 'about');
    row.attributes.h1 = 'Changed by an editor';
    const answer = await sendWebhook(site.url, SECRET, entryEvent('entry.publish', 'page', row));
    expect(answer.json()).toEqual({ purged: ['pages.any', 'pages=about', `pages:${row.documentId}`] });
    expect(site.log.find(({ code }) => code === 'webhook-accepted')).toMatchObject({
      event: 'entry.publish',
    });
    expect(JSON.stringify(site.log)).not.toContain(SECRET);
  });

  it('an event too long to parse invalidates the entry that its beginning identifies', async ({
    backend,
    get,
    getStored,
    site,
  }) => {
    const row = backend.row('article', 'accepting-cards-in-spain');
    const long = { ...row, attributes: { ...row.attributes, body: 'x'.repeat(300_000) } };
    const { entry, ...rest } = entryEvent('entry.publish', 'article', long) as { entry: object };
    const { id, documentId } = row;
    await Promise.all([getStored(SPAIN), getStored('/about')]);
    row.attributes.h1 = 'Changed at length';
    // Strapi writes the keys first.
    const answer = await sendWebhook(site.url, SECRET, { ...rest, entry: { id, documentId, ...entry } });
    expect([answer.status, answer.json()]).toEqual([
      200,
      { purged: expect.arrayContaining([`articles:${documentId}`]) },
    ]);
    expect(h1Of(await get(SPAIN))).toBe('Changed at length');
    expect(cacheStatusOf(await get('/about'))).toMatch(FRESH_HIT);
  });

  it('an event too long to parse invalidates everything if its beginning identifies no entry', async ({
    backend,
    get,
    getStored,
    site,
  }) => {
    await getStored('/about');
    backend.row('page', 'about').attributes.h1 = 'Changed at length';
    const answer = await sendWebhook(site.url, SECRET, { text: 'x'.repeat(70_000), event: 'entry.publish' });
    expect([answer.status, answer.json()]).toEqual([200, { purged: ['*'] }]);
    expect(h1Of(await get('/about'))).toBe('Changed at length');
    expect((await sendWebhook(site.url, 'wrong', { text: 'x'.repeat(70_000) })).status).toBe(401);
  });

  it('the webhook accepts an event that is not about content, and invalidates nothing', async ({
    get,
    getStored,
    site,
  }) => {
    await getStored('/about');
    const answer = await sendWebhook(site.url, SECRET, { event: 'trigger-test' });
    expect([answer.status, answer.json()]).toEqual([200, { purged: [] }]);
    expect(cacheStatusOf(await get('/about'))).toMatch(FRESH_HIT);
  });

  it('after a webhook call the backend is called again before the next probe', async ({
    announce,
    backend,
    get,
    getStored,
    ops,
  }) => {
    await getStored('/about');
    const row = backend.row('page', 'about');
    backend.on('/api/pages', (req, _res) => void req.socket.destroy());
    await get('/terms');
    expect((await ops('GET', '/readyz')).json()).toMatchObject({
      status: 'degraded',
      degraded: [{ reason: 'cms' }],
      backend: 'down',
    });
    row.attributes.h1 = 'Back again';
    backend.on('/api/pages', backend.answerNow('page', 'filters[slug][$eq]=about'));
    await announce('entry.publish', 'page', row);
    expect(h1Of(await get('/about'))).toBe('Back again');
    expect((await ops('GET', '/readyz')).json()).toMatchObject({ backend: 'up' });
  });
});

describe('a lost webhook', () => {
  it('a lost webhook delays a change by at most the TTL and one request', async ({ backend, get }) => {
    const ttlMs = 400;
    const site = await startSite({ contentBaseUrl: backend.url, env: { CONTENT_TTL_MS: String(ttlMs) } });
    for (const path of ['/terms', '/not-yet']) await get(path, {}, site.url);
    const row = backend.row('page', 'terms');
    row.attributes.h1 = 'Changed in silence';
    backend.rows('page').push({
      ...{ id: 78, documentId: 'notyet' },
      attributes: { ...row.attributes, slug: 'not-yet', h1: 'Here now' },
    });
    const changedAt = Date.now();
    expect(h1Of(await get('/terms', {}, site.url))).toBe('Terms of use');
    await eventually(() => expect(Date.now() - changedAt).toBeGreaterThan(ttlMs));
    expect(h1Of(await get('/not-yet', {}, site.url)), 'a 404 is never stale').toBe('Here now');
    await get('/terms', {}, site.url);
    await eventually(() => expect(site.site.pages.inFlight).toBe(0));
    expect(h1Of(await get('/terms', {}, site.url))).toBe('Changed in silence');
    await site.close();
  });
});
