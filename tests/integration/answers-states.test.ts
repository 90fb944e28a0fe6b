import { describe, expect } from 'vitest';
import {
  getPage,
  linesOf,
  PATHS,
  readinessOf,
  samplesOf,
  statusesOf,
  TYPES,
} from '../support/content-answers.ts';
import { eventually } from '../support/eventually.ts';
import { failing, sendJson } from '../support/fake-backend.ts';
import { backendTest as it } from '../support/site-test.ts';
import type { LogLine, RunningSite } from '../support/start-site.ts';

const env = { CONTENT_TTL_MS: '0' };
const alarms = (site: RunningSite): LogLine[] =>
  site.log
    .filter(({ level }) => level === 'warn' || level === 'error')
    .filter(({ field }) => field === undefined);

describe('the log of an outage', () => {
  it('an outage is logged once for each type and state, and its end once', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({ env });
    await statusesOf(site);
    for (const type of TYPES) backend.on(`/api/${type}`, failing(500));
    // Unknown pages are a 503 each. Known pages are revalidated again and again.
    for (let round = 0; round < 8; round += 1) {
      const unknown = Array.from({ length: 10 }, (_, index) => `/terms-${round}-${index}`);
      await statusesOf(site, [...PATHS, ...unknown]);
    }
    await eventually(async () => {
      await statusesOf(site);
      for (const type of TYPES) expect(linesOf(site, type)).toHaveLength(1);
    });
    const others = alarms(site).map(({ code }) => code);
    expect(others.filter(code => !/^(?:content-type|backend)-/.test(code))).toEqual([]);

    backend.reset();
    await eventually(async () => {
      await statusesOf(site);
      for (const type of TYPES)
        expect(linesOf(site, type).map(({ code }) => code)).toEqual(['content-type-down', 'content-type-ok']);
    });
    const end = linesOf(site, 'settings').at(-1);
    expect(end).toMatchObject({ level: 'warn', state: 'down', lastedMs: expect.any(Number) });
  });

  it('each failed request is logged at level debug with its reason and request id', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    backend.on('/api/pages', failing(500));
    const answer = await getPage(site, '/about');
    expect(site.log.find(({ code }) => code === 'http-request-failed')).toMatchObject({
      level: 'debug',
      id: answer.headers['x-request-id'],
    });
  });
});

describe('a picture that cannot be fetched', () => {
  it('a picture that cannot be fetched is logged once, and not for each request during an outage', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    const lines = () =>
      site.log.filter(({ level, code }) => ['warn', 'error'].includes(level) && code.startsWith('media-'));
    backend.on('/uploads/a.png', failing(500));
    for (let time = 0; time < 3; time++) expect((await getPage(site, '/uploads/a.png')).status).toBe(503);
    expect(lines()).toMatchObject([
      { code: 'media-file-failed', path: '/uploads/a.png', effect: 'the file is a 503' },
    ]);
    // The whole media server goes down.
    const pictures = Array.from({ length: 20 }, (_, index) => `/uploads/${index}.png`);
    for (const path of [...pictures, '/uploads/', '/favicon.ico'])
      backend.on(path, (_req, res) => void res.destroy());
    await eventually(async () => {
      const answers = await Promise.all(pictures.map(path => getPage(site, path)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      expect(site.site.mediaOrigins.states()).toEqual(new Map([['backend', false]]));
    });
    await Promise.all(pictures.map(path => getPage(site, path)));
    expect(lines().map(({ code }) => code)).toEqual([
      'media-file-failed',
      'media-file-failed',
      'media-origin-down',
    ]);
    expect(site.log.filter(({ code, level }) => code === 'http-request-failed' && level === 'error')).toEqual(
      [],
    );
  });
});

describe('/readyz', () => {
  it('/readyz lists each type that is not ok, with reason, remedy and start time, and stays 200', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/socials', failing(403, 'ForbiddenError'));
    const site = await startOwnSite({ env });
    await statusesOf(site);
    backend.on('/api/landing', failing(404, 'NotFoundError'));
    backend.on('/api/authors', failing(401, 'UnauthorizedError'));
    backend.on('/api/pages', failing(500));
    await eventually(async () => {
      await statusesOf(site);
      const [status, { contentTypes }] = await readinessOf(site);
      expect([status, contentTypes]).toMatchObject([
        200,
        {
          socials: { state: 'empty' },
          landing: { state: 'emptied' },
          authors: { state: 'refused' },
          pages: { state: 'down' },
        },
      ]);
      for (const { since, reason, remedy } of Object.values(contentTypes)) {
        expect(Date.parse(since)).toBeGreaterThan(Date.now() - 3_600_000);
        expect([reason, remedy.length > 20]).toEqual([
          expect.stringMatching(/^GET \/api\/[\w-]+: answered \d/),
          true,
        ]);
      }
    });
  });
});

