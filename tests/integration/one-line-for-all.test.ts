import { createServer } from 'node:http';
import { describe, expect } from 'vitest';
import { namedTypes } from '../../server/wire/described-types.ts';
import { getPage, PATHS, TYPES } from '../support/content-answers.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeBackend, failing } from '../support/fake-backend.ts';
import { close, listen } from '../support/listen.ts';
import { patient } from '../support/patience.ts';
import { backendTest as it } from '../support/site-test.ts';
import type { RunningSite } from '../support/start-site.ts';

/** Time in ms that a log entry waits for failures of other types. */
const overrides = { holdLinesMs: 300 };
const START_UP = 'content-start-failed';
const ONE_LINE = 'content-types-failed';

/** Log entries that alert an operator. */
const alarms = ({ log }: RunningSite) =>
  log.filter(({ level, code }) => (level === 'error' || level === 'warn') && code !== 'http-request');
const failAll = (backend: FakeBackend, status: number) => {
  for (const [, { path }] of namedTypes) backend.on(`/api/${path}`, failing(status, 'No'));
};

describe('a backend that fails for every type', () => {
  it.for([
    [401, /^set CONTENT_TOKEN to a valid API token/],
    [403, /API Tokens → the token in CONTENT_TOKEN .*: find of every type/],
  ] as const)(
    'a backend that fails for every type is logged once at the start, with the remedy: %i',
    async ([status, remedy], { backend, startOwnSite }) => {
      failAll(backend, status);
      // The entry of the failed start replaces entries that are still held, so the hold outlasts the start.
      const site = await startOwnSite({
        env: { CONTENT_TOKEN: 'a-token' },
        overrides: { holdLinesMs: patient(5_000) },
      });
      for (const path of PATHS) await getPage(site, path);
      await eventually(() => expect(alarms(site).map(({ code }) => code)).toContain(START_UP));
      const [line, ...others] = alarms(site);
      expect(others).toEqual([]);
      expect(line).toMatchObject({ code: START_UP, remedy: expect.stringMatching(remedy) });
      expect(JSON.stringify(line)).not.toContain('    at ');
      // Loading a type writes all entries that are still held. The start must have left none.
      backend.reset();
      await eventually(async () => expect((await getPage(site, '/')).status).toBe(200));
      expect(alarms(site).filter(({ code }) => code.startsWith('content-type'))).toEqual([]);
    },
  );

  it('a backend that does not run is logged by the breaker and the start, without a stack', async ({
    startOwnSite,
  }) => {
    const server = createServer();
    const contentBaseUrl = await listen(server);
    await close(server);
    const site = await startOwnSite({ contentBaseUrl, overrides });
    for (const path of PATHS) await getPage(site, path);
    const down = 'backend-down';
    await eventually(() =>
      expect(
        alarms(site)
          .map(({ code }) => code)
          .sort(),
      ).toEqual([down, START_UP]),
    );
    for (const line of alarms(site)) {
      expect(line).toMatchObject({ remedy: expect.stringContaining('check that the CMS runs') });
      expect(JSON.stringify(line)).not.toContain('    at ');
    }
  });

  it('a backend that fails for every type is logged once while the site runs, and its recovery once', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({
      env: { CONTENT_TTL_MS: '0', PAGE_CACHE_BYTES: '0', CONTENT_TOKEN: 'a-token' },
      overrides: { ...overrides, retryFailedMs: 200 },
    });
    for (const path of PATHS) await getPage(site, path);
    const before = alarms(site).length;
    const since = () => alarms(site).slice(before);
    failAll(backend, 401);
    for (const path of PATHS) await getPage(site, path);
    await eventually(() => expect(since().length).toBeGreaterThan(0));
    // Further visits add nothing.
    for (const path of PATHS) await getPage(site, path);
    expect(since()).toMatchObject([
      { code: ONE_LINE, state: 'refused', remedy: expect.stringMatching(/^set CONTENT_TOKEN to a valid/) },
    ]);
    expect(since()[0]?.types).toHaveProperty('2');
    backend.reset();
    await eventually(() => expect(since().map(({ code }) => code)).toEqual([ONE_LINE, 'content-types-ok']));
  });

  it('failing types are logged one by one when other types are answered', async ({
    backend,
    startOwnSite,
  }) => {
    const failed = TYPES.slice(0, 3);
    for (const type of failed) backend.on(`/api/${type}`, failing(403, 'No'));
    const site = await startOwnSite({ overrides });
    for (const path of PATHS) await getPage(site, path);
    const types = () =>
      alarms(site)
        .filter(({ code }) => code.startsWith('content-type'))
        .map(({ type }) => type)
        .sort();
    await eventually(() => expect(types()).toEqual([...failed].sort()));
  });
});
