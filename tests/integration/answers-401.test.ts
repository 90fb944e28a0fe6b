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

describe('401 where nothing was known', () => {
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
    'a 401 from the start for %s alone makes every page the error page',
    async (type, { backend, startOwnSite }) => {
      backend.on(`/api/${type}`, unauthorized);
      const site = await startOwnSite();
      expect(new Set(Object.values(await statusesOf(site)))).toEqual(new Set([503]));
      expect(await statesOf(site)).toEqual({ [type]: 'refused' });
    },
  );
});

describe('401 on content that was known before', () => {
  it.for(TYPES)(
    'known content of %s stays on its pages after a 401, and its state is `refused`',
    async (type, { backend, startOwnSite }) => {
      // Each page is rendered from the last content, because the page cache is off.
      const site = await startOwnSite({ env: { CONTENT_TTL_MS: '0', PAGE_CACHE_BYTES: '0' } });
      const before = await pagesOf(site);
      backend.on(`/api/${type}`, unauthorized);
      await eventually(async () => {
        expect(await pagesOf(site)).toEqual(before);
        expect(await statesOf(site)).toEqual({ [type]: 'refused' });
      });
      expect(await readinessOf(site)).toMatchObject([200, { status: 'ready', backend: 'refused' }]);
      expect(linesOf(site, type)).toMatchObject([{ level: 'error', code: 'content-type-refused' }]);
    },
  );

  it('a backend that answers 401 to everything counts as refused, and the site stays as it was', async ({
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
