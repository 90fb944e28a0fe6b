import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startComponentBackend } from '../support/component-backend.ts';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend, failing, startFakeBackend } from '../support/fake-backend.ts';
import { type HeldAnswer, heldAnswer } from '../support/held-answer.ts';
import { parsePage } from '../support/parse-page.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import { type RunningSite, startSite } from '../support/start-site.ts';

const PARALLEL = ['main-page', 'categories', 'authors', 'settings'] as const;
const SET = 'v5-as-v4';

let backend: FakeBackend;
let site: RunningSite | null = null;

beforeAll(async () => {
  backend = await startFakeBackend(SET);
});
afterEach(async () => {
  await site?.close();
  site = null;
  backend.reset();
});
afterAll(() => backend.close());

const page = (running: RunningSite, path = '/') => sendRequest(running.url, path, { headers: AS_BROWSER });
const ready = (running: RunningSite) => sendRequest(running.opsUrl, '/readyz');
const health = (running: RunningSite) => sendRequest(running.opsUrl, '/healthz');

function hold(name: string): HeldAnswer {
  const held = heldAnswer(capture(SET, `${name}.json`));
  backend.on(`/api/${name}`, held.behaviour);
  return held;
}

describe('the content needed at start-up', () => {
  it('the start-up content is requested in parallel, and the landing page after the other four types', async () => {
    const held = PARALLEL.map(hold);
    const landing = hold('landing');
    site = await startSite({ contentBaseUrl: backend.url, begin: false });
    expect(backend.calls).toEqual([]);
    site.site.startUp.begin();
    // All four calls arrive before any is answered.
    await eventually(() => expect(held.map(answer => answer.waiting())).toEqual([1, 1, 1, 1]));
    expect(backend.calls).toHaveLength(4);
    expect((await ready(site)).status).toBe(503);

    const [last, ...first] = held;
    for (const answer of first) answer.release();
    // The site has three responses, and has had time to act on them.
    await eventually(async () => {
      const { contentCache } = (await ready(site as RunningSite)).json<{
        contentCache: { entries: number };
      }>();
      expect(contentCache.entries).toBe(3);
    });
    expect(backend.callsTo('/api/landing')).toEqual([]);

    const releasedAt = performance.now();
    last?.release();
    await eventually(() => expect(landing.waiting()).toBe(1));
    expect(backend.callsTo('/api/landing')[0]?.at).toBeGreaterThan(releasedAt);
    expect(site.site.startUp.ready).toBe(false);

    landing.release();
    await eventually(async () => expect((await ready(site as RunningSite)).status).toBe(200));
    for (const name of [...PARALLEL, 'landing']) expect(backend.callsTo(`/api/${name}`)).toHaveLength(1);
  });

  it('the first visitors wait for the start-up content, and share its calls', async () => {
    const settings = hold('settings');
    site = await startSite({ contentBaseUrl: backend.url, begin: false });
    const running = site;
    const visits = ['/', '/about', '/blog', '/'].map(path => page(running, path));
    await eventually(() => expect(settings.waiting()).toBe(1));
    settings.release();
    const answers = await Promise.all(visits);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const name of [...PARALLEL, 'landing']) expect(backend.callsTo(`/api/${name}`)).toHaveLength(1);
  });

  it('the start-up content is requested with the documented parameters from a backend with JSON', async ({
    onTestFinished,
  }) => {
    const json = await startComponentBackend(() => 'json');
    onTestFinished(() => json.close());
    site = await startSite({ contentBaseUrl: json.url });
    const urls = json.calls;
    expect(urls).toContain('/api/settings?populate=*');
    expect(urls).toContainEqual(expect.stringMatching(/^\/api\/main-page(?:\?|$)/));
    expect(urls.find(url => url.startsWith('/api/authors?'))).toContain('populate=*');
    const landing = urls.find(url => url.startsWith('/api/landing?'));
    expect(landing).toContain('populate[countries_list][populate]=image');
    expect(landing).toContain('populate[block1Icons]=true');
    expect(landing).toContain('populate[paymentBlockImages]');
  });
});

