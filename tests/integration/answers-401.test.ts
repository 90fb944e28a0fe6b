import { describe, expect } from 'vitest';
import {
  getPage,
  linesOf,
  PATHS,
  pagesOf,
  readinessOf,
  START_UP_TYPES,
  statesOf,
  statusesOf,
  TYPES,
} from '../support/content-answers.ts';
import { errorPage } from '../support/error-page.ts';
import { eventually } from '../support/eventually.ts';
import { failing } from '../support/fake-backend.ts';
import { backendTest as it } from '../support/site-test.ts';

const unauthorized = failing(401, 'UnauthorizedError');

describe('401 without known content', () => {
  it.for<[token: string | null, remedy: string]>([
    ['a-wrong-token', 'set CONTENT_TOKEN to a valid API token'],
    [null, 'set CONTENT_TOKEN to an API token of the CMS'],
  ])(
    'a backend that answers 401 from the start makes every page the error page: token %s, remedy “%s”',
    async ([token, remedy], { backend, startOwnSite }) => {
      for (const type of TYPES) backend.on(`/api/${type}`, unauthorized);
      const site = await startOwnSite({ env: token === null ? {} : { CONTENT_TOKEN: token } });
      for (const path of [...PATHS, '/no/such/page'])
        errorPage(await getPage(site, path), 503, 'Internal Server Error');
      for (const type of START_UP_TYPES)
        expect(linesOf(site, type)).toMatchObject([
          { level: 'error', code: 'content-type-refused', remedy: expect.stringContaining(remedy) },
        ]);
      expect(await readinessOf(site)).toMatchObject([503, { backend: 'refused' }]);
      expect(JSON.stringify(site.log)).not.toContain('a-wrong-token');
    },
  );

  it.for(START_UP_TYPES)(
    'a 401 from the start for only %s makes every page the error page',
    async (type, { backend, startOwnSite }) => {
      backend.on(`/api/${type}`, unauthorized);
      const site = await startOwnSite();
      expect(new Set(Object.values(await statusesOf(site)))).toEqual(new Set([503]));
      expect(await statesOf(site)).toEqual({ [type]: 'refused' });
    },
  );
});

describe('401 on known content', () => {
  it.for(TYPES)(
    'a 401 leaves known content of %s on its pages, and the type’s state is `refused`',
    async (type, { backend, startOwnSite }) => {
      // The page cache is off, so each page is rendered from the last content.
      const site = await startOwnSite({ env: { CONTENT_TTL_MS: '0', PAGE_CACHE_BYTES: '0' } });
      const before = await pagesOf(site);
      backend.on(`/api/${type}`, unauthorized);
      await eventually(async () => {
        expect(await pagesOf(site)).toEqual(before);
        expect(await statesOf(site)).toEqual({ [type]: 'refused' });
      });
      expect(await readinessOf(site)).toMatchObject([
        200,
        { status: 'degraded', degraded: [{ reason: 'refused' }], backend: 'refused' },
      ]);
      expect(linesOf(site, type)).toMatchObject([{ level: 'error', code: 'content-type-refused' }]);
    },
  );

  it('a 401 for everything leaves the site unchanged, and the backend counts as refused', async ({
    backend,
    startOwnSite,
  }) => {
    const site = await startOwnSite({ env: { CONTENT_TTL_MS: '0' } });
    const before = await statusesOf(site);
    for (const type of TYPES) backend.on(`/api/${type}`, unauthorized);
    await eventually(async () => {
      expect(await statusesOf(site)).toEqual(before);
      expect(Object.keys(await statesOf(site))).toEqual(expect.arrayContaining([...TYPES]));
    });
    expect((await readinessOf(site))[1].backend).toBe('refused');
  });
});
