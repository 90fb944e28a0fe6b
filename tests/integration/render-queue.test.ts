import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { capture, type FakeBackend, sendJson } from '../support/fake-backend.ts';
import { type HeldAnswer, heldAnswer } from '../support/held-answer.ts';
import { AS_BROWSER, openRequest, sendRequest } from '../support/send-request.ts';
import { backendTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

const get = (site: RunningSite, path: string) => sendRequest(site.url, path, { headers: AS_BROWSER });
const waiting = (site: RunningSite) => site.site.renderQueue.work.waiting;

/** Makes the backend hold its responses for `/commerce/…`, so that a page there keeps its render slot. */
function holdCommerces(backend: FakeBackend): HeldAnswer {
  const held = heldAnswer({ data: [], meta: {} });
  backend.on('/api/commerces', held.behaviour);
  return held;
}

describe('pages that are not stored', () => {
  it('unstored pages wait while MAX_RENDERS others render, and are served in order', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({ env: { MAX_RENDERS: '1' } });
    expect((await get(site, '/about')).status).toBe(200);
    const held = holdCommerces(backend);
    const paths = Array.from({ length: 8 }, (_, index) => `/commerce/page-${index}`);
    const answers = [];
    for (const [index, path] of paths.entries()) {
      answers.push(get(site, path));
      if (index === 0) await eventually(() => expect(held.waiting()).toBe(1));
      await eventually(() => expect(waiting(site)).toBe(index));
    }
    // Stored pages, files, and requests for a page that is being rendered need no render slot.
    expect((await get(site, '/about')).headers['cache-status']).toContain('hit');
    expect((await get(site, '/favicon.svg')).status).toBe(200);
    answers.push(get(site, paths[0] ?? ''));
    expect(held.waiting()).toBe(1);

    held.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 404));
    const answered = site.log.filter(({ code, status }) => code === 'http-request' && status === 404);
    expect([...new Set(answered.map(({ path }) => path))]).toEqual(paths);
  });

  it('an unstored page that gets no render slot in time is a 503 with Retry-After, without a log entry', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({ env: { MAX_RENDERS: '1' }, overrides: { maxRenderWaitMs: 100 } });
    expect((await get(site, '/about')).status).toBe(200);
    const held = holdCommerces(backend);
    const first = get(site, '/commerce/page');
    await eventually(() => expect(held.waiting()).toBe(1));
    for (const path of ['/commerce/one-more', '/commerce/one-more/_payload.json']) {
      const refused = await get(site, path);
      expect(refused.status).toBe(503);
      expect(refused.headers['retry-after']).toMatch(/^\d+$/);
      expect(refused.headers['cache-control']).toBe('no-store');
      expect(refused.text).toContain('very busy');
    }
    expect((await get(site, '/about')).headers['cache-status']).toContain('hit');
    expect(waiting(site)).toBe(0);
    held.release();
    expect((await first).status).toBe(404);
    expect((await get(site, '/commerce/one-more')).status).toBe(404);
    expect(site.log.filter(({ code }) => code === 'http-request-failed')).toEqual([]);
  });

  it('an unstored page leaves the queue when its visitors disconnect', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite({ env: { MAX_RENDERS: '1' } });
    const held = holdCommerces(backend);
    const first = get(site, '/commerce/page');
    await eventually(() => expect(held.waiting()).toBe(1));
    const leaver = openRequest(site.url, '/commerce/left', { headers: AS_BROWSER });
    leaver.on('error', () => {});
    leaver.end();
    await eventually(() => expect(waiting(site)).toBe(1));
    leaver.destroy();
    await eventually(() => expect(site.requests('/commerce/left')).toMatchObject([{ status: 499 }]));
    expect(waiting(site)).toBe(0);
    held.release();
    await first;
    expect(backend.callsTo('/api/commerces').filter(({ url }) => url.includes('left'))).toEqual([]);
  });

  it('waiting unstored pages do not delay the revalidation of stored pages', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({ env: { MAX_RENDERS: '1', CONTENT_TTL_MS: '50' } });
    expect((await get(site, '/about')).status).toBe(200);
    const held = holdCommerces(backend);
    const visitors = [get(site, '/commerce/page'), get(site, '/commerce/other')];
    await eventually(() => expect(waiting(site)).toBe(1));
    const pages = capture('v5-as-v4', 'pages.json') as { data: { attributes: Record<string, unknown> }[] };
    const about = pages.data.find(({ attributes }) => attributes.slug === 'about');
    Object.assign(about?.attributes ?? {}, { title: 'A newer title', h1: 'A newer title' });
    backend.on('/api/pages', (req, res) =>
      sendJson(res, 200, req.url?.includes('[slug]') ? { ...pages, data: [about] } : pages),
    );
    await eventually(async () => expect((await get(site, '/about')).text).toContain('A newer title'));
    expect(waiting(site)).toBe(1);
    held.release();
    await Promise.all(visitors);
  });

  it('unstored pages get a 503 while the event loop is late, and stored pages are served', async ({
    startOwnSite,
  }) => {
    const site = await startOwnSite({ overrides: { maxLoopDelayMs: 100 } });
    expect((await get(site, '/about')).status).toBe(200);
    const blocker = setInterval(() => {
      const until = performance.now() + 200;
      while (performance.now() < until);
    });
    try {
      await eventually(async () => expect(site.site.isLate()).toBe(true));
      const refused = await get(site, '/terms');
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      // The document without styles contains the search form.
      expect(refused.text).toContain('<form action="/search">');
      expect((await get(site, '/about')).status).toBe(200);
    } finally {
      clearInterval(blocker);
    }
    await eventually(async () => expect((await get(site, '/terms')).status).toBe(200));
  });
});
