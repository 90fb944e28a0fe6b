import { expect, vi } from 'vitest';
import { cacheStatusOf, HIT } from '../support/cache-status.ts';
import { pageCacheTest } from '../support/page-cache-test.ts';
import { payloadPath } from '../support/payload-path.ts';
import { AS_BROWSER, sendRequest } from '../support/send-request.ts';
import type { RunningSite } from '../support/start-site.ts';

const LOOKS = ['get', 'peek', 'loadPage'] as const;

/** Reads inside the page cache, to compress and write entries, do not count. */
const OWN_WORK = /server\/page-cache\//;

/** @returns how often a request reads the page cache, and the `Cache-Status` of its response. */
async function looksFor({ site, url }: RunningSite, address: string) {
  const looks: string[] = [];
  for (const look of LOOKS) {
    const own = site.pages[look] as (key: string, isRead?: boolean) => never;
    vi.spyOn(site.pages, look).mockImplementation((key: string, isRead?: boolean) => {
      const caller = new Error().stack?.split('\n').find(line => line.includes('/server/')) ?? '';
      if (!OWN_WORK.test(caller)) looks.push(look);
      return own(key, isRead);
    });
  }
  const answer = await sendRequest(url, address, { headers: AS_BROWSER });
  vi.restoreAllMocks();
  return { looks, status: answer.status, cache: cacheStatusOf(answer) };
}

pageCacheTest.for([
  ['a page', '/about', 200],
  ['a page with a declared query', '/blog/guides?page=1', 200],
  ['a payload', payloadPath('/about'), 200],
  ['a page that does not exist', '/no-such-page', 404],
] as const)(
  '%s costs three reads of the page cache when it is not stored, and one when it is',
  async ([, address, status], { sample }) => {
    const miss = await looksFor(sample, address);
    // Three reads: the listener in memory, the page on disk, and `Cache-Status` to report whether it was
    // stored.
    expect(miss).toEqual({
      looks: ['get', 'loadPage', 'get'],
      status,
      cache: expect.not.stringMatching(HIT),
    });
    const hit = await looksFor(sample, address);
    expect(hit).toEqual({ looks: ['get'], status, cache: expect.stringMatching(HIT) });
  },
);