describe.each([...PARALLEL, 'landing'])('when %s fails', name => {
  it('a failing start-up call shows the error page and is logged, and the site recovers automatically', async () => {
    backend.on(`/api/${name}`, failing(500));
    site = await startSite({ contentBaseUrl: backend.url });
    const running = site;
    const answer = await page(running);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(parsePage(answer.text).headings).toEqual(['Internal Server Error']);
    const payload = await sendRequest(running.url, '/_payload.json');
    expect(payload.status).toBe(503);
    expect(payload.json()).toMatchObject({ error: { statusCode: 503 } });

    expect((await ready(running)).status).toBe(503);
    expect((await ready(running)).json()).toMatchObject({ status: 'loading content' });
    expect((await health(running)).status).toBe(200);
    expect(running.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        code: 'content-start-failed',
        reason: expect.stringContaining(`GET /api/${name}: answered 500`),
      }),
    );

    backend.reset();
    // Without a visitor, only the back-off makes the site recover.
    await eventually(async () => expect((await ready(running)).status).toBe(200));
    expect((await page(running)).status).toBe(200);
  });
});

it('redirects and socials are optional for the start-up', async () => {
  backend.on('/api/redirects', failing(500));
  backend.on('/api/socials', failing(500));
  site = await startSite({ contentBaseUrl: backend.url });
  expect((await ready(site)).status).toBe(200);
  expect((await page(site)).status).toBe(200);
});

it('between two attempts of the start-up, visitors cause no call', async () => {
  backend.on('/api/settings', failing(500));
  site = await startSite({ contentBaseUrl: backend.url });
  const running = site;
  const answers = await Promise.all(Array.from({ length: 20 }, () => page(running)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(backend.callsTo('/api/settings').length).toBeLessThanOrEqual(2);
});

it.each<
  [what: string, behaviour: Parameters<FakeBackend['on']>[1], reason: string, env?: Record<string, string>]
>([
  // Only this case has the short limit, because on a busy machine other calls may take longer than 100 ms.
  ['hangs', () => {}, 'no answer within 100 ms', { CONTENT_TIMEOUT_MS: '100' }],
  ['is not there', (_req, res) => void res.destroy(), 'GET /api/settings'],
  ['sends something else', (_req, res) => void res.end('<html>'), 'not JSON'],
])('a backend that %s at the start makes pages a 503', async (_what, behaviour, reason, env = {}) => {
  backend.on('/api/settings', behaviour);
  site = await startSite({ contentBaseUrl: backend.url, env });
  expect((await page(site)).status).toBe(503);
  expect(site.log).toContainEqual(
    expect.objectContaining({ err: expect.objectContaining({ message: expect.stringContaining(reason) }) }),
  );
});

it('a site that was ready stays ready without its backend', async () => {
  site = await startSite({ contentBaseUrl: backend.url, env: { CONTENT_TTL_MS: '0' } });
  expect((await page(site, '/about')).status).toBe(200);
  for (const name of [...PARALLEL, 'landing', 'pages', 'redirects', 'socials'])
    backend.on(`/api/${name}`, failing(500));
  expect((await page(site)).status).toBe(200);
  expect((await page(site, '/about')).status).toBe(200);
  expect((await ready(site)).status).toBe(200);
});

describe('the ops endpoints', () => {
  it('the ops endpoints report health, readiness and the build', async () => {
    site = await startSite({ contentBaseUrl: backend.url });
    const alive = await health(site);
    expect(alive.json()).toEqual({ status: 'ok' });
    const answer = await ready(site);
    expect(answer.json()).toMatchObject({ status: 'ready', build: site.site.manifest.id });
    for (const { headers } of [alive, answer]) expect(headers['cache-control']).toBe('no-store');
    expect((await sendRequest(site.opsUrl, '/nothing')).status).toBe(404);
  });
});
