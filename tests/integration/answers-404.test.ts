import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { labelOf } from '../../server/wire/described-types.ts';
import {
  expectStored,
  getPage,
  linesOf,
  PATHS,
  pagesOf,
  readinessOf,
  SINGLE_TYPES,
  START_UP_TYPES,
  statesOf,
  statusesOf,
  TYPES,
} from '../support/content-answers.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { parsePage } from '../support/parse-page.ts';
import { backendTest as it } from '../support/site-test.ts';

const gone = failing(404, 'NotFoundError');
const statuses = (status: number) => Object.fromEntries(PATHS.map(address => [address, status]));

describe('404 on a single type that was never known', () => {
  it.for(SINGLE_TYPES)(
    'a 404 on the single type %s counts as empty, and pages without it are stored',
    async (type, { backend, startOwnSite }) => {
      backend.on(`/api/${type}`, gone);
      const site = await startOwnSite();
      expect(await statusesOf(site)).toEqual(statuses(200));
      await expectStored(site, PATHS);
      expect(linesOf(site, type)).toMatchObject([
        {
          level: 'error',
          code: 'content-type-empty',
          reason: `GET /api/${type}: answered 404 (NotFoundError)`,
          effect: 'pages are made without it',
          remedy: `Strapi: Content Manager → Single Types → ${labelOf(type)} → save it, and publish it if it has drafts`,
        },
      ]);
      expect(await readinessOf(site)).toMatchObject([
        200,
        { status: 'ready', backend: 'up', contentTypes: { [type]: { state: 'empty' } } },
      ]);
    },
  );

  it('a 404 on all three single types counts as empty, and each page still has a heading', async ({
    backend,
    startOwnSite,
  }) => {
    for (const type of SINGLE_TYPES) backend.on(`/api/${type}`, gone);
    const site = await startOwnSite();
    for (const address of PATHS) {
      const { status, text } = await getPage(site, address);
      expect([address, status, parsePage(text).headings.length]).toEqual([address, 200, 1]);
    }
    // A record without fields says nothing about permissions, so its missing relations are not logged.
    const lines = site.log.filter(({ code }) => code === 'content-relation-absent');
    expect(lines.filter(({ type }) => SINGLE_TYPES.some(single => single === type))).toEqual([]);
  });

  it('a single type that was saved after a 404 appears on its pages within one TTL', async ({
    backend,
    startOwnSite,
  }) => {
    backend.on('/api/settings', gone);
    const site = await startOwnSite({ env: { CONTENT_TTL_MS: '50' } });
    const before = parsePage((await getPage(site, '/about')).text).data?.payload.data.shell;
    expect(before).toMatchObject({ headerLinks: [], footerLinks: [] });
    backend.reset();
    await eventually(async () => {
      const shell = parsePage((await getPage(site, '/about')).text).data?.payload.data.shell;
      expect(shell?.headerLinks.length).toBeGreaterThan(0);
    });
    expect(linesOf(site, 'settings').at(-1)).toMatchObject({ level: 'warn', code: 'content-type-ok' });
    expect(await statesOf(site)).toEqual({});
  });
});

describe('404 on a single type that was known before', () => {
  it.for(SINGLE_TYPES)(
    'a 404 on the known single type %s keeps its last content, and the type’s state is `emptied`',
    async (type, { backend, startOwnSite }) => {
      // The page cache is off, so each page is rendered from the last content.
      const site = await startOwnSite({ env: { CONTENT_TTL_MS: '0', PAGE_CACHE_BYTES: '0' } });
      const before = await pagesOf(site);
      backend.on(`/api/${type}`, gone);
      await eventually(async () => {
        expect(await pagesOf(site)).toEqual(before);
        expect(await statesOf(site)).toEqual({ [type]: 'emptied' });
      });
      expect(await readinessOf(site)).toMatchObject([
        200,
        { status: 'degraded', degraded: [{ reason: 'emptied' }], backend: 'emptied' },
      ]);
      expect(linesOf(site, type)).toMatchObject([
        { level: 'error', code: 'content-type-emptied', effect: 'the last content stays on the site' },
      ]);
    },
  );

  it('after a restart with another build, an emptied single type keeps its content, and an empty one stays empty', async ({
    backend,
    startOwnSite,
    onTestFinished,
  }) => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'answers-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    backend.on('/api/main-page', gone);
    const first = await startOwnSite({ dataDir });
    const seen = await getPage(first, '/about');
    await first.close();
    // Stored pages belong to their PUBLIC_URL. With another one only content is read from disk.
    for (const type of TYPES) backend.on(`/api/${type}`, failing(503));
    const second = await startOwnSite({ dataDir, env: { PUBLIC_URL: 'https://other.example' } });
    const after = await getPage(second, '/about');
    expect(after.status).toBe(200);
    expect(parsePage(after.text).main).toBe(parsePage(seen.text).main);
    expect(second.site.startUp.ready).toBe(true);
  });
});

describe('404 on a collection', () => {
  it.for(['redirects', 'socials'])(
    'a 404 on the collection %s counts as empty, because no page is built on it',
    async (type, { backend, startOwnSite }) => {
      backend.on(`/api/${type}`, gone);
      const site = await startOwnSite();
      expect(await statusesOf(site)).toEqual(statuses(200));
      await expectStored(site, PATHS);
      expect(linesOf(site, type)).toMatchObject([
        { code: 'content-type-empty', remedy: expect.stringContaining(`(plural '${type}') in the CMS`) },
      ]);
    },
  );

  it.for(['categories', 'authors'])(
    'a 404 on the collection %s fails the start-up, because every site has that collection',
    async (type, { backend, startOwnSite }) => {
      backend.on(`/api/${type}`, gone);
      const site = await startOwnSite();
      expect(await statusesOf(site)).toEqual(statuses(503));
      expect((await readinessOf(site))[0]).toBe(503);
      expect(await statesOf(site)).toEqual({ [type]: 'refused' });
    },
  );

  it('a 404 on all types makes every page the error page', async ({ backend, startOwnSite }) => {
    for (const type of TYPES) backend.on(`/api/${type}`, gone);
    const site = await startOwnSite();
    expect(await statusesOf(site)).toEqual(statuses(503));
    const [status, { backend: state }] = await readinessOf(site);
    expect([status, state]).toEqual([503, 'refused']);
  });

  it('a 404 on all types of a running site leaves its pages unchanged, and the backend does not count as up', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({ env: { CONTENT_TTL_MS: '0' } });
    await statusesOf(site);
    for (const type of TYPES) backend.on(`/api/${type}`, gone);
    await eventually(async () => {
      expect(await statusesOf(site)).toEqual(statuses(200));
      const states = await statesOf(site);
      for (const type of START_UP_TYPES) expect([type, states[type]]).toEqual([type, 'emptied']);
    });
    expect((await readinessOf(site))[1]).toMatchObject({
      status: 'degraded',
      degraded: [{ reason: 'emptied' }],
      backend: 'emptied',
    });
  });
});