describe('/metrics', () => {
  it('/metrics has the state of each type, and reports the backend as up only without an alarm', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({ env });
    await statusesOf(site);
    const states = await samplesOf(site, 'site_content_state');
    for (const type of TYPES) expect([type, states[`{type="${type}",state="ok"}`]]).toEqual([type, 1]);
    expect(await samplesOf(site, 'site_backend_up')).toEqual({ '': 1 });
    backend.on('/api/authors', failing(403, 'ForbiddenError'));
    await eventually(async () => {
      await statusesOf(site);
      const after = await samplesOf(site, 'site_content_state');
      expect(after['{type="authors",state="refused"}']).toBe(1);
      expect(after['{type="authors",state="ok"}']).toBe(0);
      expect(await samplesOf(site, 'site_backend_up')).toEqual({ '': 0 });
    });
  });

  it('/metrics counts calls by content type and outcome, and invented paths add no label', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite();
    backend.on('/api/commerces', failing(403, 'ForbiddenError'));
    backend.on('/api/business-solutions', failing(502, 'BadGatewayError'));
    backend.on('/api/pages', (_req, res) => void res.end('<html>'));
    await statusesOf(site, [
      ...PATHS,
      '/made-up',
      '/commerce/..%2fusers',
      '/api/users',
      '/blog/made-up/made-up',
    ]);
    const calls = await samplesOf(site, 'site_backend_calls_total');
    expect(calls['{type="settings",outcome="ok"}']).toBeGreaterThan(0);
    expect(calls['{type="commerces",outcome="403"}']).toBeGreaterThan(0);
    expect(calls['{type="business-solutions",outcome="5xx"}']).toBeGreaterThan(0);
    expect(calls['{type="pages",outcome="malformed"}']).toBeGreaterThan(0);
    const counted = Object.keys(calls).filter(labels => calls[labels] !== 0);
    const types = counted.map(labels => /type="([^"]*)"/.exec(labels)?.[1] ?? '');
    expect(types.filter(type => !TYPES.some(known => known === type))).toEqual([]);
  });

  it('/metrics has the age of the oldest content that was served', async ({ backend, startOwnSite }) => {
    const site = await startOwnSite({ env });
    const age = async () => (await samplesOf(site, 'site_oldest_content_seconds'))[''] ?? Number.NaN;
    expect(await age()).toBeNaN();
    await getPage(site, '/about');
    const young = await age();
    expect(young).toBeGreaterThanOrEqual(0);
    for (const type of TYPES) backend.on(`/api/${type}`, failing(500));
    // The page now comes from memory, so its content grows older.
    await eventually(async () => {
      expect((await getPage(site, '/about')).status).toBe(200);
      expect(await age()).toBeGreaterThan(young + 0.5);
    });
  });
});

describe('a start that fails', () => {
  it('a failing start logs all failures in one entry with their remedies', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/main-page', failing(401, 'UnauthorizedError'));
    backend.on('/api/categories', failing(500));
    backend.on('/api/settings', (_req, res) => sendJson(res, 200, { hello: 'world' }));
    backend.on('/api/landing', (_req, res) => void res.end('<html>'));
    const site = await startOwnSite();
    const failures = () => site.log.filter(({ code }) => code === 'content-start-failed');
    const lines = failures();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'error',
      failures: [
        { type: 'main-page', remedy: expect.stringContaining('CONTENT_TOKEN') },
        { type: 'categories', remedy: "look for 'api/categories' in the log of the CMS" },
        { type: 'settings', reason: 'GET /api/settings: the answer holds no entry' },
        { type: 'landing', reason: 'GET /api/landing: the answer is not JSON' },
      ],
      reason: expect.stringMatching(/main-page.*categories.*settings.*landing/),
    });
    // Repeated attempts with the same failure are logged at level debug.
    await eventually(() =>
      expect(failures().filter(({ level }) => level === 'debug').length).toBeGreaterThan(0),
    );
    expect(failures().filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('the start-up requests the landing page after the other four types, even if they fail', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/settings', failing(403, 'ForbiddenError'));
    backend.on('/api/categories', failing(500));
    await startOwnSite();
    const called = backend.calls.map(({ url }) => url.split(/[/?]/)[2]);
    expect(called.slice(0, 4).sort()).toEqual(['authors', 'categories', 'main-page', 'settings']);
    expect(called.slice(4)).toContain('landing');
  });
});
